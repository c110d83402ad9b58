//===- memory_system.cpp - SRAM, DRAM and the way to them -----------------===//
#include "simulator/memory/memory_system.h"

#include <algorithm>
#include <cmath>

namespace kevolve::simulator {

MemorySystem::MemorySystem(const Chip &chip)
    : lineBytes(uint64_t(chip.sramLineBytes)),
      beatBytes(uint64_t(chip.nocBeatBytes)), columns(uint32_t(chip.peColumns)),
      sramLatencyCycles(chip.sramLatencyCycles),
      dramLatencyCycles(chip.dramLatencyCycles), crossbar(chip), cache(chip),
      sram(chip.sramBytesPerCycle), dram(chip.dramBytesPerCycle()) {}

void MemorySystem::beginLaunch() {
  counters = MemoryCounters();
  launchStart += std::ceil(latest);
  latest = 0;
  crossbar.restart();
  sram.restart();
  dram.restart();
}

uint64_t MemorySystem::beatsOf(const MemoryPiece &piece) const {
  uint64_t first = piece.canonical / beatBytes;
  uint64_t last = (piece.canonical + piece.bytes - 1) / beatBytes;
  return last - first + 1;
}

void MemorySystem::lookUpRead(uint32_t pe, double time,
                              const MemoryPiece &piece, Demand &demand) {
  uint64_t beats = beatsOf(piece), merged = 0;
  uint64_t last = (piece.canonical + piece.bytes - 1) / lineBytes;
  for (uint64_t line = piece.canonical / lineBytes; line <= last; ++line) {
    LastLevelCache::Result result =
        cache.read(line, pe % columns, uint64_t(launchStart + time));
    ++counters.lineReads;
    counters.lineReadHits += result.hit;
    merged += result.merged;
    demand.writtenBackLines += result.evictsDirty;
    demand.readyAt = std::max(demand.readyAt, result.readyAt - launchStart);
    if (!result.hit)
      missedWays.push_back(result.way);
  }
  counters.mergedReads += merged;
  demand.beats += beats;
  demand.sramBeats += beats - std::min(beats, merged * lineBytes / beatBytes);
}

void MemorySystem::lookUpWrite(const MemoryPiece &piece, Demand &demand) {
  uint64_t beats = beatsOf(piece);
  uint64_t last = (piece.canonical + piece.bytes - 1) / lineBytes;
  for (uint64_t line = piece.canonical / lineBytes; line <= last; ++line) {
    LastLevelCache::Result result = cache.write(line);
    ++counters.lineWrites;
    counters.lineWriteHits += result.hit;
    demand.writtenBackLines += result.evictsDirty;
  }
  demand.beats += beats;
  demand.sramBeats += beats;
}

double MemorySystem::fetch(double arrival, uint64_t lines) {
  double bytes = double(lines * lineBytes);
  counters.dramReadBytes += lines * lineBytes;
  return dram.serve(arrival + sramLatencyCycles, bytes) + dramLatencyCycles;
}

void MemorySystem::writeBack(double arrival, uint64_t lines) {
  counters.dramWrittenBytes += lines * lineBytes;
  dram.serve(arrival + sramLatencyCycles, double(lines * lineBytes));
}

double MemorySystem::serve(double timeCycles, const Demand &demand,
                           bool isWrite) {
  double arrival =
      crossbar.pass(timeCycles, double(demand.beats * beatBytes), isWrite);
  double done = sram.serve(arrival, double(demand.sramBeats * beatBytes)) +
                sramLatencyCycles;
  done = std::max(done, demand.readyAt);
  if (demand.writtenBackLines)
    writeBack(arrival, demand.writtenBackLines);
  if (!missedWays.empty())
    done = std::max(done, fetch(arrival, missedWays.size()));
  for (uint64_t way : missedWays)
    cache.setReady(way, launchStart + done);
  missedWays.clear();
  latest = std::max(latest, done);
  return done + crossbar.latency();
}

double MemorySystem::read(uint32_t pe, double timeCycles,
                          const std::vector<MemoryPiece> &pieces) {
  Demand demand;
  for (const MemoryPiece &piece : pieces)
    lookUpRead(pe, timeCycles, piece, demand);
  return serve(timeCycles, demand, false);
}

double MemorySystem::write(double timeCycles,
                           const std::vector<MemoryPiece> &pieces) {
  Demand demand;
  for (const MemoryPiece &piece : pieces)
    lookUpWrite(piece, demand);
  return serve(timeCycles, demand, true);
}

} // namespace kevolve::simulator
