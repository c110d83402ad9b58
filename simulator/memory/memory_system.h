//===- memory_system.h - SRAM, DRAM and the way to them ---------*- C++ -*-===//
//
// A request leaves a PE (which paces itself: its port is a limit at the
// source), crosses the NoC, is looked up in the SRAM that serves as the
// last-level cache and, for a line that is not there, goes on to DRAM:
//
//   PE --noc latency--> crossbar --> SRAM --(miss)--> DRAM --noc latency--> PE
//
// Crossbar, SRAM and DRAM each pass so many bytes a cycle, first come first
// served; latencies add up. Everything is in cycles of the PE clock.
//
//===----------------------------------------------------------------------===//
#ifndef KEVOLVE_SIMULATOR_MEMORY_MEMORY_SYSTEM_H
#define KEVOLVE_SIMULATOR_MEMORY_MEMORY_SYSTEM_H

#include "simulator/memory/last_level_cache.h"
#include "simulator/noc/crossbar.h"
#include "simulator/timing/server.h"

#include <vector>

namespace kevolve::simulator {

/// A run of bytes at a canonical address.
struct MemoryPiece {
  uint64_t canonical;
  uint64_t bytes;
};

struct MemoryCounters {
  uint64_t lineReads = 0;
  uint64_t lineReadHits = 0;
  uint64_t lineWrites = 0;
  uint64_t lineWriteHits = 0;
  uint64_t mergedReads = 0;
  uint64_t dramReadBytes = 0;
  uint64_t dramWrittenBytes = 0;
};

class MemorySystem {
public:
  explicit MemorySystem(const Chip &chip);

  /// When a request of PE `pe`, sent at `timeCycles`, is complete: its data has
  /// arrived (read) or the SRAM has taken it (write).
  double read(uint32_t pe, double timeCycles,
              const std::vector<MemoryPiece> &pieces);
  double write(double timeCycles, const std::vector<MemoryPiece> &pieces);

  /// Whole beats that a run of bytes moves.
  uint64_t beatsOf(const MemoryPiece &piece) const;

  /// A launch starts at time 0 and counts from 0; the cache keeps its lines.
  void beginLaunch();
  /// Makes the cache cold.
  void reset() {
    cache.clear();
    launchStart = latest = 0;
  }

  MemoryCounters counters;
  double sramBusyCycles() const { return sram.busyCycles(); }
  double dramBusyCycles() const { return dram.busyCycles(); }

private:
  struct Demand {
    uint64_t beats = 0;
    uint64_t sramBeats = 0;
    uint64_t writtenBackLines = 0;
    double readyAt = 0; // when lines that others are fetching are there
  };
  void lookUpRead(uint32_t pe, double time, const MemoryPiece &piece,
                  Demand &demand);
  void lookUpWrite(const MemoryPiece &piece, Demand &demand);
  double fetch(double arrival, uint64_t lines);
  void writeBack(double arrival, uint64_t lines);
  double serve(double timeCycles, const Demand &demand, bool isWrite);

  uint64_t lineBytes;
  uint64_t beatBytes;
  uint32_t columns;
  double sramLatencyCycles;
  double dramLatencyCycles;
  Crossbar crossbar;
  LastLevelCache cache;
  Server sram;
  Server dram;
  /// The cache outlives launches, so it sees a clock that never restarts.
  double launchStart = 0;
  double latest = 0;
  std::vector<uint64_t> missedWays;
};

} // namespace kevolve::simulator

#endif // KEVOLVE_SIMULATOR_MEMORY_MEMORY_SYSTEM_H
