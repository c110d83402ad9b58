//===- server.h - A resource with a rate ------------------------*- C++ -*-===//
#ifndef KEVOLVE_SIMULATOR_TIMING_SERVER_H
#define KEVOLVE_SIMULATOR_TIMING_SERVER_H

#include <algorithm>

namespace kevolve::simulator {

/// Serves requests one after the other at `bytesPerCycle`.
///
/// Requests come almost in the order of time: a core runs a little ahead of the
/// event queue. A gap that such an early request left idle is kept, up to
/// `kGapCycles`, and given to a request of an earlier time that comes after it.
class Server {
public:
  explicit Server(double bytesPerCycle) : cyclesPerByte(1 / bytesPerCycle) {}

  /// Time at which the last byte has passed.
  double serve(double arrival, double bytes) {
    double cycles = bytes * cyclesPerByte;
    busy += cycles;
    if (arrival >= freeAt) {
      gapEnd = arrival;
      gap = std::min(kGapCycles, gap + arrival - freeAt);
      return freeAt = arrival + cycles;
    }
    if (arrival < gapEnd && gap >= cycles && arrival + cycles <= freeAt) {
      gap -= cycles;
      return arrival + cycles;
    }
    return freeAt += cycles;
  }

  double busyCycles() const { return busy; }

  void restart() { freeAt = gapEnd = gap = busy = 0; }

private:
  static constexpr double kGapCycles = 512;

  double cyclesPerByte;
  double freeAt = 0;
  double gap = 0; // idle cycles before gapEnd
  double gapEnd = 0;
  double busy = 0;
};

} // namespace kevolve::simulator

#endif // KEVOLVE_SIMULATOR_TIMING_SERVER_H
