//===- command.h - What the command processor runs --------------*- C++ -*-===//
#ifndef KEVOLVE_SIMULATOR_PE_COMMAND_H
#define KEVOLVE_SIMULATOR_PE_COMMAND_H

#include "simulator/pe/local_span.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace kevolve::simulator {

/// What works at the same time as everything else in a PE. The FI counts three
/// times: it loads, stores and fills independently.
enum class Unit : uint8_t { Load, Store, Fill, Dpe, Se };
constexpr unsigned kNumUnits = 5;
const char *unitName(Unit unit);

/// The global side of a DMA command.
struct DmaShape {
  uint64_t address = 0;
  uint64_t rowBytes = 0;
  uint64_t rows = 0;
  uint64_t planes = 0;
  int64_t rowStride = 0;
  int64_t planeStride = 0;

  uint64_t rowAddress(uint64_t plane, uint64_t row) const {
    return address + plane * uint64_t(planeStride) + row * uint64_t(rowStride);
  }
  uint64_t bytes() const { return rowBytes * rows * planes; }
};

struct Command {
  const char *name = "";
  Unit unit = Unit::Load;
  uint64_t id = 0; // 1, 2, ... within the PE
  uint64_t ticket = 0;
  uint64_t pc = 0;

  LocalSpan written;
  std::array<LocalSpan, 3> read;
  /// The DPE adds to C in order: commands that only share C need not wait.
  bool accumulates = false;

  DmaShape dma;
  double occupancyCycles = 0; // of the unit, for commands other than DMA
  double latencyCycles = 0;   // from the end of that to the result
  double localBytesPerCycle = 0;

  //--- Timing ---------------------------------------------------------------
  double readyCycles = 0; // issue and dispatch done
  double earliestCycles = 0;
  double startCycles = 0;
  double finishCycles = 0;
  bool started = false;
  bool finished = false; // finishCycles is known (it may lie ahead)
  uint64_t blocker = 0;  // the command that set earliestCycles, 0: none
  unsigned unknownPredecessors = 0;
  std::vector<uint64_t> dependents;   // to tell when this one finishes
  std::vector<uint64_t> predecessors; // through hazards; waited for with it
  bool waitedFor = false;

  /// Later commands have taken over all of its local memory.
  bool isCovered() const;

  bool writesOver(uint64_t offset, uint64_t bytes) const {
    return written.overlaps(offset, bytes);
  }
  bool readsFrom(uint64_t offset, uint64_t bytes) const;
  /// Must this command, issued later, come after `other`?
  bool conflictsWith(const Command &other) const;
  /// Like conflictsWith, but only in C, which the DPE adds to in order.
  bool onlyAccumulatesOn(const Command &other) const;
};

} // namespace kevolve::simulator

#endif // KEVOLVE_SIMULATOR_PE_COMMAND_H
