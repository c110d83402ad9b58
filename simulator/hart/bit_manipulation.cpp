//===- bit_manipulation.cpp - Zba, Zbb, Zbs
//--------------------------------===//
#include "simulator/hart/instruction.h"

using namespace kevolve::simulator;

namespace {

using i32 = int32_t;
using i64 = int64_t;
using u32 = uint32_t;
using u64 = uint64_t;

u64 word(u64 value) { return u64(i64(i32(u32(value)))); }
u64 leadingZeros(u64 a) { return a ? u64(__builtin_clzll(a)) : 64; }
u64 trailingZeros(u64 a) { return a ? u64(__builtin_ctzll(a)) : 64; }
u64 rotateRight(u64 a, u64 b) { return a >> (b & 63) | a << (-b & 63); }
u32 rotateRight32(u32 a, u64 b) { return a >> (b & 31) | a << (-b & 31); }

struct AddUw {
  static u64 apply(u64 a, u64 b) { return u64(u32(a)) + b; }
};
struct SlliUw {
  static u64 apply(u64 a, u64 b) { return u64(u32(a)) << (b & 63); }
};
template <unsigned N> struct ShAdd {
  static u64 apply(u64 a, u64 b) { return (a << N) + b; }
};
template <unsigned N> struct ShAddUw {
  static u64 apply(u64 a, u64 b) { return (u64(u32(a)) << N) + b; }
};

struct Andn {
  static u64 apply(u64 a, u64 b) { return a & ~b; }
};
struct Orn {
  static u64 apply(u64 a, u64 b) { return a | ~b; }
};
struct Xnor {
  static u64 apply(u64 a, u64 b) { return ~(a ^ b); }
};
struct Max {
  static u64 apply(u64 a, u64 b) { return i64(a) < i64(b) ? b : a; }
};
struct Maxu {
  static u64 apply(u64 a, u64 b) { return a < b ? b : a; }
};
struct Min {
  static u64 apply(u64 a, u64 b) { return i64(a) < i64(b) ? a : b; }
};
struct Minu {
  static u64 apply(u64 a, u64 b) { return a < b ? a : b; }
};
struct Rol {
  static u64 apply(u64 a, u64 b) { return rotateRight(a, -b); }
};
struct Ror {
  static u64 apply(u64 a, u64 b) { return rotateRight(a, b); }
};
struct Rolw {
  static u64 apply(u64 a, u64 b) { return word(rotateRight32(u32(a), -b)); }
};
struct Rorw {
  static u64 apply(u64 a, u64 b) { return word(rotateRight32(u32(a), b)); }
};

struct Bclr {
  static u64 apply(u64 a, u64 b) { return a & ~(u64(1) << (b & 63)); }
};
struct Bext {
  static u64 apply(u64 a, u64 b) { return a >> (b & 63) & 1; }
};
struct Binv {
  static u64 apply(u64 a, u64 b) { return a ^ u64(1) << (b & 63); }
};
struct Bset {
  static u64 apply(u64 a, u64 b) { return a | u64(1) << (b & 63); }
};

struct Clz {
  static u64 apply(u64 a) { return leadingZeros(a); }
};
struct Ctz {
  static u64 apply(u64 a) { return trailingZeros(a); }
};
struct Cpop {
  static u64 apply(u64 a) { return u64(__builtin_popcountll(a)); }
};
struct Clzw {
  static u64 apply(u64 a) { return leadingZeros(u32(a)) - 32; }
};
struct Ctzw {
  static u64 apply(u64 a) { return trailingZeros(a | u64(1) << 32); }
};
struct Cpopw {
  static u64 apply(u64 a) { return u64(__builtin_popcount(u32(a))); }
};
struct SextB {
  static u64 apply(u64 a) { return u64(i64(int8_t(a))); }
};
struct SextH {
  static u64 apply(u64 a) { return u64(i64(int16_t(a))); }
};
struct ZextH {
  static u64 apply(u64 a) { return a & 0xffff; }
};
struct Rev8 {
  static u64 apply(u64 a) { return __builtin_bswap64(a); }
};
struct OrcB {
  static u64 apply(u64 a) {
    u64 result = 0;
    for (unsigned byte = 0; byte < 64; byte += 8)
      if (a >> byte & 0xff)
        result |= u64(0xff) << byte;
    return result;
  }
};

template <class Op> void registers(Hart &h, const Instruction &i) {
  h.setX(i.rd, Op::apply(h.regs.x[i.rs1], h.regs.x[i.rs2]));
}
template <class Op> void withImmediate(Hart &h, const Instruction &i) {
  h.setX(i.rd, Op::apply(h.regs.x[i.rs1], u64(i.imm)));
}
template <class Op> void unary(Hart &h, const Instruction &i) {
  h.setX(i.rd, Op::apply(h.regs.x[i.rs1]));
}

InstructionPattern binary(const char *name, u32 opcode, u32 funct3, u32 funct7,
                          Handler handler) {
  return {name,    withFunct7(opcode, funct3, funct7),
          handler, Format::R,
          "xxx-",  Timing::Integer};
}
InstructionPattern shift(const char *name, u32 opcode, u32 funct3, u32 funct6,
                         Handler handler) {
  const Encoding encoding{0xfc00707f, opcode | funct3 << 12 | funct6 << 26};
  return {name, encoding, handler, Format::Shift, "xx--", Timing::Integer};
}
InstructionPattern single(const char *name, u32 opcode, u32 funct3, u32 funct12,
                          Handler handler) {
  return {name,    withFunct12(opcode, funct3, funct12),
          handler, Format::R,
          "xx--",  Timing::Integer};
}

} // namespace

const Patterns &kevolve::simulator::bitManipulationPatterns() {
  const u32 op = 0x33, op32 = 0x3b, imm = 0x13, imm32 = 0x1b;
  static const Patterns patterns = {
      // Zba
      binary("add.uw", op32, 0, 0x04, registers<AddUw>),
      binary("sh1add", op, 2, 0x10, registers<ShAdd<1>>),
      binary("sh2add", op, 4, 0x10, registers<ShAdd<2>>),
      binary("sh3add", op, 6, 0x10, registers<ShAdd<3>>),
      binary("sh1add.uw", op32, 2, 0x10, registers<ShAddUw<1>>),
      binary("sh2add.uw", op32, 4, 0x10, registers<ShAddUw<2>>),
      binary("sh3add.uw", op32, 6, 0x10, registers<ShAddUw<3>>),
      shift("slli.uw", imm32, 1, 0x02, withImmediate<SlliUw>),
      // Zbb
      binary("andn", op, 7, 0x20, registers<Andn>),
      binary("orn", op, 6, 0x20, registers<Orn>),
      binary("xnor", op, 4, 0x20, registers<Xnor>),
      binary("min", op, 4, 0x05, registers<Min>),
      binary("minu", op, 5, 0x05, registers<Minu>),
      binary("max", op, 6, 0x05, registers<Max>),
      binary("maxu", op, 7, 0x05, registers<Maxu>),
      binary("rol", op, 1, 0x30, registers<Rol>),
      binary("ror", op, 5, 0x30, registers<Ror>),
      binary("rolw", op32, 1, 0x30, registers<Rolw>),
      binary("rorw", op32, 5, 0x30, registers<Rorw>),
      shift("rori", imm, 5, 0x18, withImmediate<Ror>),
      {"roriw", withFunct7(imm32, 5, 0x30), withImmediate<Rorw>, Format::Shift,
       "xx--", Timing::Integer},
      single("clz", imm, 1, 0x600, unary<Clz>),
      single("ctz", imm, 1, 0x601, unary<Ctz>),
      single("cpop", imm, 1, 0x602, unary<Cpop>),
      single("sext.b", imm, 1, 0x604, unary<SextB>),
      single("sext.h", imm, 1, 0x605, unary<SextH>),
      single("clzw", imm32, 1, 0x600, unary<Clzw>),
      single("ctzw", imm32, 1, 0x601, unary<Ctzw>),
      single("cpopw", imm32, 1, 0x602, unary<Cpopw>),
      single("zext.h", op32, 4, 0x080, unary<ZextH>),
      single("orc.b", imm, 5, 0x287, unary<OrcB>),
      single("rev8", imm, 5, 0x6b8, unary<Rev8>),
      // Zbs
      binary("bclr", op, 1, 0x24, registers<Bclr>),
      binary("bext", op, 5, 0x24, registers<Bext>),
      binary("binv", op, 1, 0x34, registers<Binv>),
      binary("bset", op, 1, 0x14, registers<Bset>),
      shift("bclri", imm, 1, 0x12, withImmediate<Bclr>),
      shift("bexti", imm, 5, 0x12, withImmediate<Bext>),
      shift("binvi", imm, 1, 0x1a, withImmediate<Binv>),
      shift("bseti", imm, 1, 0x0a, withImmediate<Bset>),
  };
  return patterns;
}
