//===- counters.h - What a launch counts ------------------------*- C++ -*-===//
#ifndef KEVOLVE_SIMULATOR_OBSERVE_COUNTERS_H
#define KEVOLVE_SIMULATOR_OBSERVE_COUNTERS_H

#include "simulator/hart/cost_model.h"
#include "simulator/pe/command.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace kevolve::simulator {

/// What a core waited for, in cycles. A wait for a unit that itself waits for
/// another one is charged to that other one.
struct StallCycles {
  double memory = 0; // DMA (FI) and the core's own accesses to SRAM and DRAM
  double dpe = 0;
  double se = 0;
  double issue = 0; // command processor: dispatch of what is waited for

  double total() const { return memory + dpe + se + issue; }
};

struct UnitCounters {
  uint64_t commands = 0;
  double busyCycles = 0;     // doing work
  double stallCycles = 0;    // had a command but waited for its operands
  double conflictCycles = 0; // part of busyCycles: local memory was too slow
};

struct PeCounters {
  std::array<UnitCounters, kNumUnits> units;
  StallCycles stalls;
  HartCounters hart;
  uint64_t coreCycles = 0;      // until the core halted
  uint64_t finishCycles = 0;    // until its last command finished
  uint64_t queueFullCycles = 0; // the core waited to issue; also in `stalls`
  uint64_t readBytes = 0;       // over the NoC, asked for
  uint64_t writtenBytes = 0;    // likewise
  uint64_t movedReadBytes = 0;  // whole beats
  uint64_t movedWrittenBytes = 0;
  uint64_t directAccesses = 0; // of the core to SRAM and DRAM
  uint64_t dpeMacs = 0;
  uint64_t dpeMacsInt8 = 0;
  uint64_t seElements = 0;
  bool worked = false;
};

} // namespace kevolve::simulator

#endif // KEVOLVE_SIMULATOR_OBSERVE_COUNTERS_H
