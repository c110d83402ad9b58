//===- vector_float_convert.cpp - Conversions
//----------------------------------===//
#include "simulator/hart/vector_float_kernel.h"

#if defined(__F16C__)
#include <immintrin.h>
#endif

using namespace kevolve::simulator;

namespace {

/// The rounding of a conversion: frm, or fixed.
struct ByFrm {
  static Rounding of(const Hart &h) { return Rounding(h.regs.frm); }
};
struct ToZero {
  static Rounding of(const Hart &) { return Rounding::TowardZero; }
};

/// vd[e] = convert(vs2[e], flags), where widths may differ.
template <class D, class S, class Convert>
void convertLoop(Hart &h, const Instruction &i, Convert convert) {
  D *vd = group<D>(h, i.rd);
  const S *a = group<S>(h, i.rs2);
  uint8_t flags = 0;
  forActiveInOrder(h, i, [&](uint64_t e) { vd[e] = D(convert(a[e], flags)); });
  h.regs.fflags |= flags;
}

template <class F, class I, class Mode>
void toInteger(Hart &h, const Instruction &i) {
  const Rounding mode = Mode::of(h);
  convertLoop<I, typename F::Bits>(h, i, [=](auto a, uint8_t &flags) {
    return convertToInteger<I, F>(a, mode, flags);
  });
}

template <class F, class I> void fromInteger(Hart &h, const Instruction &i) {
  const Rounding mode = Rounding(h.regs.frm);
  convertLoop<typename F::Bits, I>(h, i, [=](I a, uint8_t &flags) {
    return convertFromInteger<F>(a, mode, flags);
  });
}

template <class To, class From> void toFormat(Hart &h, const Instruction &i) {
  const Rounding mode = Rounding(h.regs.frm);
  convertLoop<typename To::Bits, typename From::Bits>(
      h, i, [=](auto a, uint8_t &flags) {
        return convertFormat<To, From>(a, mode, flags);
      });
}

/// Widening of vectors without NaNs is exact.
template <class F> void widenFormat(Hart &h, const Instruction &i) {
  using W = typename WiderFormat<F>::type;
  const typename F::Bits *a = group<typename F::Bits>(h, i.rs2);
  bool anyNan = false;
  for (uint64_t e = 0; e < h.regs.vl; ++e)
    anyNan |= F::isNan(a[e]);
  if (anyNan)
    return toFormat<W, F>(h, i);
  typename W::Bits *vd = group<typename W::Bits>(h, i.rd);
  forActiveInOrder(h, i, [=](uint64_t e) {
    vd[e] = bitCast<typename W::Bits>(widenNative(a[e]));
  });
}

#if defined(__F16C__)
uint16_t narrowNative(float value) {
  const __m128i half =
      _mm_cvtps_ph(_mm_set_ss(value), _MM_FROUND_CUR_DIRECTION);
  return canonical<Half>(uint16_t(_mm_cvtsi128_si32(half)));
}
#else
uint16_t narrowNative(float) = delete;
#endif
uint32_t narrowNative(double value) {
  return canonicalBits<Single>(float(value));
}

/// Narrowing by the host's own conversions, where it has them.
template <class To, class From>
void narrowFormat(Hart &h, const Instruction &i) {
#if defined(__F16C__)
  constexpr bool kHostNarrows = true;
#else
  constexpr bool kHostNarrows = sizeof(typename To::Bits) == 4;
#endif
  if constexpr (kHostNarrows)
    if (h.regs.frm != unsigned(Rounding::NearestMax)) {
      typename To::Bits *vd = group<typename To::Bits>(h, i.rd);
      const auto *a = group<typename From::Bits>(h, i.rs2);
      FloatScope<From> scope(Rounding(h.regs.frm), h.regs.fflags);
      return forActiveInOrder(h, i, [=](uint64_t e) {
        vd[e] = narrowNative(bitCast<typename From::Native>(a[e]));
      });
    }
  toFormat<To, From>(h, i);
}

/// Round to odd: toward zero, then the lowest bit says that something was lost.
/// What overflows becomes the largest number, which is odd.
template <class To, class From>
void toFormatOdd(Hart &h, const Instruction &i) {
  convertLoop<typename To::Bits, typename From::Bits>(
      h, i, [](auto a, uint8_t &flags) {
        uint8_t raised = 0;
        const auto result =
            convertFormat<To, From>(a, Rounding::TowardZero, raised);
        flags |= raised;
        return typename To::Bits(result | (raised & kInexact ? 1 : 0));
      });
}

VectorOperation conversion(const char *name, Width vd, Width vs2) {
  VectorOperation o;
  o.name = name;
  o.vd = vd;
  o.vs2 = vs2;
  o.needsFrm = true;
  return o;
}

constexpr Width kSame = Width::Same, kTwice = Width::Double;

template <bool kSigned, class Mode>
void addToInteger(VectorTable &t, unsigned rs1) {
  using I16 = std::conditional_t<kSigned, int16_t, uint16_t>;
  using I32 = std::conditional_t<kSigned, int32_t, uint32_t>;
  using I64 = std::conditional_t<kSigned, int64_t, uint64_t>;
  using I8 = std::conditional_t<kSigned, int8_t, uint8_t>;
  VectorOperation same = conversion("vfcvt.x.f", kSame, kSame);
  same.kernels[1] = toInteger<Half, I16, Mode>;
  same.kernels[2] = toInteger<Single, I32, Mode>;
  same.kernels[3] = toInteger<Double, I64, Mode>;
  VectorOperation widening = conversion("vfwcvt.x.f", kTwice, kSame);
  widening.kernels[1] = toInteger<Half, I32, Mode>;
  widening.kernels[2] = toInteger<Single, I64, Mode>;
  VectorOperation narrowing = conversion("vfncvt.x.f", kSame, kTwice);
  narrowing.kernels[0] = toInteger<Half, I8, Mode>;
  narrowing.kernels[1] = toInteger<Single, I16, Mode>;
  narrowing.kernels[2] = toInteger<Double, I32, Mode>;
  t.addUnary(kFVV, 0x12, rs1, same);
  t.addUnary(kFVV, 0x12, rs1 + 0x08, widening);
  t.addUnary(kFVV, 0x12, rs1 + 0x10, narrowing);
}

template <bool kSigned> void addFromInteger(VectorTable &t, unsigned rs1) {
  using I8 = std::conditional_t<kSigned, int8_t, uint8_t>;
  using I16 = std::conditional_t<kSigned, int16_t, uint16_t>;
  using I32 = std::conditional_t<kSigned, int32_t, uint32_t>;
  using I64 = std::conditional_t<kSigned, int64_t, uint64_t>;
  VectorOperation same = conversion("vfcvt.f.x", kSame, kSame);
  same.kernels[1] = fromInteger<Half, I16>;
  same.kernels[2] = fromInteger<Single, I32>;
  same.kernels[3] = fromInteger<Double, I64>;
  VectorOperation widening = conversion("vfwcvt.f.x", kTwice, kSame);
  widening.kernels[0] = fromInteger<Half, I8>;
  widening.kernels[1] = fromInteger<Single, I16>;
  widening.kernels[2] = fromInteger<Double, I32>;
  VectorOperation narrowing = conversion("vfncvt.f.x", kSame, kTwice);
  narrowing.kernels[1] = fromInteger<Half, I32>;
  narrowing.kernels[2] = fromInteger<Single, I64>;
  t.addUnary(kFVV, 0x12, rs1, same);
  t.addUnary(kFVV, 0x12, rs1 + 0x08, widening);
  t.addUnary(kFVV, 0x12, rs1 + 0x10, narrowing);
}

void addBetweenFormats(VectorTable &t) {
  VectorOperation widening = conversion("vfwcvt.f.f", kTwice, kSame);
  widening.kernels[1] = widenFormat<Half>;
  widening.kernels[2] = widenFormat<Single>;
  VectorOperation narrowing = conversion("vfncvt.f.f", kSame, kTwice);
  narrowing.kernels[1] = narrowFormat<Half, Single>;
  narrowing.kernels[2] = narrowFormat<Single, Double>;
  VectorOperation odd = conversion("vfncvt.rod.f.f", kSame, kTwice);
  odd.kernels[1] = toFormatOdd<Half, Single>;
  odd.kernels[2] = toFormatOdd<Single, Double>;
  VectorOperation fromBf16 = conversion("vfwcvtbf16.f.f", kTwice, kSame);
  fromBf16.kernels[1] = toFormat<Single, BFloat16>;
  VectorOperation toBf16 = conversion("vfncvtbf16.f.f", kSame, kTwice);
  toBf16.kernels[1] = toFormat<BFloat16, Single>;
  t.addUnary(kFVV, 0x12, 0x0c, widening);
  t.addUnary(kFVV, 0x12, 0x14, narrowing);
  t.addUnary(kFVV, 0x12, 0x15, odd);
  t.addUnary(kFVV, 0x12, 0x0d, fromBf16);
  t.addUnary(kFVV, 0x12, 0x1d, toBf16);
}

} // namespace

void kevolve::simulator::addVectorFloatConvert(VectorTable &t) {
  addToInteger<false, ByFrm>(t, 0x00);
  addToInteger<true, ByFrm>(t, 0x01);
  addFromInteger<false>(t, 0x02);
  addFromInteger<true>(t, 0x03);
  addToInteger<false, ToZero>(t, 0x06);
  addToInteger<true, ToZero>(t, 0x07);
  addBetweenFormats(t);
}
