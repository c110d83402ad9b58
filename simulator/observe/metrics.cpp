//===- metrics.cpp - Counters of a launch as named numbers ----------------===//
#include "simulator/observe/metrics.h"

#include <algorithm>

namespace kevolve::simulator {

namespace {

double ratio(double part, double whole) { return whole > 0 ? part / whole : 0; }

/// Sums over the PEs of a launch.
struct Totals {
  StallCycles stalls;
  double coreCycles = 0, vectorCycles = 0, seBusyCycles = 0;
  double readBytes = 0, writtenBytes = 0;
  double macs = 0, macsInt8 = 0, seElements = 0, instructions = 0;
  double working = 0, busy = 0, busiest = 0;
};

void addPe(Totals &totals, const PeCounters &pe, uint64_t launchCycles) {
  totals.stalls.memory += pe.stalls.memory;
  totals.stalls.dpe += pe.stalls.dpe;
  totals.stalls.se += pe.stalls.se;
  totals.stalls.issue += pe.stalls.issue;
  totals.coreCycles += double(pe.coreCycles - launchCycles);
  totals.vectorCycles += double(pe.hart.cycles[unsigned(CycleClass::Vector)]);
  totals.seBusyCycles += pe.units[unsigned(Unit::Se)].busyCycles;
  totals.readBytes += double(pe.readBytes);
  totals.writtenBytes += double(pe.writtenBytes);
  totals.macs += double(pe.dpeMacs);
  totals.macsInt8 += double(pe.dpeMacsInt8);
  totals.seElements += double(pe.seElements);
  totals.instructions += double(pe.hart.instructions);
}

/// A PE has work if it did anything and a program of the grid may be its own.
void addWork(Totals &totals, const PeCounters &pe, bool hasProgram,
             uint64_t launchCycles) {
  if (!pe.worked || !hasProgram)
    return;
  double busy = double(pe.finishCycles - launchCycles);
  totals.working += 1;
  totals.busy += busy;
  totals.busiest = std::max(totals.busiest, busy);
}

Totals sum(const LaunchCounters &counters) {
  Totals totals;
  for (size_t i = 0; i < counters.pes.size(); ++i) {
    addPe(totals, counters.pes[i], counters.launchCycles);
    addWork(totals, counters.pes[i], i < counters.programs,
            counters.launchCycles);
  }
  return totals;
}

/// The rate that the kernel's arithmetic is held against: the DPE's for its
/// operand type if it was used, else the vector core's for FP32.
double peakFlops(const Chip &chip, const Totals &totals, double numPes) {
  double perCycle = chip.hartVectorBytesPerCycle / 4;
  if (totals.macs > 0)
    perCycle = chip.dpeMacsPerCycle(2);
  else if (totals.macsInt8 > 0)
    perCycle = chip.dpeMacsPerCycle(1);
  return 2 * perCycle * numPes * chip.clockHz;
}

double dpeBusy(const Chip &chip, const Totals &totals) {
  return totals.macs / chip.dpeMacsPerCycle(2) +
         totals.macsInt8 / chip.dpeMacsPerCycle(1);
}

double hitRate(const MemoryCounters &memory) {
  return ratio(double(memory.lineReadHits + memory.lineWriteHits),
               double(memory.lineReads + memory.lineWrites));
}

} // namespace

std::vector<MetricValue> computeMetrics(const Chip &chip,
                                        const LaunchCounters &counters) {
  Totals totals = sum(counters);
  double numPes = double(counters.pes.size());
  double window = double(counters.endCycles - counters.launchCycles);
  double peCycles = window * numPes;
  double nsPerCycle = 1e9 / chip.clockHz;
  double dramBytes =
      double(counters.memory.dramReadBytes + counters.memory.dramWrittenBytes);
  double issuing = totals.coreCycles - totals.stalls.total();
  return {
      {"kernel.time", double(counters.endCycles) * nsPerCycle, "ns"},
      {"kernel.cycles", double(counters.endCycles), "cycles"},
      {"launch.time", double(counters.launchCycles) * nsPerCycle, "ns"},
      {"launch.share",
       ratio(double(counters.launchCycles), double(counters.endCycles)), ""},
      {"clock", chip.clockHz, "Hz"},
      {"compute.flops", 2 * (totals.macs + totals.macsInt8) + totals.seElements,
       "flop"},
      {"compute.peak", peakFlops(chip, totals, numPes), "flop/s"},
      {"memory.bytes_read", totals.readBytes, "B"},
      {"memory.bytes_written", totals.writtenBytes, "B"},
      {"dram.bytes", dramBytes, "B"},
      {"dram.peak", chip.dramBytesPerSecond, "B/s"},
      {"dram.utilization", ratio(dramBytes, chip.dramBytesPerCycle() * window),
       ""},
      {"sram.utilization", ratio(counters.sramBusyCycles, window), ""},
      {"cache.llc.hit_rate", hitRate(counters.memory), ""},
      {"dpe.utilization", ratio(dpeBusy(chip, totals), peCycles), ""},
      {"vector.utilization", ratio(totals.vectorCycles, peCycles), ""},
      {"se.utilization", ratio(totals.seBusyCycles, peCycles), ""},
      {"issue.utilization", ratio(issuing, totals.coreCycles), ""},
      {"stall.memory.share", ratio(totals.stalls.memory, totals.coreCycles),
       ""},
      {"stall.dpe.share", ratio(totals.stalls.dpe, totals.coreCycles), ""},
      {"stall.se.share", ratio(totals.stalls.se, totals.coreCycles), ""},
      {"pe.utilization", ratio(totals.working, numPes), ""},
      {"pe.imbalance",
       totals.working > 0 ? totals.busiest / (totals.busy / totals.working) - 1
                          : 0,
       ""},
      {"core.instructions", totals.instructions, ""},
  };
}

} // namespace kevolve::simulator
