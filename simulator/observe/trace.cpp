//===- trace.cpp - When each command ran ----------------------------------===//
#include "simulator/observe/trace.h"

#include <cstdio>

namespace kevolve::simulator {

void Trace::add(uint32_t pe, const Command &command) {
  events.push_back({pe, command.unit, command.name, command.ticket,
                    command.startCycles, command.finishCycles});
}

static std::string eventJson(const TraceEvent &event, double microseconds) {
  char text[256];
  std::snprintf(text, sizeof text,
                "{\"ph\": \"X\", \"pid\": %u, \"tid\": %u, \"cat\": \"%s\", "
                "\"name\": \"%s\", \"ts\": %.4f, \"dur\": %.4f, \"args\": "
                "{\"ticket\": %llu}}",
                event.pe, unsigned(event.unit), unitName(event.unit),
                event.name, event.startCycles * microseconds,
                (event.finishCycles - event.startCycles) * microseconds,
                (unsigned long long)event.ticket);
  return text;
}

std::string Trace::toJson(double clockHz) const {
  std::string json = "{\"traceEvents\": [\n";
  for (size_t i = 0; i < events.size(); ++i) {
    json += eventJson(events[i], 1e6 / clockHz);
    json += i + 1 < events.size() ? ",\n" : "\n";
  }
  return json + "]}\n";
}

} // namespace kevolve::simulator
