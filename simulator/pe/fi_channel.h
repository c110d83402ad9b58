//===- fi_channel.h - One direction of the DMA engine -----------*- C++ -*-===//
//
// Sends one command after the other, as packets: rows are cut and gathered
// into packets of so many beats. A packet goes when the PE's port is free and
// less than the allowed number is in flight, so that all PEs get their turn at
// memory.
//
//===----------------------------------------------------------------------===//
#ifndef KEVOLVE_SIMULATOR_PE_FI_CHANNEL_H
#define KEVOLVE_SIMULATOR_PE_FI_CHANNEL_H

#include "simulator/memory/memory_system.h"
#include "simulator/memory/regions.h"
#include "simulator/pe/command.h"
#include "simulator/timing/event_queue.h"

#include <optional>
#include <vector>

namespace kevolve::simulator {

/// What the FI of a PE is connected to.
struct FiPort {
  MemorySystem *memory;
  const RegionTable *regions;
  EventQueue *events;
};

class FiChannel {
public:
  FiChannel(const Chip &chip, uint32_t pe, bool isLoad, FiPort port);

  void beginLaunch();
  bool isActive() const { return active; }

  /// Begins a command; packets follow from `startCycles` on.
  void start(const DmaShape &shape, double startCycles);

  /// Sends the next packet. Returns when the command is complete, once its last
  /// packet has been sent.
  std::optional<double> send(uint64_t timeCycles);

  double freeAtCycles() const { return portFreeAt; }
  uint64_t movedBytes = 0;

private:
  void gather();
  void takePiece(uint64_t &beatsLeft);
  void schedule(double timeCycles);

  const Chip &chip;
  uint32_t pe;
  bool isLoad;
  FiPort port;

  bool active = false;
  DmaShape shape;
  uint64_t plane = 0, row = 0, column = 0; // the next byte to send
  double lastArrival = 0;

  double portFreeAt = 0;
  std::vector<double> inFlight; // arrival times, a ring
  size_t oldest = 0;
  std::vector<MemoryPiece> packet;
};

} // namespace kevolve::simulator

#endif // KEVOLVE_SIMULATOR_PE_FI_CHANNEL_H
