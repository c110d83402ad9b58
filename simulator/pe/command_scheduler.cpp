//===- command_scheduler.cpp - When commands run --------------------------===//
#include "simulator/pe/command_scheduler.h"

#include <algorithm>

namespace kevolve::simulator {

CommandScheduler::CommandScheduler(const Chip &chip, uint32_t pe,
                                   LocalMemory &local, PeCounters &counters,
                                   FiPort port)
    : chip(chip), pe(pe), local(local), counters(counters),
      channels{FiChannel(chip, pe, true, port),
               FiChannel(chip, pe, false, port)} {}

void CommandScheduler::beginLaunch(Trace *newTrace) {
  trace = newTrace;
  for (FiChannel &channel : channels)
    channel.beginLaunch();
  queues = {};
  running = {};
  commands.clear();
  lastId = unfinished = 0;
}

const Command *CommandScheduler::find(uint64_t id) const {
  auto found = commands.find(id);
  return found == commands.end() ? nullptr : &found->second;
}

Command *CommandScheduler::find(uint64_t id) {
  auto found = commands.find(id);
  return found == commands.end() ? nullptr : &found->second;
}

//===----------------------------------------------------------------------===//
// Issue and hazards
//===----------------------------------------------------------------------===//

uint64_t CommandScheduler::issue(Command newCommand, double nowCycles) {
  forget(nowCycles);
  newCommand.id = ++lastId;
  Command &command = commands[lastId] = std::move(newCommand);
  command.earliestCycles = command.readyCycles;
  ++unfinished;
  ++counters.units[unsigned(command.unit)].commands;
  addHazards(command);
  local.guard(command.written, true);
  for (const LocalSpan &span : command.read)
    local.guard(span, false);
  queues[unsigned(command.unit)].waiting.push_back(command.id);
  uint64_t id = command.id;
  startReady(command.unit);
  return id;
}

void CommandScheduler::addHazards(Command &command) {
  for (auto &[id, earlier] : commands) {
    if (id == command.id || !command.conflictsWith(earlier))
      continue;
    if (!earlier.waitedFor)
      command.predecessors.push_back(earlier.id);
    // In-order adding: the unit's own queue keeps the order.
    if (!command.onlyAccumulatesOn(earlier))
      dependOn(command, earlier);
    cover(earlier, command);
  }
}

/// What a command overwrites need not be remembered of those before it: who
/// comes after this command comes after them too. Without this, a kernel that
/// waits only at its end would have every command compared with every other.
void CommandScheduler::cover(Command &earlier, const Command &command) {
  auto take = [&](LocalSpan &span, bool isWritten) {
    if (span.empty() || !command.written.covers(span))
      return;
    if (!earlier.waitedFor)
      local.release(span, isWritten);
    span = LocalSpan();
  };
  if (command.written.empty())
    return;
  take(earlier.written, true);
  for (LocalSpan &span : earlier.read)
    take(span, false);
}

void CommandScheduler::dependOn(Command &command, Command &earlier) {
  if (!earlier.finished) {
    earlier.dependents.push_back(command.id);
    ++command.unknownPredecessors;
  } else if (earlier.finishCycles > command.earliestCycles) {
    command.earliestCycles = earlier.finishCycles;
    command.blocker = earlier.id;
  }
}

//===----------------------------------------------------------------------===//
// Start and finish
//===----------------------------------------------------------------------===//

void CommandScheduler::startReady(Unit unit) {
  while (startHead(unit)) {
  }
}

bool CommandScheduler::startHead(Unit unit) {
  Queue &queue = queues[unsigned(unit)];
  bool isDma = unit == Unit::Load || unit == Unit::Store;
  if (queue.waiting.empty() || (isDma && channels[unsigned(unit)].isActive()))
    return false;
  Command &command = *find(queue.waiting.front());
  if (command.unknownPredecessors)
    return false;
  queue.waiting.pop_front();
  double start = std::max(command.earliestCycles, queue.freeAtCycles);
  if (queue.freeAtCycles > command.earliestCycles)
    command.blocker = queue.lastStarted;
  counters.units[unsigned(unit)].stallCycles +=
      std::max(0.0, start - std::max(command.readyCycles, queue.freeAtCycles));
  command.startCycles = start;
  command.started = true;
  queue.lastStarted = command.id;
  queue.startsAhead.push_back(start);
  if (isDma)
    channels[unsigned(unit)].start(command.dma, start);
  else
    startLocal(command, start);
  return true;
}

/// How much longer a command takes because local memory serves others too. The
/// others' rates are taken as they are when the command starts.
double CommandScheduler::slowdown(const Command &command, double startCycles) {
  double demand = chip.hartLocalBytesPerCycle + command.localBytesPerCycle;
  for (unsigned unit = 0; unit < kNumUnits; ++unit)
    if (unit != unsigned(command.unit) &&
        running[unit].untilCycles > startCycles)
      demand += running[unit].localBytesPerCycle;
  for (const FiChannel &channel : channels)
    if (channel.isActive())
      demand += chip.nocPortBytesPerCycle;
  return std::max(1.0, demand / chip.localBytesPerCycle);
}

void CommandScheduler::startLocal(Command &command, double startCycles) {
  double cycles = command.occupancyCycles * slowdown(command, startCycles);
  UnitCounters &unit = counters.units[unsigned(command.unit)];
  unit.busyCycles += cycles;
  unit.conflictCycles += cycles - command.occupancyCycles;
  queues[unsigned(command.unit)].freeAtCycles = startCycles + cycles;
  running[unsigned(command.unit)] = {startCycles + cycles,
                                     command.localBytesPerCycle};
  finish(command, startCycles + cycles + command.latencyCycles);
}

void CommandScheduler::onPacket(Unit unit, uint64_t timeCycles) {
  FiChannel &channel = channels[unsigned(unit)];
  std::optional<double> arrival = channel.send(timeCycles);
  if (!arrival)
    return;
  Queue &queue = queues[unsigned(unit)];
  Command &command = *find(queue.lastStarted);
  queue.freeAtCycles = std::max(queue.freeAtCycles, channel.freeAtCycles());
  counters.units[unsigned(unit)].busyCycles += *arrival - command.startCycles;
  finish(command, *arrival);
  startReady(unit);
}

void CommandScheduler::finish(Command &command, double finishCycles) {
  command.finished = true;
  command.finishCycles = finishCycles;
  --unfinished;
  counters.finishCycles =
      std::max(counters.finishCycles, uint64_t(finishCycles + 1));
  if (trace)
    trace->add(pe, command);
  std::vector<uint64_t> dependents = std::move(command.dependents);
  for (uint64_t id : dependents) {
    Command &dependent = *find(id);
    --dependent.unknownPredecessors;
    if (finishCycles > dependent.earliestCycles) {
      dependent.earliestCycles = finishCycles;
      dependent.blocker = command.id;
    }
  }
  for (uint64_t id : dependents)
    startReady(find(id)->unit);
}

//===----------------------------------------------------------------------===//
// What a core may ask
//===----------------------------------------------------------------------===//

std::optional<double> CommandScheduler::finishOf(uint64_t id) const {
  const Command *command = find(id);
  if (!command)
    return 0; // forgotten: waited for before
  if (!command->finished)
    return std::nullopt;
  return command->finishCycles;
}

std::optional<double> CommandScheduler::finishOfAll() const {
  if (unfinished)
    return std::nullopt;
  const Command *last = find(lastFinishing());
  return last ? last->finishCycles : 0;
}

uint64_t CommandScheduler::lastFinishing() const {
  uint64_t id = 0;
  double latest = -1;
  for (const auto &[number, command] : commands)
    if (command.finished && command.finishCycles > latest) {
      latest = command.finishCycles;
      id = command.id;
    }
  return id;
}

std::optional<double> CommandScheduler::roomIn(Unit unit, double nowCycles) {
  Queue &queue = queues[unsigned(unit)];
  while (!queue.startsAhead.empty() && queue.startsAhead.front() <= nowCycles)
    queue.startsAhead.pop_front();
  size_t depth = size_t(chip.cpQueueDepth);
  size_t ahead = queue.startsAhead.size();
  if (queue.waiting.size() + ahead <= depth)
    return nowCycles;
  if (queue.waiting.size() >= depth + 1)
    return std::nullopt;
  return queue.startsAhead[queue.waiting.size() + ahead - depth - 1];
}

void CommandScheduler::markWaited(uint64_t id, double nowCycles) {
  std::vector<uint64_t> todo{id};
  while (!todo.empty()) {
    Command *command = find(todo.back());
    todo.pop_back();
    if (!command || command->waitedFor)
      continue;
    release(*command);
    todo.insert(todo.end(), command->predecessors.begin(),
                command->predecessors.end());
  }
  forget(nowCycles);
}

void CommandScheduler::markAllWaited(double nowCycles) {
  for (auto &[number, command] : commands)
    if (!command.waitedFor)
      release(command);
  forget(nowCycles);
}

void CommandScheduler::release(Command &command) {
  command.waitedFor = true;
  local.release(command.written, true);
  for (const LocalSpan &span : command.read)
    local.release(span, false);
}

bool CommandScheduler::isForgettable(const Command &command,
                                     double nowCycles) const {
  if (!command.finished || command.finishCycles > nowCycles)
    return false;
  if (command.waitedFor)
    return true;
  // A core may still wait for it and thereby for its predecessors.
  for (uint64_t id : command.predecessors)
    if (const Command *predecessor = find(id);
        predecessor && !predecessor->waitedFor)
      return false;
  return command.isCovered();
}

void CommandScheduler::forget(double nowCycles) {
  for (auto at = commands.begin(); at != commands.end();)
    at = isForgettable(at->second, nowCycles) ? commands.erase(at)
                                              : std::next(at);
}

void CommandScheduler::blame(uint64_t id, double from, double to,
                             StallCycles &stalls) const {
  const Command *command = find(id);
  while (command && to > from) {
    double begin = std::max(from, std::min(command->startCycles, to));
    double cycles = to - begin;
    if (command->unit == Unit::Dpe)
      stalls.dpe += cycles;
    else if (command->unit == Unit::Se)
      stalls.se += cycles;
    else
      stalls.memory += cycles;
    to = begin;
    command = command->blocker ? find(command->blocker) : nullptr;
  }
  stalls.issue += std::max(0.0, to - from);
}

const Command *CommandScheduler::findUser(uint64_t offset, uint64_t bytes,
                                          bool byStore) const {
  if (!local.mayBeUsed(offset, bytes, true) &&
      !(byStore && local.mayBeUsed(offset, bytes, false)))
    return nullptr;
  for (const auto &[number, command] : commands)
    if (!command.waitedFor && (command.writesOver(offset, bytes) ||
                               (byStore && command.readsFrom(offset, bytes))))
      return &command;
  return nullptr;
}

std::string CommandScheduler::describePending() const {
  std::string text;
  for (const auto &[number, command] : commands)
    if (!command.finished)
      text += (text.empty() ? "" : ", ") + std::string(command.name) +
              " (ticket " + std::to_string(command.ticket) + ", " +
              (command.started ? "running" : "queued") + ")";
  return text.empty() ? "no command is pending" : text;
}

} // namespace kevolve::simulator
