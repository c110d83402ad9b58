//===- last_level_cache.cpp - Which lines the SRAM holds ------------------===//
#include "simulator/memory/last_level_cache.h"

#include <cmath>
#include <new>

namespace kevolve::simulator {

LastLevelCache::LastLevelCache(const Chip &chip)
    : numWays(uint32_t(chip.sramWays)),
      numSets(uint64_t(chip.sramBytes / chip.sramLineBytes / chip.sramWays)),
      broadcastWindowCycles(chip.nocBroadcastWindowCycles),
      ways(static_cast<Way *>(std::calloc(numSets * numWays, sizeof(Way))),
           &std::free) {
  if (!ways)
    throw std::bad_alloc();
}

LastLevelCache::Way *LastLevelCache::lookup(uint64_t line) {
  Way *set = setOf(line);
  for (uint32_t i = 0; i < numWays; ++i)
    if (set[i].epoch == epoch && set[i].tag == line)
      return &set[i];
  return nullptr;
}

LastLevelCache::Result LastLevelCache::replace(uint64_t line, Way *&way) {
  Way *set = setOf(line);
  way = set;
  for (uint32_t i = 0; i < numWays; ++i) {
    if (set[i].epoch != epoch) {
      way = &set[i];
      break;
    }
    if (set[i].used < way->used)
      way = &set[i];
  }
  Result result;
  result.evictsDirty = way->epoch == epoch && way->dirty;
  *way = Way{};
  way->tag = line;
  way->epoch = epoch;
  return result;
}

/// True if a PE of the column has read the line just before.
bool LastLevelCache::mergeRead(Way &way, uint32_t column,
                               uint64_t timeCycles) const {
  uint32_t bit = uint32_t(1) << (column % 32);
  double apart = double(timeCycles) - double(way.readTime);
  if (way.columns == 0 || std::abs(apart) >= broadcastWindowCycles) {
    way.columns = 0;
    way.readTime = timeCycles;
  }
  bool isMerged = way.columns & bit;
  way.columns |= bit;
  return isMerged;
}

LastLevelCache::Result LastLevelCache::read(uint64_t line, uint32_t column,
                                            uint64_t timeCycles) {
  Way *way = lookup(line);
  Result result;
  if (way) {
    result.hit = true;
    result.readyAt = way->readyAt;
  } else {
    result = replace(line, way);
  }
  way->used = ++tick;
  result.merged = mergeRead(*way, column, timeCycles);
  result.way = uint64_t(way - ways.get());
  return result;
}

LastLevelCache::Result LastLevelCache::write(uint64_t line) {
  Way *way = lookup(line);
  Result result;
  if (way)
    result.hit = true;
  else
    result = replace(line, way);
  way->used = ++tick;
  way->dirty = true;
  way->columns = 0; // a later read must not be taken for one before the write
  return result;
}

void LastLevelCache::clear() { ++epoch; }

} // namespace kevolve::simulator
