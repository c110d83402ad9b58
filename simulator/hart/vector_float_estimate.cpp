//===- vector_float_estimate.cpp - vfrec7 and vfrsqrt7
//---------------------------===//
//
// Sections 13.9 and 13.10 of the V specification. Its tables hold the seven
// bits of the estimate at the middle of each interval of significands, rounded
// to nearest; they are computed here the same way.
//
//===----------------------------------------------------------------------===//
#include "simulator/hart/vector_float_kernel.h"

#include <array>

using namespace kevolve::simulator;

namespace {

using Table = std::array<uint8_t, 128>;

/// Seven fraction bits of a value in [1, 2).
uint8_t fraction7(double value) {
  return uint8_t(std::lround((value - 1) * 128));
}

/// Entry k: 1 / x for x in the k-th 128th of [1, 2), scaled to [1, 2).
const Table &reciprocalTable() {
  static const Table table = [] {
    Table t{};
    for (unsigned k = 0; k < 128; ++k)
      t[k] = fraction7(2 / (1 + (k + 0.5) / 128));
    return t;
  }();
  return table;
}

/// Entry k: 1 / sqrt(x) scaled to [1, 2): sqrt(2 / x) for odd powers of two
/// (whose exponent field is even), then 2 / sqrt(x) for even ones.
const Table &rootTable() {
  static const Table table = [] {
    Table t{};
    for (unsigned k = 0; k < 64; ++k) {
      const double x = 1 + (k + 0.5) / 64;
      t[k] = fraction7(std::sqrt(2 / x));
      t[k + 64] = fraction7(2 / std::sqrt(x));
    }
    return t;
  }();
  return table;
}

/// A finite non-zero magnitude with its significand normalised.
struct Normalised {
  int exponent;         // of the field; 0 and below for subnormals
  uint64_t significand; // fraction bits, without the leading one
};

template <class F> Normalised normalise(typename F::Bits a) {
  int exponent = int((a & F::kInfinity) >> F::kMantissaBits);
  uint64_t significand = uint64_t(a & F::kMantissaMask);
  if (exponent != 0)
    return {exponent, significand};
  while (!(significand >> (F::kMantissaBits - 1) & 1)) {
    significand <<= 1;
    --exponent;
  }
  return {exponent, significand << 1 & F::kMantissaMask};
}

struct Rec7 {
  template <class F>
  static typename F::Bits apply(typename F::Bits a, Rounding mode,
                                uint8_t &flags) {
    using Bits = typename F::Bits;
    const Bits sign = a & F::kSign;
    if (F::isNan(a)) {
      flags |= F::isSignallingNan(a) ? kInvalid : 0;
      return F::kCanonicalNan;
    }
    if (F::isInfinite(a))
      return sign;
    if (F::isZero(a)) {
      flags |= kDivideByZero;
      return Bits(sign | F::kInfinity);
    }
    const Normalised n = normalise<F>(a);
    if (n.exponent < -1) // 1 / a is too large
      return overflowed<F>(sign != 0, mode, flags);
    const unsigned index = unsigned(n.significand >> (F::kMantissaBits - 7));
    uint64_t fraction = uint64_t(reciprocalTable()[index])
                        << (F::kMantissaBits - 7);
    int exponent = 2 * F::kBias - 1 - n.exponent;
    if (exponent <= 0) { // a subnormal result: shift in the leading one
      fraction = (fraction | uint64_t(1) << F::kMantissaBits) >> (1 - exponent);
      exponent = 0;
    }
    return Bits(sign | Bits(uint64_t(exponent) << F::kMantissaBits) |
                Bits(fraction));
  }
};

struct Rsqrt7 {
  template <class F>
  static typename F::Bits apply(typename F::Bits a, Rounding, uint8_t &flags) {
    using Bits = typename F::Bits;
    const Bits sign = a & F::kSign;
    if (F::isZero(a)) {
      flags |= kDivideByZero;
      return Bits(sign | F::kInfinity);
    }
    if (F::isNan(a) || sign) {
      flags |= sign && !F::isNan(a) ? kInvalid : 0;
      flags |= F::isSignallingNan(a) ? kInvalid : 0;
      return F::kCanonicalNan;
    }
    if (F::isInfinite(a))
      return 0;
    const Normalised n = normalise<F>(a);
    const unsigned index = unsigned((n.exponent & 1) << 6) |
                           unsigned(n.significand >> (F::kMantissaBits - 6));
    const uint64_t fraction = uint64_t(rootTable()[index])
                              << (F::kMantissaBits - 7);
    const int exponent = (3 * F::kBias - 1 - n.exponent) >> 1;
    return Bits(Bits(uint64_t(exponent) << F::kMantissaBits) | Bits(fraction));
  }
};

template <class Op> struct Estimate {
  template <class F> static void run(Hart &h, const Instruction &i) {
    using Bits = typename F::Bits;
    Bits *vd = group<Bits>(h, i.rd);
    const Bits *a = group<Bits>(h, i.rs2);
    const Rounding mode = Rounding(h.regs.frm);
    uint8_t flags = 0;
    forActive(h, i, [&](uint64_t e) {
      vd[e] = Op::template apply<F>(a[e], mode, flags);
    });
    h.regs.fflags |= flags;
  }
};

} // namespace

void kevolve::simulator::addVectorFloatEstimate(VectorTable &t) {
  t.addUnary(kFVV, 0x13, 0x04, floatWidths<Estimate<Rsqrt7>>("vfrsqrt7"));
  t.addUnary(kFVV, 0x13, 0x05, floatWidths<Estimate<Rec7>>("vfrec7"));
}
