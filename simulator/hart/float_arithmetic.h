//===- float_arithmetic.h - Exactly rounded operations ----------*- C++ -*-===//
//
// An operation is a functor with `apply` over any arithmetic type; `compute`
// runs it on a format inside a FloatScope.
//
//===----------------------------------------------------------------------===//
#ifndef KEVOLVE_SIMULATOR_HART_FLOAT_ARITHMETIC_H
#define KEVOLVE_SIMULATOR_HART_FLOAT_ARITHMETIC_H

#include "simulator/hart/float_scope.h"

#include <cmath>
#include <limits>
#include <type_traits>

namespace kevolve::simulator {

// A type that holds the exact product of two doubles.
#if defined(__SIZEOF_FLOAT128__)
using Quad = __float128;
#else
using Quad = long double;
static_assert(__LDBL_MANT_DIG__ == 113, "needs a quadruple-precision type");
#endif

inline float fuse(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
inline double fuse(double a, double b, double c) {
  return __builtin_fma(a, b, c);
}
inline Quad fuse(Quad a, Quad b, Quad c) { return a * b + c; }
inline float root(float a) { return __builtin_sqrtf(a); }
inline double root(double a) { return __builtin_sqrt(a); }

/// A double that stands for a half: sums, products and (far enough from ties)
/// quotients and roots of halves survive a second rounding. A fused
/// multiply-add does not survive one to nearest, so it rounds to odd.
struct WideHalf {
  double value;
  friend WideHalf operator+(WideHalf a, WideHalf b) {
    return {a.value + b.value};
  }
  friend WideHalf operator-(WideHalf a, WideHalf b) {
    return {a.value - b.value};
  }
  friend WideHalf operator*(WideHalf a, WideHalf b) {
    return {a.value * b.value};
  }
  friend WideHalf operator/(WideHalf a, WideHalf b) {
    return {a.value / b.value};
  }
  friend WideHalf operator-(WideHalf a) { return {-a.value}; }
};
inline WideHalf root(WideHalf a) { return {root(a.value)}; }

/// a * b + c rounded to odd: the exact product plus c by two-sum.
inline WideHalf fuse(WideHalf a, WideHalf b, WideHalf c) {
  const double product = a.value * b.value;
  const double sum = product + c.value;
  if (!HostFloat::roundsToNearest() || !std::isfinite(sum))
    return {sum};
  const double back = sum - product;
  const double error = (product - (sum - back)) + (c.value - back);
  if (error == 0)
    return {sum};
  uint64_t bits = bitCast<uint64_t>(sum);
  if (bits & 1)
    return {sum};
  const bool away = (error > 0) == (sum > 0);
  return {bitCast<double>(away ? bits + 1 : bits - 1)};
}

struct FAdd {
  template <class T> static T apply(T a, T b) { return a + b; }
};
struct FSub {
  template <class T> static T apply(T a, T b) { return a - b; }
};
struct FRsub {
  template <class T> static T apply(T a, T b) { return b - a; }
};
struct FMul {
  template <class T> static T apply(T a, T b) { return a * b; }
};
struct FDiv {
  template <class T> static T apply(T a, T b) { return a / b; }
};
struct FRdiv {
  template <class T> static T apply(T a, T b) { return b / a; }
};
struct FSqrt {
  template <class T> static T apply(T a) { return root(a); }
};
// a * b + c and its relatives; `kFused` marks them.
struct FMadd {
  static constexpr bool kFused = true;
  template <class T> static T apply(T a, T b, T c) { return fuse(a, b, c); }
};
struct FMsub {
  static constexpr bool kFused = true;
  template <class T> static T apply(T a, T b, T c) { return fuse(a, b, -c); }
};
struct FNmadd { // -(a * b) - c
  static constexpr bool kFused = true;
  template <class T> static T apply(T a, T b, T c) { return fuse(-a, b, -c); }
};
struct FNmsub { // -(a * b) + c
  static constexpr bool kFused = true;
  template <class T> static T apply(T a, T b, T c) { return fuse(-a, b, c); }
};

/// A value that the compiler must have here, not earlier or later.
template <class T> T opaque(T value) {
  asm volatile("" : "+m"(value));
  return value;
}

/// Nearest-even `result` of an operation, corrected to ties away: they differ
/// only if the exact value, computed in Quad, lies midway between neighbours.
template <class Op, class Native, class... A>
Native tiesAway(Native result, A... operands) {
  if (!std::isfinite(result))
    return result;
  if constexpr (sizeof...(A) == 1)
    return result; // a root is never midway
  else {
    HostFloat::begin(Rounding::TowardZero);
    const Quad exact = opaque(Op::apply(Quad(opaque(operands))...));
    if (HostFloat::end() & kInexact)
      return result;
    const Quad distance = exact - Quad(result);
    const Native inf = std::numeric_limits<Native>::infinity();
    const Native other = std::nextafter(result, distance > 0 ? inf : -inf);
    const bool midway = distance != 0 && Quad(other) - exact == distance;
    return midway && std::fabs(other) > std::fabs(result) ? other : result;
  }
}

/// Infinity times zero is invalid in a fused operation even if a quiet NaN is
/// added, which hosts do not report.
template <class F>
uint8_t fusedInvalid(typename F::Bits a, typename F::Bits b) {
  return (F::isInfinite(a) && F::isZero(b)) ||
                 (F::isZero(a) && F::isInfinite(b))
             ? kInvalid
             : 0;
}

template <class Op, class = void> struct IsFused : std::false_type {};
template <class Op>
struct IsFused<Op, std::enable_if_t<Op::kFused>> : std::true_type {};

/// One operation under the scope's mode. NaN results are canonical.
template <class F, class Op, class First, class... Rest>
typename F::Bits compute(FloatScope<F> &scope, First a, Rest... rest) {
  if constexpr (IsFused<Op>::value) {
    const typename F::Bits operands[] = {a, rest...};
    scope.flags |= fusedInvalid<F>(operands[0], operands[1]);
  }
  if constexpr (std::is_void_v<typename F::Native>) {
    const double wide = Op::apply(WideHalf{widenExactly<F>(a)},
                                  WideHalf{widenExactly<F>(rest)}...)
                            .value;
    uint8_t quiet = 0; // the host has raised invalid already
    uint8_t &flags = std::isnan(wide) ? quiet : scope.flags;
    return convertFormat<F, Double>(bitCast<uint64_t>(wide), scope.mode, flags);
  } else {
    using Native = typename F::Native;
    Native result = Op::apply(bitCast<Native>(a), bitCast<Native>(rest)...);
    if (scope.mode == Rounding::NearestMax) {
      scope.flags |= HostFloat::end();
      result =
          tiesAway<Op>(result, bitCast<Native>(a), bitCast<Native>(rest)...);
      HostFloat::begin(Rounding::NearestEven);
    }
    return canonical<F>(bitCast<typename F::Bits>(result));
  }
}

//--- Comparisons, minimum, classification, on bits
//------------------------------

/// An order-preserving integer; -0 is below +0.
template <class F> auto orderKey(typename F::Bits a) {
  using Bits = typename F::Bits;
  using Key = std::make_signed_t<Bits>;
  return F::isNegative(a) ? Key(Bits(~a) ^ F::kSign) : Key(a);
}

template <class F> bool isLess(typename F::Bits a, typename F::Bits b) {
  if (F::isZero(a) && F::isZero(b))
    return false;
  return orderKey<F>(a) < orderKey<F>(b);
}

template <class F> bool isEqual(typename F::Bits a, typename F::Bits b) {
  return a == b || (F::isZero(a) && F::isZero(b));
}

/// Each comparison returns false on a NaN; `kSignals` ones then raise invalid
/// for quiet NaNs too.
struct FEqual {
  template <class F>
  static bool apply(typename F::Bits a, typename F::Bits b, uint8_t &flags) {
    flags |= F::isSignallingNan(a) || F::isSignallingNan(b) ? kInvalid : 0;
    return !F::isNan(a) && !F::isNan(b) && isEqual<F>(a, b);
  }
};
struct FNotEqual {
  template <class F>
  static bool apply(typename F::Bits a, typename F::Bits b, uint8_t &flags) {
    return !FEqual::apply<F>(a, b, flags);
  }
};
struct FLess {
  template <class F>
  static bool apply(typename F::Bits a, typename F::Bits b, uint8_t &flags) {
    if (F::isNan(a) || F::isNan(b)) {
      flags |= kInvalid;
      return false;
    }
    return isLess<F>(a, b);
  }
};
struct FLessEqual {
  template <class F>
  static bool apply(typename F::Bits a, typename F::Bits b, uint8_t &flags) {
    if (F::isNan(a) || F::isNan(b)) {
      flags |= kInvalid;
      return false;
    }
    return !isLess<F>(b, a);
  }
};
struct FGreater {
  template <class F>
  static bool apply(typename F::Bits a, typename F::Bits b, uint8_t &flags) {
    return FLess::apply<F>(b, a, flags);
  }
};
struct FGreaterEqual {
  template <class F>
  static bool apply(typename F::Bits a, typename F::Bits b, uint8_t &flags) {
    return FLessEqual::apply<F>(b, a, flags);
  }
};

/// minimumNumber / maximumNumber of IEEE 754-2019.
template <class F, bool kMaximum>
typename F::Bits selectNumber(typename F::Bits a, typename F::Bits b,
                              uint8_t &flags) {
  if (F::isSignallingNan(a) || F::isSignallingNan(b))
    flags |= kInvalid;
  if (F::isNan(a))
    return canonical<F>(b);
  if (F::isNan(b))
    return a;
  const bool aFirst = orderKey<F>(a) < orderKey<F>(b);
  return aFirst != kMaximum ? a : b;
}
struct FMin {
  template <class F>
  static typename F::Bits apply(typename F::Bits a, typename F::Bits b,
                                uint8_t &flags) {
    return selectNumber<F, false>(a, b, flags);
  }
};
struct FMax {
  template <class F>
  static typename F::Bits apply(typename F::Bits a, typename F::Bits b,
                                uint8_t &flags) {
    return selectNumber<F, true>(a, b, flags);
  }
};

struct FSgnj {
  template <class F>
  static typename F::Bits apply(typename F::Bits a, typename F::Bits b,
                                uint8_t &) {
    return typename F::Bits((a & ~F::kSign) | (b & F::kSign));
  }
};
struct FSgnjn {
  template <class F>
  static typename F::Bits apply(typename F::Bits a, typename F::Bits b,
                                uint8_t &) {
    return typename F::Bits((a & ~F::kSign) | (~b & F::kSign));
  }
};
struct FSgnjx {
  template <class F>
  static typename F::Bits apply(typename F::Bits a, typename F::Bits b,
                                uint8_t &) {
    return typename F::Bits(a ^ (b & F::kSign));
  }
};

/// The one-hot class of fclass.
template <class F> unsigned classify(typename F::Bits a) {
  if (F::isNan(a))
    return F::isSignallingNan(a) ? 1 << 8 : 1 << 9;
  const bool negative = F::isNegative(a);
  if (F::isInfinite(a))
    return negative ? 1 << 0 : 1 << 7;
  if (F::isZero(a))
    return negative ? 1 << 3 : 1 << 4;
  const bool subnormal = (a & F::kInfinity) == 0;
  if (subnormal)
    return negative ? 1 << 2 : 1 << 5;
  return negative ? 1 << 1 : 1 << 6;
}

//--- Conversions to and from integers
//---------------------------------------------

/// Rounds to an integer of type I, saturating; NaN becomes the largest.
template <class I, class F>
I convertToInteger(typename F::Bits a, Rounding mode, uint8_t &flags) {
  constexpr I kMax = std::numeric_limits<I>::max();
  constexpr I kMin = std::numeric_limits<I>::min();
  const bool negative = F::isNegative(a);
  auto saturate = [&](bool low) {
    flags |= kInvalid;
    return low ? kMin : kMax;
  };
  if (F::isNan(a))
    return saturate(false);
  const int field = int((a & F::kInfinity) >> F::kMantissaBits);
  const int exponent = (field ? field : 1) - F::kBias - int(F::kMantissaBits);
  uint64_t magnitude = uint64_t(a & F::kMantissaMask) |
                       (field ? uint64_t(1) << F::kMantissaBits : 0);
  if (F::isInfinite(a) || exponent > 63 - int(F::kMantissaBits)) // 2^64 up
    return saturate(negative);
  uint8_t raised = 0;
  if (exponent >= 0)
    magnitude <<= exponent;
  else {
    // Two guard bits, the lower one sticky: enough for any rounding mode.
    const uint64_t guarded =
        shiftRightSticky(magnitude << 2, unsigned(-exponent));
    magnitude = guarded >> 2;
    raised = guarded & 3 ? kInexact : 0;
    magnitude += roundsUp(mode, negative, magnitude & 1, guarded & 3, 2);
  }
  const uint64_t limit =
      negative ? uint64_t(0) - uint64_t(kMin) : uint64_t(kMax);
  if (magnitude > limit)
    return saturate(negative);
  flags |= raised;
  return I(negative ? uint64_t(0) - magnitude : magnitude);
}

template <class F, class I>
typename F::Bits convertFromInteger(I value, Rounding mode, uint8_t &flags) {
  const bool negative = value < 0;
  const uint64_t magnitude =
      negative ? uint64_t(0) - uint64_t(int64_t(value)) : uint64_t(value);
  return roundToFormat<F>(negative, 0, magnitude, mode, flags);
}

} // namespace kevolve::simulator

#endif // KEVOLVE_SIMULATOR_HART_FLOAT_ARITHMETIC_H
