//===- float_format.h - Floating-point formats and exact rounding -*- C++
//-*-===//
//
// Values travel as bits. Arithmetic on single and double uses the host's IEEE
// unit under the wanted rounding mode; half and bfloat16, and whatever the host
// cannot do (round to nearest, ties away), is computed exactly and rounded once
// by `roundToFormat`.
//
//===----------------------------------------------------------------------===//
#ifndef KEVOLVE_SIMULATOR_HART_FLOAT_FORMAT_H
#define KEVOLVE_SIMULATOR_HART_FLOAT_FORMAT_H

#include <cstdint>
#include <cstring>

namespace kevolve::simulator {

/// The encodings of `rm`.
enum class Rounding : uint8_t { NearestEven, TowardZero, Down, Up, NearestMax };

/// The bits of fflags.
enum FloatFlag : uint8_t {
  kInexact = 1,
  kUnderflow = 2,
  kOverflow = 4,
  kDivideByZero = 8,
  kInvalid = 16,
};

template <class BitsT, class NativeT, unsigned kExponent, unsigned kMantissa>
struct FloatFormat {
  using Bits = BitsT;
  using Native = NativeT; // void: computed exactly in double
  static constexpr unsigned kExponentBits = kExponent;
  static constexpr unsigned kMantissaBits = kMantissa;
  static constexpr int kBias = (1 << (kExponent - 1)) - 1;
  static constexpr Bits kSign = Bits(Bits(1) << (kExponent + kMantissa));
  static constexpr Bits kInfinity =
      Bits(((Bits(1) << kExponent) - 1) << kMantissa);
  static constexpr Bits kQuietBit = Bits(Bits(1) << (kMantissa - 1));
  static constexpr Bits kCanonicalNan = Bits(kInfinity | kQuietBit);
  static constexpr Bits kMantissaMask = Bits((Bits(1) << kMantissa) - 1);
  static constexpr Bits kLargest = Bits(kInfinity - 1);

  static bool isNan(Bits a) { return Bits(a & ~kSign) > kInfinity; }
  static bool isSignallingNan(Bits a) { return isNan(a) && !(a & kQuietBit); }
  static bool isInfinite(Bits a) { return Bits(a & ~kSign) == kInfinity; }
  static bool isZero(Bits a) { return Bits(a & ~kSign) == 0; }
  static bool isNegative(Bits a) { return (a & kSign) != 0; }
};

using Half = FloatFormat<uint16_t, void, 5, 10>;
using BFloat16 = FloatFormat<uint16_t, void, 8, 7>;
using Single = FloatFormat<uint32_t, float, 8, 23>;
using Double = FloatFormat<uint64_t, double, 11, 52>;

template <class To, class From> To bitCast(From from) {
  static_assert(sizeof(To) == sizeof(From), "a cast keeps the size");
  To to;
  std::memcpy(&to, &from, sizeof(to));
  return to;
}

/// The format whose elements have this many bytes.
template <unsigned kBytes> struct FormatOfBytes;
template <> struct FormatOfBytes<2> {
  using type = Half;
};
template <> struct FormatOfBytes<4> {
  using type = Single;
};
template <> struct FormatOfBytes<8> {
  using type = Double;
};

/// Whether a magnitude with `remainder` (of `half` * 2) behind it rounds up.
inline bool roundsUp(Rounding mode, bool negative, bool odd, uint64_t remainder,
                     uint64_t half) {
  switch (mode) {
  case Rounding::NearestEven:
    return remainder > half || (remainder == half && odd);
  case Rounding::NearestMax:
    return remainder >= half;
  case Rounding::TowardZero:
    return false;
  case Rounding::Down:
    return negative && remainder != 0;
  case Rounding::Up:
    return !negative && remainder != 0;
  }
  return false;
}

/// What overflows becomes infinity or the largest number, by mode and sign.
template <class F>
typename F::Bits overflowed(bool negative, Rounding mode, uint8_t &flags) {
  flags |= kOverflow | kInexact;
  const bool toLargest = mode == Rounding::TowardZero ||
                         (mode == Rounding::Down && !negative) ||
                         (mode == Rounding::Up && negative);
  return typename F::Bits((negative ? F::kSign : 0) |
                          (toLargest ? F::kLargest : F::kInfinity));
}

/// Shifts right; what falls out stays as a sticky lowest bit.
inline uint64_t shiftRightSticky(uint64_t value, unsigned count) {
  if (count == 0)
    return value;
  if (count > 63)
    return value != 0;
  return value >> count | ((value << (64 - count)) != 0);
}

/// Rounds significand * 2^(exponent - 63) to F once. The significand is
/// normalised (bit 63 set); its lowest bit may be sticky. Tininess is detected
/// after rounding, as RISC-V requires.
template <class F>
typename F::Bits roundNormalised(bool negative, int exponent,
                                 uint64_t significand, Rounding mode,
                                 uint8_t &flags) {
  using Bits = typename F::Bits;
  constexpr unsigned kDrop = 63 - F::kMantissaBits;
  constexpr uint64_t kHalf = uint64_t(1) << (kDrop - 1);
  constexpr uint64_t kMask = (uint64_t(1) << kDrop) - 1;
  int biased = exponent + F::kBias;
  bool tiny = false;
  if (biased <= 0) {
    // Tiny unless rounding at full precision carries up to the smallest normal.
    const bool carries =
        biased == 0 &&
        (significand >> kDrop) + 1 == uint64_t(2) << F::kMantissaBits &&
        roundsUp(mode, negative, true, significand & kMask, kHalf);
    tiny = !carries;
    significand = shiftRightSticky(significand, unsigned(1 - biased));
    biased = 0;
  }
  const uint64_t remainder = significand & kMask;
  uint64_t kept = significand >> kDrop;
  if (roundsUp(mode, negative, kept & 1, remainder, kHalf))
    ++kept;
  // The implicit bit adds one to the exponent field of normal numbers.
  const uint64_t magnitude =
      (uint64_t(biased ? biased - 1 : 0) << F::kMantissaBits) + kept;
  if (biased >= (1 << F::kExponentBits) - 1 || magnitude >= F::kInfinity)
    return overflowed<F>(negative, mode, flags);
  if (remainder != 0)
    flags |= kInexact | (tiny ? kUnderflow : 0);
  return Bits((negative ? F::kSign : 0) | Bits(magnitude));
}

/// Rounds significand * 2^exponent, of any normalisation.
template <class F>
typename F::Bits roundToFormat(bool negative, int exponent,
                               uint64_t significand, Rounding mode,
                               uint8_t &flags) {
  if (significand == 0)
    return negative ? F::kSign : 0;
  const int shift = __builtin_clzll(significand);
  return roundNormalised<F>(negative, exponent + 63 - shift,
                            significand << shift, mode, flags);
}

/// Converts between formats, rounding once; signalling NaNs raise invalid.
template <class To, class From>
typename To::Bits convertFormat(typename From::Bits a, Rounding mode,
                                uint8_t &flags) {
  if (From::isNan(a)) {
    flags |= From::isSignallingNan(a) ? kInvalid : 0;
    return To::kCanonicalNan;
  }
  const bool negative = From::isNegative(a);
  if (From::isInfinite(a))
    return typename To::Bits((negative ? To::kSign : 0) | To::kInfinity);
  const int field = int((a & ~From::kSign) >> From::kMantissaBits);
  const uint64_t mantissa = uint64_t(a & From::kMantissaMask);
  const uint64_t implicit =
      field ? uint64_t(1) << From::kMantissaBits : uint64_t(0);
  const int exponent =
      (field ? field : 1) - From::kBias - int(From::kMantissaBits);
  return roundToFormat<To>(negative, exponent, mantissa | implicit, mode,
                           flags);
}

/// The double of the same value; NaNs stay signalling, so that arithmetic on
/// the result raises what arithmetic on `a` would.
template <class F> double widenExactly(typename F::Bits a) {
  if constexpr (sizeof(a) == 8)
    return bitCast<double>(a);
  if (F::isNan(a)) {
    const uint64_t payload = uint64_t(a & F::kMantissaMask)
                             << (52 - F::kMantissaBits);
    return bitCast<double>(Double::kInfinity | payload);
  }
  uint8_t unused = 0;
  return bitCast<double>(
      convertFormat<Double, F>(a, Rounding::NearestEven, unused));
}

template <class F> typename F::Bits canonical(typename F::Bits a) {
  return F::isNan(a) ? F::kCanonicalNan : a;
}

//--- NaN boxing: a narrow value in a 64-bit register --------------------------

template <class F> uint64_t box(typename F::Bits a) {
  if constexpr (sizeof(a) == 8)
    return a;
  return ~uint64_t(0) << (8 * sizeof(a) % 64) | a;
}

template <class F> typename F::Bits unbox(uint64_t reg) {
  if constexpr (sizeof(typename F::Bits) == 8)
    return reg;
  const unsigned width = 8 * sizeof(typename F::Bits) % 64;
  return ~reg >> width == 0 ? typename F::Bits(reg) : F::kCanonicalNan;
}

} // namespace kevolve::simulator

#endif // KEVOLVE_SIMULATOR_HART_FLOAT_FORMAT_H
