//===- direct_access.cpp - A core's own way to SRAM and DRAM --------------===//
#include "simulator/pe/direct_access.h"

#include <algorithm>
#include <cmath>

namespace kevolve::simulator {

uint64_t DirectAccess::access(uint64_t nowCycles, uint64_t instructionNumber,
                              MemoryPiece piece, bool isStore) {
  if (instructionNumber != instruction) {
    instruction = instructionNumber;
    issuedAt = double(nowCycles) - 1;
    chargedTo = double(nowCycles);
  }
  issuedAt = std::max(issuedAt + 1, inFlight[oldest]);
  request.assign(1, piece);
  double beats = double(memory.beatsOf(piece));
  double done = isStore ? memory.write(issuedAt, request)
                        : memory.read(pe, issuedAt, request);
  inFlight[oldest] = done;
  oldest = (oldest + 1) % inFlight.size();
  issuedAt += beats * chip.nocBeatBytes / chip.nocPortBytesPerCycle - 1;

  double until = std::ceil(isStore ? issuedAt + 1 : done);
  double cycles = std::max(0.0, until - chargedTo);
  chargedTo += cycles;
  counters.stalls.memory += cycles;
  ++counters.directAccesses;
  (isStore ? counters.writtenBytes : counters.readBytes) += piece.bytes;
  (isStore ? counters.movedWrittenBytes : counters.movedReadBytes) +=
      uint64_t(beats * chip.nocBeatBytes);
  return uint64_t(cycles);
}

} // namespace kevolve::simulator
