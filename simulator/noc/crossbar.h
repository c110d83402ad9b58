//===- crossbar.h - The network between PEs and memory ----------*- C++ -*-===//
#ifndef KEVOLVE_SIMULATOR_NOC_CROSSBAR_H
#define KEVOLVE_SIMULATOR_NOC_CROSSBAR_H

#include "simulator/timing/chip.h"
#include "simulator/timing/server.h"

namespace kevolve::simulator {

/// Two directions that do not disturb each other. A PE's own port is no server
/// here: traffic is shaped at the source, so its units send no faster than the
/// port takes (`Chip::nocPortBytesPerCycle`).
class Crossbar {
public:
  explicit Crossbar(const Chip &chip)
      : latencyCycles(chip.nocLatencyCycles),
        toMemory(chip.nocCrossbarBytesPerCycle),
        toPes(chip.nocCrossbarBytesPerCycle) {}

  /// Arrival at memory of a request whose data, `bytes` of them, go there
  /// (write) or come back (read). The way back is taken at the same time: an
  /// answer that waits for DRAM must not hold up those that need not.
  double pass(double timeCycles, double bytes, bool isWrite) {
    Server &direction = isWrite ? toMemory : toPes;
    return direction.serve(timeCycles, bytes) + latencyCycles;
  }

  double latency() const { return latencyCycles; }

  void restart() {
    toMemory.restart();
    toPes.restart();
  }

private:
  double latencyCycles;
  Server toMemory;
  Server toPes;
};

} // namespace kevolve::simulator

#endif // KEVOLVE_SIMULATOR_NOC_CROSSBAR_H
