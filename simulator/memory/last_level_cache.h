//===- last_level_cache.h - Which lines the SRAM holds ----------*- C++ -*-===//
#ifndef KEVOLVE_SIMULATOR_MEMORY_LAST_LEVEL_CACHE_H
#define KEVOLVE_SIMULATOR_MEMORY_LAST_LEVEL_CACHE_H

#include "simulator/timing/chip.h"

#include <cstdint>
#include <cstdlib>
#include <memory>

namespace kevolve::simulator {

/// Tags of a set-associative write-back cache with least-recently-used
/// replacement. It holds no data (the host's memory does) and says only what
/// hits. A written line needs no fetch: lines keep a mask of valid bytes.
class LastLevelCache {
public:
  explicit LastLevelCache(const Chip &chip);

  struct Result {
    bool hit = false;
    bool evictsDirty = false;
    bool merged = false; // served by the broadcast of a read of the same column
    double readyAt = 0;  // when the data of a hit are there
    uint64_t way = 0;    // for setReady
  };

  Result read(uint64_t line, uint32_t column, uint64_t timeCycles);
  Result write(uint64_t line);

  /// Says when the fetch that a miss began ends.
  void setReady(uint64_t way, double readyAt) { ways[way].readyAt = readyAt; }

  /// Empties it, without a write-back.
  void clear();

private:
  /// All zero means empty.
  struct Way {
    uint64_t tag; // line, valid if `epoch` is the current one
    uint32_t epoch;
    uint32_t used;    // tick of the last use
    uint32_t columns; // that have read it since readTime, a bit each
    bool dirty;
    uint64_t readTime;
    double readyAt;
  };

  Way *setOf(uint64_t line) { return &ways[(line % numSets) * numWays]; }
  Way *lookup(uint64_t line);
  Result replace(uint64_t line, Way *&way);
  bool mergeRead(Way &way, uint32_t column, uint64_t timeCycles) const;

  uint32_t numWays;
  uint64_t numSets;
  double broadcastWindowCycles;
  uint32_t epoch = 1;
  uint32_t tick = 0;
  /// Zeroed by the system page by page: a small kernel touches few of them.
  std::unique_ptr<Way[], decltype(&std::free)> ways;
};

} // namespace kevolve::simulator

#endif // KEVOLVE_SIMULATOR_MEMORY_LAST_LEVEL_CACHE_H
