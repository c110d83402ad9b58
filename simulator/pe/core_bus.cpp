//===- core_bus.cpp - A PE: what its core sees ----------------------------===//
#include "simulator/isa/mtia_isa.h"
#include "simulator/observe/text.h"
#include "simulator/pe/processing_element.h"

namespace kevolve::simulator {

namespace {
constexpr unsigned kCore = 1;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

uint8_t *ProcessingElement::failAccess(uint64_t address, FaultKind kind,
                                       const std::string &message) {
  hart->raise(kind, address, message);
  return nullptr;
}

static FaultKind accessFault(Access access) {
  return access == Access::Store ? FaultKind::StoreAccess
                                 : FaultKind::LoadAccess;
}

static const char *verb(Access access) {
  return access == Access::Store ? "stores to " : "loads from ";
}

uint8_t *ProcessingElement::translate(Hart &, uint64_t address, uint64_t bytes,
                                      Access access) {
  // The hart also looks at what follows an instruction: no fault here.
  if (access == Access::Fetch)
    return context->program->find(address, bytes, access);
  if (address >= MTIA_DRAM_BASE)
    return translateDram(address, bytes, access);
  if (address >= MTIA_LS_BASE)
    return translateLocal(address, bytes, access);
  if (uint8_t *host = context->program->find(address, bytes, access))
    return host;
  return failAccess(address, accessFault(access),
                    std::string("core ") + verb(access) +
                        range(address, bytes) +
                        (context->program->isLoaded(address)
                             ? ", which the program does not allow"
                             : ", where nothing is"));
}

uint8_t *ProcessingElement::translateLocal(uint64_t address, uint64_t bytes,
                                           Access access) {
  uint64_t offset = address - MTIA_LS_BASE;
  if (bytes > local.size() || offset > local.size() - bytes)
    return failAccess(address, accessFault(access),
                      std::string("local memory overflow: core ") +
                          verb(access) + range(address, bytes) + ", beyond " +
                          range(MTIA_LS_BASE, local.size()));
  const Command *user =
      scheduler.findUser(offset, bytes, access == Access::Store);
  if (!user)
    return local.at(offset);
  bool writes = user->writesOver(offset, bytes);
  return failAccess(address, FaultKind::Hazard,
                    std::string("missing wait: core ") + verb(access) +
                        range(address, bytes) + " in local memory, which " +
                        user->name + " (ticket " +
                        std::to_string(user->ticket) + ", issued at " +
                        context->program->symbolAt(user->pc) + ") " +
                        (writes ? "writes" : "still reads") +
                        " and which the core has not waited for");
}

uint8_t *ProcessingElement::translateDram(uint64_t address, uint64_t bytes,
                                          Access access) {
  const Region *region = port.regions->find(address, bytes);
  if (!region)
    return failAccess(address, accessFault(access),
                      std::string("core ") + verb(access) +
                          "DRAM: " + port.regions->explain(address, bytes));
  if (access == Access::Store && !region->writable)
    return failAccess(address, accessFault(access),
                      "core stores to " + range(address, bytes) +
                          " in a tensor that the launch may only read");
  return region->host + (address - region->address);
}

uint64_t ProcessingElement::accessCycles(Hart &core, uint64_t address,
                                         uint64_t bytes, Access access) {
  const Region *region = port.regions->find(address, bytes);
  if (!region)
    return uint64_t(chip.hartCodeLoadCycles);
  // Give the other PEs their turn: they share what this access used.
  core.requestPause();
  return directAccess.access(
      core.cycles, core.counters.instructions,
      {region->canonical + (address - region->address), bytes},
      access == Access::Store);
}

std::optional<uint64_t> ProcessingElement::readCsr(Hart &, uint32_t csr) {
  switch (csr) {
  case MTIA_CSR_PE:
    return index;
  case MTIA_CSR_NUM_PES:
    return context->numPes;
  case MTIA_CSR_CORE:
    return kCore;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Custom instructions
//===----------------------------------------------------------------------===//

/// The hart has charged one cycle for the instruction itself.
static uint64_t beyondFirst(double cycles) {
  return cycles > 1 ? uint64_t(cycles) - 1 : 0;
}

CustomAction ProcessingElement::onCustom(Hart &core,
                                         const CustomInstruction &custom) {
  switch (custom.funct3) {
  case MTIA_F3_SET:
    if (custom.funct7 * 2 + 1 >= MTIA_NUM_PARAMETERS)
      return CustomAction::Illegal;
    core.charge(CycleClass::Custom, beyondFirst(chip.cpSetCycles));
    parameters[custom.funct7 * 2] = custom.rs1Value;
    parameters[custom.funct7 * 2 + 1] = custom.rs2Value;
    return CustomAction::Continue;
  case MTIA_F3_ISSUE:
    core.charge(CycleClass::Custom, beyondFirst(chip.cpIssueCycles));
    return issue(custom);
  case MTIA_F3_WAIT:
    return waitForTicket(custom.rs1Value);
  case MTIA_F3_WAIT_ALL:
    return waitForAll();
  }
  return CustomAction::Illegal;
}

CustomAction ProcessingElement::issue(const CustomInstruction &custom) {
  Command command;
  command.pc = hart->regs.pc;
  command.ticket = lastTicket + 1;
  std::string wrong = decoder.execute(
      {custom.funct7, custom.rs1Value, custom.rs2Value, parameters.data()},
      command);
  if (!wrong.empty()) {
    failAccess(custom.rs1Value, FaultKind::Machine,
               std::string(command.name) + ": " + wrong);
    return CustomAction::Faulted;
  }
  command.readyCycles = double(hart->cycles) + chip.cpDispatchCycles;
  Unit unit = command.unit;
  lastTicket = scheduler.issue(std::move(command), double(hart->cycles));
  hart->setX(custom.rd, lastTicket);
  updateWindow();
  Wait room;
  room.kind = Wait::Room;
  room.unit = unit;
  return beginWait(room);
}

CustomAction ProcessingElement::waitForTicket(uint64_t ticket) {
  if (ticket == 0)
    return CustomAction::Continue;
  if (ticket > lastTicket) {
    failAccess(0, FaultKind::Machine,
               "wait for ticket " + std::to_string(ticket) + ", but only " +
                   std::to_string(lastTicket) + " commands were issued");
    return CustomAction::Faulted;
  }
  Wait ticketWait;
  ticketWait.kind = Wait::Ticket;
  ticketWait.command = ticket;
  return beginWait(ticketWait);
}

CustomAction ProcessingElement::waitForAll() {
  Wait all;
  all.kind = Wait::All;
  return beginWait(all);
}

} // namespace kevolve::simulator
