//===- fi_channel.cpp - One direction of the DMA engine -------------------===//
#include "simulator/pe/fi_channel.h"

#include <algorithm>
#include <cmath>

namespace kevolve::simulator {

FiChannel::FiChannel(const Chip &chip, uint32_t pe, bool isLoad, FiPort port)
    : chip(chip), pe(pe), isLoad(isLoad), port(port) {
  beginLaunch();
}

void FiChannel::beginLaunch() {
  active = false;
  movedBytes = 0;
  portFreeAt = 0;
  inFlight.assign(size_t(chip.fiOutstandingPackets), 0.0);
  oldest = 0;
}

void FiChannel::schedule(double timeCycles) {
  port.events->push(uint64_t(std::ceil(timeCycles)), pe,
                    isLoad ? EventKind::LoadPacket : EventKind::StorePacket);
}

void FiChannel::start(const DmaShape &newShape, double startCycles) {
  active = true;
  shape = newShape;
  plane = row = column = 0;
  lastArrival = startCycles + chip.fiCommandCycles;
  schedule(std::max(lastArrival, inFlight[oldest]));
}

/// Adds the rest of the current row to the packet, or what fits of it.
void FiChannel::takePiece(uint64_t &beatsLeft) {
  uint64_t address = shape.rowAddress(plane, row) + column;
  const Region *region = port.regions->find(address, 1);
  uint64_t canonical = region->canonical + (address - region->address);
  uint64_t beatBytes = uint64_t(chip.nocBeatBytes);
  uint64_t fits = beatsLeft * beatBytes - canonical % beatBytes;
  MemoryPiece piece{canonical, std::min(shape.rowBytes - column, fits)};
  packet.push_back(piece);
  beatsLeft -= std::min(beatsLeft, port.memory->beatsOf(piece));
  column += piece.bytes;
  if (column < shape.rowBytes)
    return;
  column = 0;
  if (++row == shape.rows) {
    row = 0;
    ++plane;
  }
}

void FiChannel::gather() {
  packet.clear();
  uint64_t beatsLeft = uint64_t(chip.fiPacketBytes / chip.nocBeatBytes);
  while (beatsLeft > 0 && plane < shape.planes)
    takePiece(beatsLeft);
}

std::optional<double> FiChannel::send(uint64_t timeCycles) {
  if (shape.bytes() == 0) {
    active = false;
    return lastArrival;
  }
  gather();
  uint64_t beats = 0;
  for (const MemoryPiece &piece : packet)
    beats += port.memory->beatsOf(piece);
  double bytes = double(beats) * chip.nocBeatBytes;
  movedBytes += uint64_t(bytes);
  double now = double(timeCycles);
  double arrival = isLoad ? port.memory->read(pe, now, packet)
                          : port.memory->write(now, packet);
  // One row address a cycle is made, so packets of many short rows take longer.
  portFreeAt =
      now + std::max(bytes / chip.nocPortBytesPerCycle, double(packet.size()));
  lastArrival = std::max(lastArrival, arrival);
  inFlight[oldest] = arrival;
  oldest = (oldest + 1) % inFlight.size();
  if (plane < shape.planes) {
    schedule(std::max(portFreeAt, inFlight[oldest]));
    return std::nullopt;
  }
  active = false;
  return lastArrival;
}

} // namespace kevolve::simulator
