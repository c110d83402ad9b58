//===- system.cpp - Zicsr, Zifencei, ecall, ebreak, custom-0 --------------===//
#include "simulator/hart/instruction.h"

#include <type_traits>

using namespace kevolve::simulator;

namespace {

//--- CSRs ---------------------------------------------------------------------

enum : uint32_t {
  kFflags = 0x001,
  kFrm = 0x002,
  kFcsr = 0x003,
  kVstart = 0x008,
  kVxsat = 0x009,
  kVxrm = 0x00A,
  kVcsr = 0x00F,
  kCycle = 0xC00,
  kTime = 0xC01,
  kInstret = 0xC02,
  kVl = 0xC20,
  kVtype = 0xC21,
  kVlenb = 0xC22,
  kMhartid = 0xF14,
};

bool isVectorCsr(uint32_t csr) {
  return (csr >= kVstart && csr <= kVcsr) || (csr >= kVl && csr <= kVlenb);
}

std::optional<uint64_t> readCsr(Hart &h, uint32_t csr) {
  const Registers &r = h.regs;
  if (isVectorCsr(csr) && !h.hasVector)
    return std::nullopt;
  switch (csr) {
  case kFflags:
    return r.fflags;
  case kFrm:
    return r.frm;
  case kFcsr:
    return uint64_t(r.frm << 5 | r.fflags);
  case kVstart:
    return r.vstart;
  case kVxsat:
    return r.vxsat;
  case kVxrm:
    return r.vxrm;
  case kVcsr:
    return uint64_t(r.vxrm << 1 | r.vxsat);
  case kCycle:
  case kTime: // one tick a cycle
    return h.cycles;
  case kInstret:
    return h.counters.instructions - 1; // those before this one
  case kVl:
    return r.vl;
  case kVtype:
    return r.vtype;
  case kVlenb:
    return kVlenBytes;
  case kMhartid:
    return h.hartId;
  }
  return h.bus.readCsr(h, csr);
}

bool writeCsr(Hart &h, uint32_t csr, uint64_t value) {
  Registers &r = h.regs;
  if (isVectorCsr(csr) && !h.hasVector)
    return false;
  switch (csr) {
  case kFflags:
    r.fflags = value & 31;
    return true;
  case kFrm:
    r.frm = value & 7;
    return true;
  case kFcsr:
    r.fflags = value & 31;
    r.frm = value >> 5 & 7;
    return true;
  case kVstart:
    r.vstart = value % kVlenBits;
    return true;
  case kVxsat:
    r.vxsat = value & 1;
    return true;
  case kVxrm:
    r.vxrm = value & 3;
    return true;
  case kVcsr:
    r.vxsat = value & 1;
    r.vxrm = value >> 1 & 3;
    return true;
  }
  return false;
}

struct Write {
  static uint64_t apply(uint64_t, uint64_t b) { return b; }
};
struct Set {
  static uint64_t apply(uint64_t a, uint64_t b) { return a | b; }
};
struct Clear {
  static uint64_t apply(uint64_t a, uint64_t b) { return a & ~b; }
};

/// csrrs and csrrc with a zero operand only read, which read-only CSRs allow.
template <class Op, bool kImmediate>
void csrAccess(Hart &h, const Instruction &i) {
  const uint32_t csr = uint32_t(i.imm);
  const bool writes = std::is_same_v<Op, Write> || i.rs1 != 0;
  const uint64_t operand = kImmediate ? i.rs1 : h.regs.x[i.rs1];
  const std::optional<uint64_t> old = readCsr(h, csr);
  if (!old || (writes && !writeCsr(h, csr, Op::apply(*old, operand))))
    return raiseIllegal(h, i);
  h.setX(i.rd, *old);
}

//--- Stops, fences, custom
//------------------------------------------------------

void stop(Hart &h, StopReason reason) {
  h.stopRequested = true;
  h.stopReason = reason;
}
void ecall(Hart &h, const Instruction &) {
  stop(h, StopReason::EnvironmentCall);
}
void ebreak(Hart &h, const Instruction &) { stop(h, StopReason::Breakpoint); }

void fence(Hart &, const Instruction &) {}
void fenceI(Hart &h, const Instruction &) { h.code->forget(); }

void custom(Hart &h, const Instruction &i) {
  const CustomInstruction instruction{i.funct3, uint8_t(i.encoding >> 25), i.rd,
                                      h.regs.x[i.rs1], h.regs.x[i.rs2]};
  ++h.counters.customInstructions;
  switch (h.bus.onCustom(h, instruction)) {
  case CustomAction::Continue:
  case CustomAction::Faulted:
    return;
  case CustomAction::Pause:
    return h.requestPause();
  case CustomAction::Retry:
    --h.counters.customInstructions;
    h.refund(i.cycleClass, i.cycles); // it will be charged when it is done
    return stop(h, StopReason::Paused);
  case CustomAction::Illegal:
    return raiseIllegal(h, i);
  }
}

} // namespace

const Patterns &kevolve::simulator::systemPatterns() {
  using F = Format;
  using T = Timing;
  const uint32_t op = 0x73;
  static const Patterns patterns = {
      {"fence", withFunct3(0x0f, 0), fence, F::R, "----", T::System},
      {"fence.i", withFunct3(0x0f, 1), fenceI, F::R, "----", T::System},
      {"ecall", {0xffffffff, 0x00000073}, ecall, F::R, "----", T::System},
      {"ebreak", {0xffffffff, 0x00100073}, ebreak, F::R, "----", T::System},
      {"csrrw", withFunct3(op, 1), csrAccess<Write, false>, F::Csr, "xx--",
       T::System},
      {"csrrs", withFunct3(op, 2), csrAccess<Set, false>, F::Csr, "xx--",
       T::System},
      {"csrrc", withFunct3(op, 3), csrAccess<Clear, false>, F::Csr, "xx--",
       T::System},
      {"csrrwi", withFunct3(op, 5), csrAccess<Write, true>, F::Csr, "x---",
       T::System},
      {"csrrsi", withFunct3(op, 6), csrAccess<Set, true>, F::Csr, "x---",
       T::System},
      {"csrrci", withFunct3(op, 7), csrAccess<Clear, true>, F::Csr, "x---",
       T::System},
      {"custom-0", opcodeOnly(0x0b), custom, F::R, "xxx-", T::Custom},
  };
  return patterns;
}
