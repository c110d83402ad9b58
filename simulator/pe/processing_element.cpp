//===- processing_element.cpp - A PE: running its core --------------------===//
#include "simulator/pe/processing_element.h"
#include "simulator/isa/mtia_isa.h"
#include "simulator/observe/text.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace kevolve::simulator {

namespace {

/// How far a core may run ahead of the next event. Only its own accesses to
/// SRAM and DRAM are out of order by that much (see Server); less is slower.
constexpr uint64_t kRunAheadCycles = 256;

/// Instructions between two looks at the budget.
constexpr uint64_t kSliceInstructions = 1 << 20;

constexpr unsigned kCore = 1; // core B, the one with the vector unit
constexpr unsigned kA0 = 10, kSp = 2;

} // namespace

ProcessingElement::ProcessingElement(const Chip &chip, uint32_t index,
                                     FiPort port)
    : chip(chip), index(index), port(port), local(uint64_t(chip.localBytes)),
      decoder(chip, local, *port.regions, counters),
      scheduler(chip, index, local, counters, port),
      directAccess(chip, index, *port.memory, counters) {}

void ProcessingElement::beginLaunch(const LaunchContext &newContext) {
  context = &newContext;
  local.poison();
  counters = PeCounters();
  scheduler.beginLaunch(context->trace);
  directAccess.beginLaunch();
  parameters = {};
  lastTicket = 0;
  wait = Wait();
  halted = false;
  raised.reset();
  hart = std::make_unique<Hart>(*this, chip.hartCosts(),
                                uint64_t(index) * 2 + kCore, context->code);
  hart->reset(context->entry);
  hart->haltAddress = MTIA_HALT_ADDRESS;
  hart->cycles = context->startCycles;
  writeArguments();
  updateWindow();
  port.events->push(context->startCycles, index, EventKind::RunHart);
}

void ProcessingElement::writeArguments() {
  std::memcpy(local.at(0), context->arguments.data(),
              context->arguments.size() * sizeof(uint64_t));
  hart->regs.x[kA0] = MTIA_LS_BASE;
  hart->regs.x[kSp] = MTIA_LS_BASE + local.size() - 16;
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

void ProcessingElement::onEvent(EventKind kind, uint64_t timeCycles) {
  if (kind == EventKind::RunHart)
    return runCore(timeCycles);
  scheduler.onPacket(kind == EventKind::LoadPacket ? Unit::Load : Unit::Store,
                     timeCycles);
  scheduleWaitEnd();
}

uint64_t ProcessingElement::runUntil() const {
  uint64_t next = port.events->nextTime();
  return next > UINT64_MAX - kRunAheadCycles ? UINT64_MAX
                                             : next + kRunAheadCycles;
}

void ProcessingElement::runCore(uint64_t timeCycles) {
  if (halted || raised)
    return;
  if (wait.kind != Wait::Nothing)
    endWait(timeCycles);
  StopReason reason =
      hart->run(kSliceInstructions, std::max(runUntil(), hart->cycles + 1));
  handleStop(reason);
}

void ProcessingElement::handleStop(StopReason reason) {
  switch (reason) {
  case StopReason::Halted:
    halted = true;
    counters.coreCycles = hart->cycles;
    return;
  case StopReason::Paused:
    if (wait.kind == Wait::Nothing) // it only gives the others their turn
      port.events->push(hart->cycles, index, EventKind::RunHart);
    return scheduleWaitEnd();
  case StopReason::Budget:
    if (hart->counters.instructions >= context->instructionBudget)
      return raiseFault("runaway",
                        "the kernel has not ended after " +
                            std::to_string(hart->counters.instructions) +
                            " instructions; " + scheduler.describePending());
    port.events->push(hart->cycles, index, EventKind::RunHart);
    return;
  case StopReason::Breakpoint:
    return raiseFault("breakpoint", "ebreak: the kernel stopped itself");
  case StopReason::EnvironmentCall:
    return raiseFault("environment call", "ecall: there is no system to call");
  case StopReason::Faulted:
    return raiseFault(faultKindName(hart->fault().kind), hart->fault().message);
  }
}

void ProcessingElement::raiseFault(const std::string &kind,
                                   const std::string &message) {
  uint64_t pc = hart->faulted() ? hart->fault().pc : hart->regs.pc;
  raised = MachineFault{kind, index, kCore, pc, ""};
  raised->message = kind + " on PE " + std::to_string(index) + " core " +
                    std::to_string(kCore) + " at pc " + hex(pc) + " (" +
                    context->program->symbolAt(pc) + "), cycle " +
                    std::to_string(hart->cycles) + ": " + message;
}

MachineFault ProcessingElement::deadlock() const {
  uint64_t pc = hart->regs.pc;
  std::string message = "deadlock on PE " + std::to_string(index) + " core " +
                        std::to_string(kCore) + " at pc " + hex(pc) + " (" +
                        context->program->symbolAt(pc) + "): it waits, and " +
                        scheduler.describePending();
  return {"deadlock", index, kCore, pc, message};
}

const PeCounters &ProcessingElement::finalCounters() {
  counters.hart = hart->counters;
  counters.finishCycles = std::max(counters.finishCycles, counters.coreCycles);
  counters.movedReadBytes += scheduler.movedBytes(Unit::Load);
  counters.movedWrittenBytes += scheduler.movedBytes(Unit::Store);
  counters.worked = counters.directAccesses > 0;
  for (const UnitCounters &unit : counters.units)
    counters.worked |= unit.commands > 0;
  return counters;
}

//===----------------------------------------------------------------------===//
// Waiting
//===----------------------------------------------------------------------===//

std::optional<double> ProcessingElement::waitEnd() {
  switch (wait.kind) {
  case Wait::Nothing:
    return double(hart->cycles);
  case Wait::Ticket:
    return scheduler.finishOf(wait.command);
  case Wait::All:
    return scheduler.finishOfAll();
  case Wait::Room:
    return scheduler.roomIn(wait.unit, double(hart->cycles));
  }
  return std::nullopt;
}

CustomAction ProcessingElement::beginWait(Wait newWait) {
  wait = newWait;
  std::optional<double> end = waitEnd();
  if (!end || std::ceil(*end) > double(hart->cycles))
    return CustomAction::Pause;
  endWait(hart->cycles);
  return CustomAction::Continue;
}

void ProcessingElement::scheduleWaitEnd() {
  if (halted || wait.scheduled || wait.kind == Wait::Nothing)
    return;
  std::optional<double> end = waitEnd();
  if (!end)
    return;
  wait.scheduled = true;
  uint64_t time = std::max(hart->cycles, uint64_t(std::ceil(*end)));
  port.events->push(time, index, EventKind::RunHart);
}

void ProcessingElement::endWait(uint64_t timeCycles) {
  double from = double(hart->cycles);
  double to = std::max(from, double(timeCycles));
  hart->stall(uint64_t(to - from));
  uint64_t cause = wait.command;
  if (wait.kind == Wait::All)
    cause = scheduler.lastFinishing();
  else if (wait.kind == Wait::Room)
    cause = scheduler.lastStarted(wait.unit);
  scheduler.blame(cause, from, to, counters.stalls);
  if (wait.kind == Wait::Ticket)
    scheduler.markWaited(wait.command, to);
  else if (wait.kind == Wait::All)
    scheduler.markAllWaited(to);
  else
    counters.queueFullCycles += uint64_t(to - from);
  wait = Wait();
  updateWindow();
}

void ProcessingElement::updateWindow() {
  // While commands are guarded every access must be looked at.
  hart->local = {MTIA_LS_BASE, local.size(),
                 local.isGuarded() ? nullptr : local.at(0)};
}

} // namespace kevolve::simulator
