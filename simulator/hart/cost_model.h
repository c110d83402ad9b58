//===- cost_model.h - What an instruction costs a hart, and what it counted
//===//
//
// Timing is kept apart from function: changing a number here never changes a
// result. The defaults are placeholders of a plausible in-order core; the
// machine fills them from the chip's parameter file.
//
//===----------------------------------------------------------------------===//
#ifndef KEVOLVE_SIMULATOR_HART_COST_MODEL_H
#define KEVOLVE_SIMULATOR_HART_COST_MODEL_H

#include <array>
#include <cstdint>

namespace kevolve::simulator {

/// What a cycle was spent on. Every instruction belongs to exactly one class;
/// `Stall` is what the machine adds (`Hart::stall`).
enum class CycleClass : uint8_t {
  Integer,
  MultiplyDivide,
  Float,
  Branch,
  LoadStore,
  Vector,
  VectorLoadStore,
  Custom,
  System,
  Stall,
};
constexpr unsigned kNumCycleClasses = 10;

/// Costs in cycles. A `latency` is the distance to an instruction that reads
/// the result: the core is in order and pipelined, so that the next instruction
/// waits `latency - 1` cycles if it reads the result and none otherwise.
struct CostModel {
  uint32_t scalarCycles = 1;
  uint32_t loadLatency = 2;
  uint32_t multiplyLatency = 3;
  uint32_t divideCycles = 20; // not pipelined
  uint32_t floatLatency = 4;
  uint32_t floatDivideCycles = 12; // not pipelined; also square root
  uint32_t branchTakenCycles = 2;  // beyond the branch itself
  uint32_t customCycles = 1;       // of the hart; the machine adds the CP's
  uint32_t systemCycles = 4;       // CSR accesses, fences

  /// A vector instruction: startup + ceil(bytes of its widest operand up to vl
  /// / bytes per cycle) * factor of its kind.
  uint32_t vectorStartupCycles = 2;
  uint32_t vectorBytesPerCycle = 64;
  uint32_t vectorDivideFactor = 8;  // divide, square root
  uint32_t vectorPermuteFactor = 2; // gather, compress, slides
  uint32_t vectorReduceCycles = 6;  // the tree at the end of a reduction
  uint32_t vectorOrderedCycles = 4; // a step of an ordered FP reduction
  uint32_t vectorSetCycles = 1;     // vsetvl*
  uint32_t vectorIndexedElementsPerCycle = 1; // indexed and strided accesses

  /// Accesses inside the local window; everything else asks the Bus.
  uint32_t localBytesPerCycle = 64;
};

struct HartCounters {
  uint64_t instructions = 0;
  uint64_t vectorInstructions = 0;
  uint64_t customInstructions = 0;
  uint64_t loads = 0;  // instructions, scalar and vector
  uint64_t stores = 0; // likewise; an AMO counts as both
  uint64_t loadedBytes = 0;
  uint64_t storedBytes = 0;
  uint64_t branches = 0;
  uint64_t branchesTaken = 0;
  std::array<uint64_t, kNumCycleClasses> cycles{};
};

} // namespace kevolve::simulator

#endif // KEVOLVE_SIMULATOR_HART_COST_MODEL_H
