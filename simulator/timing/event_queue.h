//===- event_queue.h - What happens next ------------------------*- C++ -*-===//
#ifndef KEVOLVE_SIMULATOR_TIMING_EVENT_QUEUE_H
#define KEVOLVE_SIMULATOR_TIMING_EVENT_QUEUE_H

#include <cstdint>
#include <queue>
#include <vector>

namespace kevolve::simulator {

enum class EventKind : uint8_t {
  LoadPacket,  // the FI's load channel may send its next packet
  StorePacket, // the same of the store channel
  RunHart,     // a core may go on
};

struct Event {
  uint64_t timeCycles;
  uint32_t pe;
  EventKind kind;

  /// Time first; then an order that depends on nothing but the program.
  bool operator>(const Event &other) const {
    if (timeCycles != other.timeCycles)
      return timeCycles > other.timeCycles;
    if (kind != other.kind)
      return kind > other.kind;
    return pe > other.pe;
  }
};

class EventQueue {
public:
  void push(uint64_t timeCycles, uint32_t pe, EventKind kind) {
    events.push({timeCycles, pe, kind});
  }
  bool empty() const { return events.empty(); }
  /// Time of the next event, UINT64_MAX without one.
  uint64_t nextTime() const {
    return events.empty() ? UINT64_MAX : events.top().timeCycles;
  }
  Event pop() {
    Event event = events.top();
    events.pop();
    return event;
  }

private:
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events;
};

} // namespace kevolve::simulator

#endif // KEVOLVE_SIMULATOR_TIMING_EVENT_QUEUE_H
