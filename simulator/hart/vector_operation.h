//===- vector_operation.h - Tables of arithmetic vector instructions -*- C++
//-*-===//
//
// An arithmetic vector instruction is found by funct3 and funct6 (and, for the
// unary groups, by its rs1 field). Its VectorOperation says which kernel runs
// for which element width and how wide its operands are, from which the
// legality of register groups follows.
//
//===----------------------------------------------------------------------===//
#ifndef KEVOLVE_SIMULATOR_HART_VECTOR_OPERATION_H
#define KEVOLVE_SIMULATOR_HART_VECTOR_OPERATION_H

#include "simulator/hart/instruction.h"

namespace kevolve::simulator {

/// The width of a vector operand against SEW.
enum class Width : uint8_t {
  None, // not a vector register group
  Same,
  Double,
  Half, // source of vzext.vf2 and such
  Quarter,
  Eighth,
  Mask,    // one register of bits
  Element, // one register, element 0
  Index16, // 16-bit elements (vrgatherei16)
};

/// What an operation costs beyond its bytes.
enum class VectorCost : uint8_t {
  Plain,
  Divide,
  Permute,
  Reduce,
  OrderedReduce
};

/// How v0 takes part.
enum class MaskUse : uint8_t {
  Optional,  // vm = 0 masks; vd may not overlap v0 (unless it is a mask)
  Forbidden, // vm must be 1
  Required,  // vm must be 0, v0 is an operand (vadc, vmerge)
  Carry,     // v0 is an operand if vm = 0, nothing is masked (vmadc, vmsbc)
};

struct VectorOperation {
  const char *name = nullptr; // nullptr: reserved
  Handler kernels[4] = {};    // by log2(SEW / 8); nullptr: reserved
  Width vd = Width::Same;
  Width vs2 = Width::Same;
  Width vs1 = Width::None;
  MaskUse mask = MaskUse::Optional;
  VectorCost cost = VectorCost::Plain;
  bool disjoint = false; // vd may not overlap a source at all
  bool needsFrm = false; // illegal under a reserved frm
  bool needsVstart0 = false;
  bool keepsMask = false; // masked, vd may not be v0 even as a mask
};

/// Handler of every arithmetic vector instruction: checks, charges, runs the
/// kernel, clears vstart.
void executeVectorOperation(Hart &hart, const Instruction &instruction);
/// Finds the VectorOperation; makes the instruction illegal if there is none.
void selectVectorOperation(Instruction &instruction);

} // namespace kevolve::simulator

#endif // KEVOLVE_SIMULATOR_HART_VECTOR_OPERATION_H
