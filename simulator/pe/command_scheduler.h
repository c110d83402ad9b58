//===- command_scheduler.h - When commands run ------------------*- C++ -*-===//
//
// The timing half of a command processor. A command that is issued waits in the
// queue of its unit, in order; it starts when the unit is free and every
// earlier command that it overlaps in local memory has finished. Functional
// effects are not its business: they happened at issue, in program order, which
// is what this order makes indistinguishable.
//
//===----------------------------------------------------------------------===//
#ifndef KEVOLVE_SIMULATOR_PE_COMMAND_SCHEDULER_H
#define KEVOLVE_SIMULATOR_PE_COMMAND_SCHEDULER_H

#include "simulator/observe/counters.h"
#include "simulator/observe/trace.h"
#include "simulator/pe/command.h"
#include "simulator/pe/fi_channel.h"
#include "simulator/pe/local_memory.h"
#include "simulator/timing/chip.h"

#include <deque>
#include <map>
#include <optional>

namespace kevolve::simulator {

class CommandScheduler {
public:
  CommandScheduler(const Chip &chip, uint32_t pe, LocalMemory &local,
                   PeCounters &counters, FiPort port);

  void beginLaunch(Trace *newTrace);

  /// Takes a command of a core at `nowCycles` that is ready at
  /// `command.readyCycles`; returns its id.
  uint64_t issue(Command command, double nowCycles);

  /// The FI channel may send a packet.
  void onPacket(Unit unit, uint64_t timeCycles);

  //--- What a core may ask ---------------------------------------------------
  /// When the command is finished; nullopt while that depends on the future.
  std::optional<double> finishOf(uint64_t id) const;
  /// When all commands are finished.
  std::optional<double> finishOfAll() const;
  /// When the unit's queue has room again for a core at `nowCycles`.
  std::optional<double> roomIn(Unit unit, double nowCycles);

  /// The core has waited for `id`: it and all that it depended on may be
  /// touched.
  void markWaited(uint64_t id, double nowCycles);
  void markAllWaited(double nowCycles);

  /// Charges the wait [from, to) for command `id` to its causes.
  void blame(uint64_t id, double from, double to, StallCycles &stalls) const;
  uint64_t lastFinishing() const;
  uint64_t lastStarted(Unit unit) const {
    return queues[unsigned(unit)].lastStarted;
  }
  uint64_t movedBytes(Unit unit) const {
    return channels[unsigned(unit)].movedBytes;
  }

  /// A command not waited for that uses these bytes, or nullptr.
  const Command *findUser(uint64_t offset, uint64_t bytes, bool byStore) const;

  /// Commands whose end is not known, in words.
  std::string describePending() const;

private:
  struct Queue {
    std::deque<uint64_t> waiting;   // not started
    std::deque<double> startsAhead; // start times that a core may not have seen
    double freeAtCycles = 0;
    uint64_t lastStarted = 0;
  };

  Command *find(uint64_t id);
  const Command *find(uint64_t id) const;
  void addHazards(Command &command);
  void dependOn(Command &command, Command &earlier);
  void startReady(Unit unit);
  bool startHead(Unit unit);
  void startLocal(Command &command, double startCycles);
  double slowdown(const Command &command, double startCycles);
  void finish(Command &command, double finishCycles);
  void cover(Command &earlier, const Command &command);
  void forget(double nowCycles);
  bool isForgettable(const Command &command, double nowCycles) const;
  void release(Command &command);

  const Chip &chip;
  uint32_t pe;
  LocalMemory &local;
  PeCounters &counters;
  Trace *trace = nullptr;
  std::array<FiChannel, 2> channels; // Load, Store
  std::array<Queue, kNumUnits> queues;

  /// By id, the oldest first: those that still matter to a core or a command.
  std::map<uint64_t, Command> commands;
  uint64_t lastId = 0;
  uint64_t unfinished = 0;

  struct Running {
    double untilCycles = 0;
    double localBytesPerCycle = 0;
  };
  std::array<Running, kNumUnits> running;
};

} // namespace kevolve::simulator

#endif // KEVOLVE_SIMULATOR_PE_COMMAND_SCHEDULER_H
