//===- direct_access.h - A core's own way to SRAM and DRAM ------*- C++ -*-===//
#ifndef KEVOLVE_SIMULATOR_PE_DIRECT_ACCESS_H
#define KEVOLVE_SIMULATOR_PE_DIRECT_ACCESS_H

#include "simulator/memory/memory_system.h"
#include "simulator/observe/counters.h"

#include <vector>

namespace kevolve::simulator {

/// Loads and stores of a core outside local memory. The core waits for a load;
/// the elements of one vector instruction overlap, as many as the core may have
/// in flight. Stores are posted until that many are.
class DirectAccess {
public:
  DirectAccess(const Chip &chip, uint32_t pe, MemorySystem &memory,
               PeCounters &counters)
      : chip(chip), pe(pe), memory(memory), counters(counters) {}

  void beginLaunch() {
    inFlight.assign(size_t(chip.hartOutstandingAccesses), 0.0);
    oldest = 0;
    instruction = UINT64_MAX;
  }

  /// Cycles that the core waits, for an access at `nowCycles`. Accesses with
  /// the same `instructionNumber` belong to one vector instruction.
  uint64_t access(uint64_t nowCycles, uint64_t instructionNumber,
                  MemoryPiece piece, bool isStore);

private:
  const Chip &chip;
  uint32_t pe;
  MemorySystem &memory;
  PeCounters &counters;
  std::vector<double> inFlight; // a ring
  size_t oldest = 0;
  uint64_t instruction = UINT64_MAX;
  double issuedAt = 0;  // the previous element of the instruction
  double chargedTo = 0; // cycles up to here are already charged
  std::vector<MemoryPiece> request;
};

} // namespace kevolve::simulator

#endif // KEVOLVE_SIMULATOR_PE_DIRECT_ACCESS_H
