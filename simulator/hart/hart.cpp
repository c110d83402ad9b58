//===- hart.cpp - The run loop
//---------------------------------------------===//
#include "simulator/hart/hart.h"
#include "simulator/hart/instruction.h"

#include <cstring>

using namespace kevolve::simulator;

std::shared_ptr<CodeCache> kevolve::simulator::makeCodeCache() {
  return std::make_shared<CodeCache>();
}

const char *kevolve::simulator::faultKindName(FaultKind kind) {
  static const char *const names[] = {"none",
                                      "illegal instruction",
                                      "misaligned fetch",
                                      "fetch access",
                                      "misaligned load",
                                      "load access",
                                      "misaligned store",
                                      "store access",
                                      "hazard",
                                      "machine"};
  return names[unsigned(kind)];
}

const char *kevolve::simulator::stopReasonName(StopReason reason) {
  static const char *const names[] = {"halted",           "budget",
                                      "paused",           "breakpoint",
                                      "environment call", "faulted"};
  return names[unsigned(reason)];
}

Hart::Hart(Bus &bus, const CostModel &cost, uint64_t hartId,
           std::shared_ptr<CodeCache> code)
    : bus(bus), cost(cost), hartId(hartId), code(std::move(code)) {}

Hart::~Hart() = default;

void Hart::reset(uint64_t pc, bool vector) {
  regs = Registers();
  regs.pc = pc;
  cycles = 0;
  counters = HartCounters();
  pendingFault = Fault();
  hasVector = vector;
  reservation = UINT64_MAX;
}

void Hart::raise(FaultKind kind, uint64_t address, std::string message) {
  stopRequested = true;
  stopReason = StopReason::Faulted;
  if (faulted())
    return;
  pendingFault.kind = kind;
  pendingFault.pc = regs.pc;
  pendingFault.address = address;
  pendingFault.encoding = code->page(regs.pc).at(regs.pc).encoding;
  pendingFault.message = std::move(message);
}

/// The 32 (or, compressed, 16) bits at pc; false without a raised fault if they
/// cannot be read.
static bool peek(Hart &hart, uint64_t pc, uint32_t &encoding) {
  const uint8_t *low = hart.bus.translate(hart, pc, 2, Access::Fetch);
  if (!low)
    return false;
  uint16_t half;
  std::memcpy(&half, low, 2);
  encoding = half;
  if ((half & 3) != 3)
    return true;
  const uint8_t *high = hart.bus.translate(hart, pc + 2, 2, Access::Fetch);
  if (!high)
    return false;
  std::memcpy(&half, high, 2);
  encoding |= uint32_t(half) << 16;
  return true;
}

/// Decodes the instruction at pc into its slot. The successor is looked at only
/// for the stall that it would suffer; whatever it is, it must not fault here.
static bool fetch(Hart &hart, Instruction &slot) {
  const uint64_t pc = hart.regs.pc;
  uint32_t encoding = 0;
  if (pc % 2 != 0) {
    hart.raise(FaultKind::FetchMisaligned, pc, "odd instruction address");
    return false;
  }
  if (!peek(hart, pc, encoding)) {
    hart.raise(FaultKind::FetchAccess, pc, "no code at this address");
    return false;
  }
  Instruction decoded = decode(encoding, hart.cost);
  uint32_t next = 0;
  const uint64_t nextPc = pc + decoded.length;
  if (nextPc / kCodePageBytes == pc / kCodePageBytes &&
      peek(hart, nextPc, next))
    decoded.cycles += dependencyStall(encoding, next, hart.cost);
  slot = decoded;
  return !hart.faulted();
}

StopReason Hart::run(uint64_t maxInstructions, uint64_t untilCycle) {
  if (faulted())
    return StopReason::Faulted;
  stopRequested = pauseRequested = false;
  CodePage *page = nullptr;
  uint64_t pageNumber = UINT64_MAX;
  for (uint64_t left = maxInstructions; left != 0 && cycles < untilCycle;
       --left) {
    const uint64_t pc = regs.pc;
    if (pc == haltAddress)
      return StopReason::Halted;
    if (pc / kCodePageBytes != pageNumber) {
      pageNumber = pc / kCodePageBytes;
      page = &code->page(pc);
    }
    Instruction &instruction = page->at(pc);
    if (!instruction.handler && !fetch(*this, instruction))
      return StopReason::Faulted;
    nextPc = pc + instruction.length;
    ++counters.instructions;
    charge(instruction.cycleClass, instruction.cycles);
    instruction.handler(*this, instruction);
    if (stopRequested) {
      --counters.instructions; // it did not retire
      return stopReason;
    }
    regs.pc = nextPc;
    if (pauseRequested)
      return StopReason::Paused;
  }
  return regs.pc == haltAddress ? StopReason::Halted : StopReason::Budget;
}

static void raiseAccessFault(Hart &hart, uint64_t address, uint64_t bytes,
                             Access kind) {
  const bool store = kind == Access::Store;
  hart.raise(store ? FaultKind::StoreAccess : FaultKind::LoadAccess, address,
             std::string(store ? "store" : "load") + " of " +
                 std::to_string(bytes) + " bytes at an unmapped address");
}

uint8_t *Hart::tryAccess(uint64_t address, uint64_t bytes, Access kind,
                         CycleClass charged) {
  uint8_t *host = access(address, bytes, kind, charged);
  if (!host) {
    pendingFault = Fault();
    stopRequested = false;
  }
  return host;
}

uint8_t *Hart::accessThroughBus(uint64_t address, uint64_t bytes, Access kind,
                                CycleClass charged) {
  uint8_t *host = bus.translate(*this, address, bytes, kind);
  if (!host) {
    raiseAccessFault(*this, address, bytes, kind); // keeps the Bus's own
    return nullptr;
  }
  charge(charged, inLocal(address, bytes)
                      ? (bytes - 1) / cost.localBytesPerCycle
                      : bus.accessCycles(*this, address, bytes, kind));
  return host;
}
