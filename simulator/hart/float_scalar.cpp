//===- float_scalar.cpp - F, D, Zfh
//-----------------------------------------===//
#include "simulator/hart/float_arithmetic.h"
#include "simulator/hart/memory_access.h"

using namespace kevolve::simulator;

namespace {

/// The rounding mode of an instruction (static, or frm's); false and illegal
/// for the reserved ones.
bool roundingMode(Hart &h, const Instruction &i, Rounding &mode) {
  const uint8_t rm = i.funct3 == 7 ? h.regs.frm : i.funct3;
  if (rm > 4) {
    raiseIllegal(h, i);
    return false;
  }
  mode = Rounding(rm);
  return true;
}

template <class F, class Op> void unary(Hart &h, const Instruction &i) {
  Rounding mode;
  if (!roundingMode(h, i, mode))
    return;
  FloatScope<F> scope(mode, h.regs.fflags);
  h.regs.f[i.rd] = box<F>(compute<F, Op>(scope, unbox<F>(h.regs.f[i.rs1])));
}

template <class F, class Op> void binary(Hart &h, const Instruction &i) {
  Rounding mode;
  if (!roundingMode(h, i, mode))
    return;
  FloatScope<F> scope(mode, h.regs.fflags);
  h.regs.f[i.rd] = box<F>(compute<F, Op>(scope, unbox<F>(h.regs.f[i.rs1]),
                                         unbox<F>(h.regs.f[i.rs2])));
}

template <class F, class Op> void fused(Hart &h, const Instruction &i) {
  Rounding mode;
  if (!roundingMode(h, i, mode))
    return;
  FloatScope<F> scope(mode, h.regs.fflags);
  h.regs.f[i.rd] = box<F>(compute<F, Op>(scope, unbox<F>(h.regs.f[i.rs1]),
                                         unbox<F>(h.regs.f[i.rs2]),
                                         unbox<F>(h.regs.f[i.rs3])));
}

/// Minimum, maximum and sign injection: exact, so without a rounding mode.
template <class F, class Op> void select(Hart &h, const Instruction &i) {
  h.regs.f[i.rd] = box<F>(Op::template apply<F>(
      unbox<F>(h.regs.f[i.rs1]), unbox<F>(h.regs.f[i.rs2]), h.regs.fflags));
}

template <class F, class Op> void compare(Hart &h, const Instruction &i) {
  h.setX(i.rd, Op::template apply<F>(unbox<F>(h.regs.f[i.rs1]),
                                     unbox<F>(h.regs.f[i.rs2]), h.regs.fflags));
}

template <class F> void fclass(Hart &h, const Instruction &i) {
  h.setX(i.rd, classify<F>(unbox<F>(h.regs.f[i.rs1])));
}

template <class F, class I> void toInteger(Hart &h, const Instruction &i) {
  Rounding mode;
  if (!roundingMode(h, i, mode))
    return;
  const I value =
      convertToInteger<I, F>(unbox<F>(h.regs.f[i.rs1]), mode, h.regs.fflags);
  h.setX(i.rd, uint64_t(int64_t(std::make_signed_t<I>(value))));
}

template <class F, class I> void fromInteger(Hart &h, const Instruction &i) {
  Rounding mode;
  if (roundingMode(h, i, mode))
    h.regs.f[i.rd] =
        box<F>(convertFromInteger<F>(I(h.regs.x[i.rs1]), mode, h.regs.fflags));
}

template <class To, class From> void convert(Hart &h, const Instruction &i) {
  Rounding mode;
  if (roundingMode(h, i, mode))
    h.regs.f[i.rd] = box<To>(convertFormat<To, From>(
        unbox<From>(h.regs.f[i.rs1]), mode, h.regs.fflags));
}

template <class F> void moveToInteger(Hart &h, const Instruction &i) {
  using Signed = std::make_signed_t<typename F::Bits>;
  h.setX(i.rd, uint64_t(int64_t(Signed(h.regs.f[i.rs1]))));
}
template <class F> void moveFromInteger(Hart &h, const Instruction &i) {
  h.regs.f[i.rd] = box<F>(typename F::Bits(h.regs.x[i.rs1]));
}

template <class F> void load(Hart &h, const Instruction &i) {
  typename F::Bits value;
  if (loadScalar(h, h.regs.x[i.rs1] + uint64_t(i.imm), value))
    h.regs.f[i.rd] = box<F>(value);
}
template <class F> void store(Hart &h, const Instruction &i) {
  storeScalar(h, h.regs.x[i.rs1] + uint64_t(i.imm),
              typename F::Bits(h.regs.f[i.rs2]));
}

//--- The table: one block per format
//---------------------------------------------

constexpr uint32_t kOpFp = 0x53;

/// funct5 and format; any rounding mode.
constexpr Encoding rounded(uint32_t funct5, uint32_t fmt) {
  return {0xfe00007f, kOpFp | fmt << 25 | funct5 << 27};
}
constexpr Encoding roundedUnary(uint32_t funct5, uint32_t fmt, uint32_t rs2) {
  return {0xfff0007f, kOpFp | fmt << 25 | funct5 << 27 | rs2 << 20};
}
constexpr Encoding exact(uint32_t funct5, uint32_t fmt, uint32_t funct3) {
  return {0xfe00707f, kOpFp | fmt << 25 | funct5 << 27 | funct3 << 12};
}
constexpr Encoding exactUnary(uint32_t funct5, uint32_t fmt, uint32_t funct3) {
  return {0xfff0707f, kOpFp | fmt << 25 | funct5 << 27 | funct3 << 12};
}
constexpr Encoding fourRegisters(uint32_t opcode, uint32_t fmt) {
  return {0x0600007f, opcode | fmt << 25};
}

template <class F> void addArithmetic(Patterns &p, uint32_t fmt) {
  const Format r = Format::R;
  const Timing t = Timing::Float, d = Timing::FloatDivide;
  p.insert(
      p.end(),
      {
          {"fmadd", fourRegisters(0x43, fmt), fused<F, FMadd>, r, "ffff", t},
          {"fmsub", fourRegisters(0x47, fmt), fused<F, FMsub>, r, "ffff", t},
          {"fnmsub", fourRegisters(0x4b, fmt), fused<F, FNmsub>, r, "ffff", t},
          {"fnmadd", fourRegisters(0x4f, fmt), fused<F, FNmadd>, r, "ffff", t},
          {"fadd", rounded(0x00, fmt), binary<F, FAdd>, r, "fff-", t},
          {"fsub", rounded(0x01, fmt), binary<F, FSub>, r, "fff-", t},
          {"fmul", rounded(0x02, fmt), binary<F, FMul>, r, "fff-", t},
          {"fdiv", rounded(0x03, fmt), binary<F, FDiv>, r, "fff-", d},
          {"fsqrt", roundedUnary(0x0b, fmt, 0), unary<F, FSqrt>, r, "ff--", d},
          {"fsgnj", exact(0x04, fmt, 0), select<F, FSgnj>, r, "fff-", t},
          {"fsgnjn", exact(0x04, fmt, 1), select<F, FSgnjn>, r, "fff-", t},
          {"fsgnjx", exact(0x04, fmt, 2), select<F, FSgnjx>, r, "fff-", t},
          {"fmin", exact(0x05, fmt, 0), select<F, FMin>, r, "fff-", t},
          {"fmax", exact(0x05, fmt, 1), select<F, FMax>, r, "fff-", t},
          {"fle", exact(0x14, fmt, 0), compare<F, FLessEqual>, r, "xff-", t},
          {"flt", exact(0x14, fmt, 1), compare<F, FLess>, r, "xff-", t},
          {"feq", exact(0x14, fmt, 2), compare<F, FEqual>, r, "xff-", t},
      });
}

template <class F> void addConversions(Patterns &p, uint32_t fmt) {
  const Format r = Format::R;
  const Timing t = Timing::Float;
  p.insert(p.end(),
           {
               {"fcvt.w", roundedUnary(0x18, fmt, 0), toInteger<F, int32_t>, r,
                "xf--", t},
               {"fcvt.wu", roundedUnary(0x18, fmt, 1), toInteger<F, uint32_t>,
                r, "xf--", t},
               {"fcvt.l", roundedUnary(0x18, fmt, 2), toInteger<F, int64_t>, r,
                "xf--", t},
               {"fcvt.lu", roundedUnary(0x18, fmt, 3), toInteger<F, uint64_t>,
                r, "xf--", t},
               {"fcvt.from.w", roundedUnary(0x1a, fmt, 0),
                fromInteger<F, int32_t>, r, "fx--", t},
               {"fcvt.from.wu", roundedUnary(0x1a, fmt, 1),
                fromInteger<F, uint32_t>, r, "fx--", t},
               {"fcvt.from.l", roundedUnary(0x1a, fmt, 2),
                fromInteger<F, int64_t>, r, "fx--", t},
               {"fcvt.from.lu", roundedUnary(0x1a, fmt, 3),
                fromInteger<F, uint64_t>, r, "fx--", t},
               {"fmv.to.x", exactUnary(0x1c, fmt, 0), moveToInteger<F>, r,
                "xf--", t},
               {"fclass", exactUnary(0x1c, fmt, 1), fclass<F>, r, "xf--", t},
               {"fmv.from.x", exactUnary(0x1e, fmt, 0), moveFromInteger<F>, r,
                "fx--", t},
           });
}

template <class F> void addMemory(Patterns &p, uint32_t width) {
  p.push_back({"fload", withFunct3(0x07, width), load<F>, Format::I, "fx--",
               Timing::Load});
  p.push_back({"fstore", withFunct3(0x27, width), store<F>, Format::S, "-xf-",
               Timing::Store});
}

template <class To, class From>
void addConvert(Patterns &p, uint32_t to, uint32_t from) {
  p.push_back({"fcvt", roundedUnary(0x08, to, from), convert<To, From>,
               Format::R, "ff--", Timing::Float});
}

Patterns makePatterns() {
  const uint32_t s = 0, d = 1, h = 2; // the fmt field
  Patterns p;
  addArithmetic<Single>(p, s);
  addArithmetic<Double>(p, d);
  addArithmetic<Half>(p, h);
  addConversions<Single>(p, s);
  addConversions<Double>(p, d);
  addConversions<Half>(p, h);
  addMemory<Half>(p, 1);
  addMemory<Single>(p, 2);
  addMemory<Double>(p, 3);
  addConvert<Single, Double>(p, s, d);
  addConvert<Double, Single>(p, d, s);
  addConvert<Half, Single>(p, h, s);
  addConvert<Single, Half>(p, s, h);
  addConvert<Half, Double>(p, h, d);
  addConvert<Double, Half>(p, d, h);
  return p;
}

} // namespace

const Patterns &kevolve::simulator::floatPatterns() {
  static const Patterns patterns = makePatterns();
  return patterns;
}
