//===- bus.h - What a hart needs from the machine around it -----*- C++ -*-===//
//
// The hart knows no memory map and no units: it asks a Bus. A processing
// element implements one; the test runner implements another over flat memory.
//
//===----------------------------------------------------------------------===//
#ifndef KEVOLVE_SIMULATOR_HART_BUS_H
#define KEVOLVE_SIMULATOR_HART_BUS_H

#include <cstdint>
#include <optional>

namespace kevolve::simulator {

class Hart;

enum class Access : uint8_t { Load, Store, Fetch };

/// An instruction of opcode custom-0, with its operands read.
struct CustomInstruction {
  uint8_t funct3;
  uint8_t funct7;
  uint8_t rd;
  uint64_t rs1Value;
  uint64_t rs2Value;
};

enum class CustomAction : uint8_t {
  Continue, // done: go on with the next instruction
  Pause,    // done, and run() returns Paused after it
  Retry,    // not done: run() returns Paused before it, to execute it again
  Illegal,  // no such instruction
  Faulted,  // the Bus called Hart::raise
};

class Bus {
public:
  virtual ~Bus() = default;

  /// Host address of [address, address + bytes), or nullptr. For a fault that
  /// deserves words of its own, call `hart.raise` before returning nullptr;
  /// otherwise the hart raises a plain access fault. `bytes` is at least 1 and
  /// may be a whole vector register group.
  virtual uint8_t *translate(Hart &hart, uint64_t address, uint64_t bytes,
                             Access access) = 0;

  /// Cycles that an access outside the local window takes.
  virtual uint64_t accessCycles(Hart &hart, uint64_t address, uint64_t bytes,
                                Access access) = 0;

  /// Executes a custom-0 instruction; results go to `hart.setX(rd, value)`,
  /// waiting to `hart.stall(cycles)`.
  virtual CustomAction onCustom(Hart &hart,
                                const CustomInstruction &instruction) = 0;

  /// Value of a CSR that the hart itself does not have, nullopt if nobody has.
  virtual std::optional<uint64_t> readCsr(Hart &hart, uint32_t csr) = 0;
};

} // namespace kevolve::simulator

#endif // KEVOLVE_SIMULATOR_HART_BUS_H
