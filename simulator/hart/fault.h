//===- fault.h - Why a hart stopped -----------------------------*- C++ -*-===//
#ifndef KEVOLVE_SIMULATOR_HART_FAULT_H
#define KEVOLVE_SIMULATOR_HART_FAULT_H

#include <cstdint>
#include <string>

namespace kevolve::simulator {

enum class StopReason : uint8_t {
  Halted,          // pc reached the halt address
  Budget,          // the instruction or cycle budget ended
  Paused,          // the Bus asked for it; run() again goes on
  Breakpoint,      // ebreak; pc is still at it
  EnvironmentCall, // ecall; pc is still at it
  Faulted,         // see Hart::fault()
};

enum class FaultKind : uint8_t {
  None,
  IllegalInstruction,
  FetchMisaligned,
  FetchAccess,
  LoadMisaligned,
  LoadAccess,
  StoreMisaligned,
  StoreAccess,
  Hazard, // raised by the machine: data that a running command still uses
  Machine // raised by the machine: anything else (a bad command, ...)
};

struct Fault {
  FaultKind kind = FaultKind::None;
  uint64_t pc = 0;
  uint64_t address = 0;  // of the access; 0 for an illegal instruction
  uint32_t encoding = 0; // of the instruction at pc, 0 if it was not fetched
  std::string message;   // one line, without pc and encoding
};

const char *faultKindName(FaultKind kind);
const char *stopReasonName(StopReason reason);

} // namespace kevolve::simulator

#endif // KEVOLVE_SIMULATOR_HART_FAULT_H
