//===- chip.h - The numbers of a chip ---------------------------*- C++ -*-===//
//
// Every number of the timing model has one name here and one entry, with its
// source and reason, in a file of simulator/chips. No other file of the
// simulator holds a number about a chip.
//
//===----------------------------------------------------------------------===//
#ifndef KEVOLVE_SIMULATOR_TIMING_CHIP_H
#define KEVOLVE_SIMULATOR_TIMING_CHIP_H

#include "simulator/hart/cost_model.h"

#include <cstdint>
#include <string>

namespace kevolve::simulator {

struct Chip {
  std::string name;
  double clockHz = 0;
  double jobLaunchCycles = 0;

  double peRows = 0;
  double peColumns = 0;

  double localBytes = 0;
  double localBytesPerCycle = 0;

  double sramBytes = 0;
  double sramLineBytes = 0;
  double sramWays = 0;
  double sramBytesPerCycle = 0;
  double sramLatencyCycles = 0;

  double dramBytesPerSecond = 0;
  double dramEccOverhead = 0;
  double dramLatencyCycles = 0;

  double nocBeatBytes = 0;
  double nocPortBytesPerCycle = 0;
  double nocCrossbarBytesPerCycle = 0;
  double nocLatencyCycles = 0;
  double nocBroadcastWindowCycles = 0;

  double cpSetCycles = 0;
  double cpIssueCycles = 0;
  double cpDispatchCycles = 0;
  double cpQueueDepth = 0;

  double fiPacketBytes = 0;
  double fiOutstandingPackets = 0;
  double fiCommandCycles = 0;
  double fiFillBytesPerCycle = 0;

  double dpeTiles = 0;
  double dpeHeldRows = 0;
  double dpeRowBytes = 0;
  double dpePipelineCycles = 0;
  double dpeAccumulatorBytesPerCycle = 0;

  double seFp32PerCycle = 0;
  double seFp16PerCycle = 0;
  double sePipelineCycles = 0;

  double hartScalarCycles = 0;
  double hartLoadLatencyCycles = 0;
  double hartMultiplyLatencyCycles = 0;
  double hartDivideCycles = 0;
  double hartFloatLatencyCycles = 0;
  double hartFloatDivideCycles = 0;
  double hartBranchTakenCycles = 0;
  double hartSystemCycles = 0;
  double hartVectorStartupCycles = 0;
  double hartVectorBytesPerCycle = 0;
  double hartVectorDivideFactor = 0;
  double hartVectorPermuteFactor = 0;
  double hartVectorReduceCycles = 0;
  double hartVectorOrderedCycles = 0;
  double hartVectorIndexedPerCycle = 0;
  double hartLocalBytesPerCycle = 0;
  double hartCodeLoadCycles = 0;
  double hartOutstandingAccesses = 0;

  unsigned numPes() const { return unsigned(peRows * peColumns); }
  double dramBytesPerCycle() const {
    return dramBytesPerSecond * (1 - dramEccOverhead) / clockHz;
  }
  /// Multiply-accumulates of a DPE in a cycle, for operands of some size.
  double dpeMacsPerCycle(unsigned elementBytes) const {
    return dpeTiles * dpeHeldRows * (dpeRowBytes / elementBytes);
  }
  CostModel hartCosts() const;
};

/// Reads a chip file. Throws ChipError, whose text names the file and the line.
Chip loadChip(const std::string &path);

/// Likewise from text; `name` stands for the file in messages.
Chip parseChip(const std::string &text, const std::string &name);

} // namespace kevolve::simulator

#endif // KEVOLVE_SIMULATOR_TIMING_CHIP_H
