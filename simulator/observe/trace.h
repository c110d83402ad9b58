//===- trace.h - When each command ran --------------------------*- C++ -*-===//
#ifndef KEVOLVE_SIMULATOR_OBSERVE_TRACE_H
#define KEVOLVE_SIMULATOR_OBSERVE_TRACE_H

#include "simulator/pe/command.h"

#include <string>
#include <vector>

namespace kevolve::simulator {

struct TraceEvent {
  uint32_t pe;
  Unit unit;
  const char *name;
  uint64_t ticket;
  double startCycles;
  double finishCycles;
};

class Trace {
public:
  void add(uint32_t pe, const Command &command);
  /// The trace event format that Perfetto and chrome://tracing read; one
  /// process per PE, one thread per unit.
  std::string toJson(double clockHz) const;

private:
  std::vector<TraceEvent> events;
};

} // namespace kevolve::simulator

#endif // KEVOLVE_SIMULATOR_OBSERVE_TRACE_H
