//===- counters_json.h - All counters of a launch as JSON -------*- C++ -*-===//
#ifndef KEVOLVE_SIMULATOR_OBSERVE_COUNTERS_JSON_H
#define KEVOLVE_SIMULATOR_OBSERVE_COUNTERS_JSON_H

#include "simulator/observe/metrics.h"

#include <string>

namespace kevolve::simulator {

/// {"chip": ..., "cycles": ..., "memory": {...}, "pes": [{...}, ...]}
std::string countersToJson(const Chip &chip, const LaunchCounters &counters);

} // namespace kevolve::simulator

#endif // KEVOLVE_SIMULATOR_OBSERVE_COUNTERS_JSON_H
