//===- metrics.h - Counters of a launch as named numbers --------*- C++ -*-===//
#ifndef KEVOLVE_SIMULATOR_OBSERVE_METRICS_H
#define KEVOLVE_SIMULATOR_OBSERVE_METRICS_H

#include "simulator/memory/memory_system.h"
#include "simulator/observe/counters.h"
#include "simulator/timing/chip.h"

#include <string>
#include <vector>

namespace kevolve::simulator {

struct LaunchCounters {
  uint64_t launchCycles = 0; // before the first PE began
  uint64_t endCycles = 0;
  uint64_t programs = 0;
  MemoryCounters memory;
  double sramBusyCycles = 0;
  std::vector<PeCounters> pes;
};

struct MetricValue {
  std::string name;
  double value;
  std::string unit; // "" for fractions and counts
};

/// Utilisations are of the time from the PEs' start to the kernel's end; the
/// job launch before it shows in launch.share only.
std::vector<MetricValue> computeMetrics(const Chip &chip,
                                        const LaunchCounters &counters);

} // namespace kevolve::simulator

#endif // KEVOLVE_SIMULATOR_OBSERVE_METRICS_H
