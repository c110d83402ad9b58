//===- hart.h - One RISC-V hart: registers, run loop, timing ----*- C++ -*-===//
//
// RV64GCV (VLEN 512, ELEN 64) with Zba, Zbb, Zbs, Zfh, Zvfh, Zvfbfmin, Zvbb,
// user level only. Instructions are decoded once into a CodeCache and executed
// by function pointer.
//
// Choices where the specification leaves one:
//  - tail-agnostic and mask-agnostic elements are left undisturbed;
//  - misaligned scalar accesses work; misaligned vector elements fault;
//  - an address in the middle of a vector memory instruction that faults leaves
//    vstart at the faulting element.
//
//===----------------------------------------------------------------------===//
#ifndef KEVOLVE_SIMULATOR_HART_HART_H
#define KEVOLVE_SIMULATOR_HART_HART_H

#include "simulator/hart/bus.h"
#include "simulator/hart/cost_model.h"
#include "simulator/hart/fault.h"

#include <cstdint>
#include <memory>
#include <string>

namespace kevolve::simulator {

constexpr unsigned kVlenBits = 512;
constexpr unsigned kVlenBytes = kVlenBits / 8;
constexpr unsigned kElenBits = 64;

class CodeCache;

/// A CodeCache keeps decoded instructions. Harts that see the same code at the
/// same addresses, have the same CostModel and run on one thread may share one.
std::shared_ptr<CodeCache> makeCodeCache();

/// Memory that the hart costs by `CostModel::localBytesPerCycle`. With `host`
/// set it is also accessed directly, without asking the Bus: clear `host` while
/// accesses must be checked.
struct LocalWindow {
  uint64_t base = 0;
  uint64_t bytes = 0;
  uint8_t *host = nullptr;
};

/// The architectural state. `f` holds NaN-boxed bits.
struct Registers {
  uint64_t x[32] = {};
  uint64_t f[32] = {};
  alignas(64) uint8_t v[32][kVlenBytes] = {};
  uint64_t pc = 0;
  uint64_t vl = 0;
  uint64_t vtype = uint64_t(1) << 63; // vill
  uint64_t vstart = 0;
  uint8_t fflags = 0;
  uint8_t frm = 0;
  uint8_t vxrm = 0;
  uint8_t vxsat = 0;
};

class Hart {
public:
  Hart(Bus &bus, const CostModel &cost, uint64_t hartId,
       std::shared_ptr<CodeCache> code = makeCodeCache());
  ~Hart();
  Hart(const Hart &) = delete;
  Hart &operator=(const Hart &) = delete;

  /// Clears registers, cycles, counters and the fault, and sets pc. `vector`
  /// false makes every vector instruction illegal (a scalar core).
  void reset(uint64_t pc, bool vector = true);

  /// Runs until something stops it. Faulted harts stay faulted until reset.
  StopReason run(uint64_t maxInstructions, uint64_t untilCycle = UINT64_MAX);

  //--- For the Bus and the machine ------------------------------------------
  void setX(unsigned index, uint64_t value) {
    if (index != 0)
      regs.x[index] = value;
  }
  void stall(uint64_t stallCycles) { charge(CycleClass::Stall, stallCycles); }
  /// run() returns Paused after the current instruction.
  void requestPause() { pauseRequested = true; }
  /// Records a fault at the current instruction (the first one is kept).
  void raise(FaultKind kind, uint64_t address, std::string message);
  const Fault &fault() const { return pendingFault; }
  bool faulted() const { return pendingFault.kind != FaultKind::None; }

  Registers regs;
  uint64_t cycles = 0;
  HartCounters counters;
  LocalWindow local;
  /// A jump here halts the hart.
  uint64_t haltAddress = 0;

  //--- For the instruction semantics ----------------------------------------
  void charge(CycleClass kind, uint64_t chargedCycles) {
    cycles += chargedCycles;
    counters.cycles[unsigned(kind)] += chargedCycles;
  }
  void refund(CycleClass kind, uint64_t chargedCycles) {
    cycles -= chargedCycles;
    counters.cycles[unsigned(kind)] -= chargedCycles;
  }
  /// Host address of guest memory, or nullptr with a fault raised; costs it.
  uint8_t *access(uint64_t address, uint64_t bytes, Access kind,
                  CycleClass charged = CycleClass::LoadStore) {
    if (inLocal(address, bytes) && local.host) {
      if (bytes > cost.localBytesPerCycle)
        charge(charged, (bytes - 1) / cost.localBytesPerCycle);
      return local.host + (address - local.base);
    }
    return accessThroughBus(address, bytes, kind, charged);
  }
  /// The same, but nothing is raised (and nothing costed) if it cannot.
  uint8_t *tryAccess(uint64_t address, uint64_t bytes, Access kind,
                     CycleClass charged);
  bool inLocal(uint64_t address, uint64_t bytes) const {
    return bytes <= local.bytes && address - local.base <= local.bytes - bytes;
  }

  Bus &bus;
  const CostModel cost;
  const uint64_t hartId;
  bool hasVector = true;
  uint64_t nextPc = 0;
  StopReason stopReason = StopReason::Budget;
  /// Ends run() after the current instruction, pc staying at it.
  bool stopRequested = false;
  bool pauseRequested = false;
  /// Address of the load reservation (lr), UINT64_MAX without one.
  uint64_t reservation = UINT64_MAX;
  /// What lr read there. sc fails when memory no longer holds it: that is how a
  /// hart learns that another one has stored in between.
  uint64_t reservedValue = 0;
  std::shared_ptr<CodeCache> code;

private:
  uint8_t *accessThroughBus(uint64_t address, uint64_t bytes, Access kind,
                            CycleClass charged);

  Fault pendingFault;
};

} // namespace kevolve::simulator

#endif // KEVOLVE_SIMULATOR_HART_HART_H
