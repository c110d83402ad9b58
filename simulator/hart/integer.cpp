//===- integer.cpp - RV64I and M
//--------------------------------------------===//
#include "simulator/hart/memory_access.h"

using namespace kevolve::simulator;

namespace {

using i32 = int32_t;
using i64 = int64_t;
using u32 = uint32_t;
using u64 = uint64_t;
using i128 = __int128;
using u128 = unsigned __int128;

u64 word(u64 value) { return u64(i64(i32(u32(value)))); }

//--- Register-register and register-immediate --------------------------------

struct Add {
  static u64 apply(u64 a, u64 b) { return a + b; }
};
struct Sub {
  static u64 apply(u64 a, u64 b) { return a - b; }
};
struct Sll {
  static u64 apply(u64 a, u64 b) { return a << (b & 63); }
};
struct Slt {
  static u64 apply(u64 a, u64 b) { return i64(a) < i64(b); }
};
struct Sltu {
  static u64 apply(u64 a, u64 b) { return a < b; }
};
struct Xor {
  static u64 apply(u64 a, u64 b) { return a ^ b; }
};
struct Srl {
  static u64 apply(u64 a, u64 b) { return a >> (b & 63); }
};
struct Sra {
  static u64 apply(u64 a, u64 b) { return u64(i64(a) >> (b & 63)); }
};
struct Or {
  static u64 apply(u64 a, u64 b) { return a | b; }
};
struct And {
  static u64 apply(u64 a, u64 b) { return a & b; }
};
struct Addw {
  static u64 apply(u64 a, u64 b) { return word(a + b); }
};
struct Subw {
  static u64 apply(u64 a, u64 b) { return word(a - b); }
};
struct Sllw {
  static u64 apply(u64 a, u64 b) { return word(a << (b & 31)); }
};
struct Srlw {
  static u64 apply(u64 a, u64 b) { return word(u32(a) >> (b & 31)); }
};
struct Sraw {
  static u64 apply(u64 a, u64 b) { return word(u64(i32(a) >> (b & 31))); }
};

struct Mul {
  static u64 apply(u64 a, u64 b) { return a * b; }
};
struct Mulh {
  static u64 apply(u64 a, u64 b) { return u64(i128(i64(a)) * i64(b) >> 64); }
};
struct Mulhsu {
  static u64 apply(u64 a, u64 b) { return u64(i128(i64(a)) * i128(b) >> 64); }
};
struct Mulhu {
  static u64 apply(u64 a, u64 b) { return u64(u128(a) * b >> 64); }
};
struct Mulw {
  static u64 apply(u64 a, u64 b) { return word(a * b); }
};

/// Division as RISC-V defines it: by zero gives all ones (and the dividend as
/// the remainder), overflow gives the dividend (and zero).
template <class S> S quotient(S a, S b) {
  if (b == 0)
    return S(-1);
  if (S(-1) < 0 && b == S(-1))
    return S(0 - u64(a));
  return a / b;
}
template <class S> S remainder(S a, S b) {
  if (b == 0)
    return a;
  if (S(-1) < 0 && b == S(-1))
    return 0;
  return a % b;
}
struct Div {
  static u64 apply(u64 a, u64 b) { return u64(quotient<i64>(i64(a), i64(b))); }
};
struct Divu {
  static u64 apply(u64 a, u64 b) { return quotient<u64>(a, b); }
};
struct Rem {
  static u64 apply(u64 a, u64 b) { return u64(remainder<i64>(i64(a), i64(b))); }
};
struct Remu {
  static u64 apply(u64 a, u64 b) { return remainder<u64>(a, b); }
};
struct Divw {
  static u64 apply(u64 a, u64 b) {
    return word(u64(quotient<i32>(i32(a), i32(b))));
  }
};
struct Divuw {
  static u64 apply(u64 a, u64 b) { return word(quotient<u32>(u32(a), u32(b))); }
};
struct Remw {
  static u64 apply(u64 a, u64 b) {
    return word(u64(remainder<i32>(i32(a), i32(b))));
  }
};
struct Remuw {
  static u64 apply(u64 a, u64 b) {
    return word(remainder<u32>(u32(a), u32(b)));
  }
};

template <class Op> void registers(Hart &h, const Instruction &i) {
  h.setX(i.rd, Op::apply(h.regs.x[i.rs1], h.regs.x[i.rs2]));
}
template <class Op> void withImmediate(Hart &h, const Instruction &i) {
  h.setX(i.rd, Op::apply(h.regs.x[i.rs1], u64(i.imm)));
}

void lui(Hart &h, const Instruction &i) { h.setX(i.rd, u64(i.imm)); }
void auipc(Hart &h, const Instruction &i) {
  h.setX(i.rd, h.regs.pc + u64(i.imm));
}

//--- Control flow -------------------------------------------------------------

void jumpTo(Hart &h, u64 target) {
  h.nextPc = target;
  ++h.counters.branchesTaken;
  h.charge(CycleClass::Branch, h.cost.branchTakenCycles);
}

void jal(Hart &h, const Instruction &i) {
  ++h.counters.branches;
  h.setX(i.rd, h.nextPc);
  jumpTo(h, h.regs.pc + u64(i.imm));
}

void jalr(Hart &h, const Instruction &i) {
  ++h.counters.branches;
  const u64 target = (h.regs.x[i.rs1] + u64(i.imm)) & ~u64(1);
  h.setX(i.rd, h.nextPc);
  jumpTo(h, target);
}

struct Beq {
  static bool apply(u64 a, u64 b) { return a == b; }
};
struct Bne {
  static bool apply(u64 a, u64 b) { return a != b; }
};
struct Blt {
  static bool apply(u64 a, u64 b) { return i64(a) < i64(b); }
};
struct Bge {
  static bool apply(u64 a, u64 b) { return i64(a) >= i64(b); }
};
struct Bltu {
  static bool apply(u64 a, u64 b) { return a < b; }
};
struct Bgeu {
  static bool apply(u64 a, u64 b) { return a >= b; }
};

template <class Op> void branch(Hart &h, const Instruction &i) {
  ++h.counters.branches;
  if (Op::apply(h.regs.x[i.rs1], h.regs.x[i.rs2]))
    jumpTo(h, h.regs.pc + u64(i.imm));
}

//--- Memory -------------------------------------------------------------------

template <class T> void load(Hart &h, const Instruction &i) {
  T value;
  if (loadScalar(h, h.regs.x[i.rs1] + u64(i.imm), value))
    h.setX(i.rd, u64(i64(value)));
}
template <class T> void store(Hart &h, const Instruction &i) {
  storeScalar(h, h.regs.x[i.rs1] + u64(i.imm), T(h.regs.x[i.rs2]));
}

} // namespace

const Patterns &kevolve::simulator::integerPatterns() {
  using F = Format;
  using T = Timing;
  const u32 op = 0x33, op32 = 0x3b, imm = 0x13, imm32 = 0x1b;
  const Encoding shift6{0xfc00707f, 0}; // RV64 shifts: six bits of amount
  auto shift = [&](u32 funct3, u32 top) {
    return Encoding{shift6.mask, imm | funct3 << 12 | top << 25};
  };
  static const Patterns patterns = {
      {"lui", opcodeOnly(0x37), lui, F::U, "x---", T::Integer},
      {"auipc", opcodeOnly(0x17), auipc, F::U, "x---", T::Integer},
      {"jal", opcodeOnly(0x6f), jal, F::J, "x---", T::Branch},
      {"jalr", withFunct3(0x67, 0), jalr, F::I, "xx--", T::Branch},
      {"beq", withFunct3(0x63, 0), branch<Beq>, F::B, "-xx-", T::Branch},
      {"bne", withFunct3(0x63, 1), branch<Bne>, F::B, "-xx-", T::Branch},
      {"blt", withFunct3(0x63, 4), branch<Blt>, F::B, "-xx-", T::Branch},
      {"bge", withFunct3(0x63, 5), branch<Bge>, F::B, "-xx-", T::Branch},
      {"bltu", withFunct3(0x63, 6), branch<Bltu>, F::B, "-xx-", T::Branch},
      {"bgeu", withFunct3(0x63, 7), branch<Bgeu>, F::B, "-xx-", T::Branch},
      {"lb", withFunct3(0x03, 0), load<int8_t>, F::I, "xx--", T::Load},
      {"lh", withFunct3(0x03, 1), load<int16_t>, F::I, "xx--", T::Load},
      {"lw", withFunct3(0x03, 2), load<i32>, F::I, "xx--", T::Load},
      {"ld", withFunct3(0x03, 3), load<i64>, F::I, "xx--", T::Load},
      {"lbu", withFunct3(0x03, 4), load<uint8_t>, F::I, "xx--", T::Load},
      {"lhu", withFunct3(0x03, 5), load<uint16_t>, F::I, "xx--", T::Load},
      {"lwu", withFunct3(0x03, 6), load<u32>, F::I, "xx--", T::Load},
      {"sb", withFunct3(0x23, 0), store<uint8_t>, F::S, "-xx-", T::Store},
      {"sh", withFunct3(0x23, 1), store<uint16_t>, F::S, "-xx-", T::Store},
      {"sw", withFunct3(0x23, 2), store<u32>, F::S, "-xx-", T::Store},
      {"sd", withFunct3(0x23, 3), store<u64>, F::S, "-xx-", T::Store},
      {"addi", withFunct3(imm, 0), withImmediate<Add>, F::I, "xx--",
       T::Integer},
      {"slti", withFunct3(imm, 2), withImmediate<Slt>, F::I, "xx--",
       T::Integer},
      {"sltiu", withFunct3(imm, 3), withImmediate<Sltu>, F::I, "xx--",
       T::Integer},
      {"xori", withFunct3(imm, 4), withImmediate<Xor>, F::I, "xx--",
       T::Integer},
      {"ori", withFunct3(imm, 6), withImmediate<Or>, F::I, "xx--", T::Integer},
      {"andi", withFunct3(imm, 7), withImmediate<And>, F::I, "xx--",
       T::Integer},
      {"slli", shift(1, 0x00), withImmediate<Sll>, F::Shift, "xx--",
       T::Integer},
      {"srli", shift(5, 0x00), withImmediate<Srl>, F::Shift, "xx--",
       T::Integer},
      {"srai", shift(5, 0x20), withImmediate<Sra>, F::Shift, "xx--",
       T::Integer},
      {"addiw", withFunct3(imm32, 0), withImmediate<Addw>, F::I, "xx--",
       T::Integer},
      {"slliw", withFunct7(imm32, 1, 0x00), withImmediate<Sllw>, F::Shift,
       "xx--", T::Integer},
      {"srliw", withFunct7(imm32, 5, 0x00), withImmediate<Srlw>, F::Shift,
       "xx--", T::Integer},
      {"sraiw", withFunct7(imm32, 5, 0x20), withImmediate<Sraw>, F::Shift,
       "xx--", T::Integer},
      {"add", withFunct7(op, 0, 0x00), registers<Add>, F::R, "xxx-",
       T::Integer},
      {"sub", withFunct7(op, 0, 0x20), registers<Sub>, F::R, "xxx-",
       T::Integer},
      {"sll", withFunct7(op, 1, 0x00), registers<Sll>, F::R, "xxx-",
       T::Integer},
      {"slt", withFunct7(op, 2, 0x00), registers<Slt>, F::R, "xxx-",
       T::Integer},
      {"sltu", withFunct7(op, 3, 0x00), registers<Sltu>, F::R, "xxx-",
       T::Integer},
      {"xor", withFunct7(op, 4, 0x00), registers<Xor>, F::R, "xxx-",
       T::Integer},
      {"srl", withFunct7(op, 5, 0x00), registers<Srl>, F::R, "xxx-",
       T::Integer},
      {"sra", withFunct7(op, 5, 0x20), registers<Sra>, F::R, "xxx-",
       T::Integer},
      {"or", withFunct7(op, 6, 0x00), registers<Or>, F::R, "xxx-", T::Integer},
      {"and", withFunct7(op, 7, 0x00), registers<And>, F::R, "xxx-",
       T::Integer},
      {"addw", withFunct7(op32, 0, 0x00), registers<Addw>, F::R, "xxx-",
       T::Integer},
      {"subw", withFunct7(op32, 0, 0x20), registers<Subw>, F::R, "xxx-",
       T::Integer},
      {"sllw", withFunct7(op32, 1, 0x00), registers<Sllw>, F::R, "xxx-",
       T::Integer},
      {"srlw", withFunct7(op32, 5, 0x00), registers<Srlw>, F::R, "xxx-",
       T::Integer},
      {"sraw", withFunct7(op32, 5, 0x20), registers<Sraw>, F::R, "xxx-",
       T::Integer},
      {"mul", withFunct7(op, 0, 0x01), registers<Mul>, F::R, "xxx-",
       T::Multiply},
      {"mulh", withFunct7(op, 1, 0x01), registers<Mulh>, F::R, "xxx-",
       T::Multiply},
      {"mulhsu", withFunct7(op, 2, 0x01), registers<Mulhsu>, F::R, "xxx-",
       T::Multiply},
      {"mulhu", withFunct7(op, 3, 0x01), registers<Mulhu>, F::R, "xxx-",
       T::Multiply},
      {"div", withFunct7(op, 4, 0x01), registers<Div>, F::R, "xxx-", T::Divide},
      {"divu", withFunct7(op, 5, 0x01), registers<Divu>, F::R, "xxx-",
       T::Divide},
      {"rem", withFunct7(op, 6, 0x01), registers<Rem>, F::R, "xxx-", T::Divide},
      {"remu", withFunct7(op, 7, 0x01), registers<Remu>, F::R, "xxx-",
       T::Divide},
      {"mulw", withFunct7(op32, 0, 0x01), registers<Mulw>, F::R, "xxx-",
       T::Multiply},
      {"divw", withFunct7(op32, 4, 0x01), registers<Divw>, F::R, "xxx-",
       T::Divide},
      {"divuw", withFunct7(op32, 5, 0x01), registers<Divuw>, F::R, "xxx-",
       T::Divide},
      {"remw", withFunct7(op32, 6, 0x01), registers<Remw>, F::R, "xxx-",
       T::Divide},
      {"remuw", withFunct7(op32, 7, 0x01), registers<Remuw>, F::R, "xxx-",
       T::Divide},
  };
  return patterns;
}
