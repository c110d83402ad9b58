//===- instruction.h - Decoded instructions and their tables ----*- C++ -*-===//
//
// One instruction = one line in the table of its family (mask, match, operands,
// timing) and one small function. `decode` looks the line up once per address.
//
//===----------------------------------------------------------------------===//
#ifndef KEVOLVE_SIMULATOR_HART_INSTRUCTION_H
#define KEVOLVE_SIMULATOR_HART_INSTRUCTION_H

#include "simulator/hart/hart.h"

#include <array>
#include <unordered_map>
#include <vector>

namespace kevolve::simulator {

struct Instruction;
struct VectorOperation;
using Handler = void (*)(Hart &, const Instruction &);

/// A decoded instruction; 32 bytes, so that two fit a cache line.
struct Instruction {
  Handler handler = nullptr; // nullptr: not decoded yet
  union {
    int64_t imm = 0;
    const VectorOperation *vector; // of arithmetic vector instructions
  };
  uint32_t encoding = 0; // compressed ones as written, in the low half
  uint16_t cycles = 0;   // including the stall of a dependent successor
  uint8_t rd = 0, rs1 = 0, rs2 = 0, rs3 = 0;
  uint8_t funct3 = 0; // also the rounding mode
  uint8_t length = 0;
  CycleClass cycleClass = CycleClass::Integer;
};

/// How the immediate lies in the encoding.
enum class Format : uint8_t { R, I, S, B, U, J, Shift, Csr };

/// Which costs of the CostModel apply.
enum class Timing : uint8_t {
  Integer,
  Multiply,
  Divide,
  Float,
  FloatDivide,
  Branch,
  Load,
  Store,
  System,
  Custom,
  VectorSet,
  Vector,
  VectorLoadStore,
};

struct Encoding {
  uint32_t mask;
  uint32_t match;
};

/// A line of an instruction table. `operands` names the register files of rd,
/// rs1, rs2, rs3: 'x', 'f', or '-' for none (or a vector register).
struct InstructionPattern {
  const char *name;
  Encoding encoding;
  Handler handler;
  Format format;
  const char *operands;
  Timing timing;
};

using Patterns = std::vector<InstructionPattern>;

constexpr Encoding opcodeOnly(uint32_t opcode) { return {0x7f, opcode}; }
constexpr Encoding withFunct3(uint32_t opcode, uint32_t funct3) {
  return {0x707f, opcode | funct3 << 12};
}
constexpr Encoding withFunct7(uint32_t opcode, uint32_t funct3,
                              uint32_t funct7) {
  return {0xfe00707f, opcode | funct3 << 12 | funct7 << 25};
}
constexpr Encoding withFunct12(uint32_t opcode, uint32_t funct3,
                               uint32_t funct12) {
  return {0xfff0707f, opcode | funct3 << 12 | funct12 << 20};
}

// The families. Each lives in the file of its name.
const Patterns &integerPatterns();
const Patterns &bitManipulationPatterns();
const Patterns &atomicPatterns();
const Patterns &floatPatterns();
const Patterns &systemPatterns();
const Patterns &vectorPatterns();

/// The 32-bit form of a compressed instruction, 0 if it is illegal.
uint32_t expandCompressed(uint16_t encoding);

/// Decodes without knowing the successor. An unknown encoding gets a handler
/// that faults.
Instruction decode(uint32_t encoding, const CostModel &cost);
/// The stall that `next` suffers if it follows `first` and reads its result.
uint32_t dependencyStall(uint32_t first, uint32_t next, const CostModel &cost);

/// Raises the fault of an encoding that means nothing (or nothing here).
void raiseIllegal(Hart &hart, const Instruction &instruction);

//--- Decoded code ------------------------------------------------------------

constexpr uint64_t kCodePageBytes = 4096;

struct CodePage {
  std::array<Instruction, kCodePageBytes / 2> slots;
  Instruction &at(uint64_t pc) { return slots[pc % kCodePageBytes / 2]; }
};

class CodeCache {
public:
  CodePage &page(uint64_t pc) {
    auto &entry = pages[pc / kCodePageBytes];
    if (!entry)
      entry = std::make_unique<CodePage>();
    return *entry;
  }
  /// Decodes everything again. Pages stay where they are: run() holds one.
  void forget() {
    for (auto &entry : pages)
      entry.second->slots.fill(Instruction());
  }

private:
  std::unordered_map<uint64_t, std::unique_ptr<CodePage>> pages;
};

} // namespace kevolve::simulator

#endif // KEVOLVE_SIMULATOR_HART_INSTRUCTION_H
