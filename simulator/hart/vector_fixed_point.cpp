//===- vector_fixed_point.cpp - Saturating, averaging, rounding
//---------------===//
#include "simulator/hart/vector_binary.h"

#include <limits>

using namespace kevolve::simulator;

namespace {

/// What fixed-point operations read and set besides their operands.
struct FixedPoint {
  uint8_t vxrm;
  bool saturated = false;
};

/// What vxrm adds to `value >> shift` (section 3.8 of the V specification).
template <class W> W roundingIncrement(uint8_t vxrm, W value, unsigned shift) {
  if (shift == 0)
    return 0;
  const W one = 1;
  const W lost = value & ((one << shift) - 1);
  const bool guard = value >> (shift - 1) & 1;
  const bool odd = value >> shift & 1;
  switch (vxrm) {
  case 0: // to nearest, up
    return guard;
  case 1: // to nearest, even
    return guard && ((lost & ((one << (shift - 1)) - 1)) != 0 || odd);
  case 2: // down
    return 0;
  }
  return !odd && lost != 0; // to odd
}

/// value >> shift, rounded; S may be signed.
template <class S> S roundedShift(uint8_t vxrm, S value, unsigned shift) {
  using U = std::conditional_t<(sizeof(S) > 8), unsigned __int128, uint64_t>;
  using I = std::conditional_t<(sizeof(S) > 8), __int128, int64_t>;
  const U increment = roundingIncrement<U>(vxrm, U(I(value)), shift);
  return S(U(value >> shift) + increment);
}

template <class T> T saturate(FixedPoint &fp, T value) {
  fp.saturated = true;
  return value;
}

struct Saddu {
  template <class T> static T apply(T a, T b, FixedPoint &fp) {
    const T sum = T(a + b);
    return sum < a ? saturate(fp, T(-1)) : sum;
  }
};
struct Sadd {
  template <class T> static T apply(T a, T b, FixedPoint &fp) {
    const T sum = T(a + b);
    const bool overflow = Signed<T>((sum ^ a) & (sum ^ b)) < 0;
    const T limit =
        T(T(std::numeric_limits<Signed<T>>::max()) + (Signed<T>(a) < 0));
    return overflow ? saturate(fp, limit) : sum;
  }
};
struct Ssubu {
  template <class T> static T apply(T a, T b, FixedPoint &fp) {
    return a < b ? saturate(fp, T(0)) : T(a - b);
  }
};
struct Ssub {
  template <class T> static T apply(T a, T b, FixedPoint &fp) {
    const T difference = T(a - b);
    const bool overflow = Signed<T>((a ^ b) & (difference ^ a)) < 0;
    const T limit =
        T(T(std::numeric_limits<Signed<T>>::max()) + (Signed<T>(a) < 0));
    return overflow ? saturate(fp, limit) : difference;
  }
};

/// (a +- b) >> 1 without losing the carry.
template <bool kSigned, bool kSubtract> struct Average {
  template <class T> static T apply(T a, T b, FixedPoint &fp) {
    using I = std::conditional_t<(sizeof(T) > 4), __int128, int64_t>;
    const I wideA = kSigned ? I(Signed<T>(a)) : I(a);
    const I wideB = kSigned ? I(Signed<T>(b)) : I(b);
    return T(
        roundedShift<I>(fp.vxrm, kSubtract ? wideA - wideB : wideA + wideB, 1));
  }
};

struct Smul {
  template <class T> static T apply(T a, T b, FixedPoint &fp) {
    using S = Signed<T>;
    using I = std::conditional_t<(sizeof(T) > 4), __int128, int64_t>;
    const S least = std::numeric_limits<S>::min();
    if (S(a) == least && S(b) == least)
      return saturate(fp, T(std::numeric_limits<S>::max()));
    return T(roundedShift<I>(fp.vxrm, I(S(a)) * I(S(b)), 8 * sizeof(T) - 1));
  }
};
struct Ssrl {
  template <class T> static T apply(T a, T b, FixedPoint &fp) {
    return roundedShift<T>(fp.vxrm, a, unsigned(b & (8 * sizeof(T) - 1)));
  }
};
struct Ssra {
  template <class T> static T apply(T a, T b, FixedPoint &fp) {
    return T(roundedShift<Signed<T>>(fp.vxrm, Signed<T>(a),
                                     unsigned(b & (8 * sizeof(T) - 1))));
  }
};

/// Narrows a double-width element after a rounding shift, saturating.
template <bool kSigned> struct Clip {
  template <class T> static T narrow(Wider<T> a, T b, FixedPoint &fp) {
    using W = std::conditional_t<kSigned, Signed<Wider<T>>, Wider<T>>;
    using N = std::conditional_t<kSigned, Signed<T>, T>;
    const unsigned shift = unsigned(b & (16 * sizeof(T) - 1));
    const W shifted = roundedShift<W>(fp.vxrm, W(a), shift);
    if (shifted > W(std::numeric_limits<N>::max()))
      return saturate(fp, T(std::numeric_limits<N>::max()));
    if (shifted < W(std::numeric_limits<N>::min()))
      return saturate(fp, T(std::numeric_limits<N>::min()));
    return T(shifted);
  }
};

template <class Op, class Source> struct Fixed {
  template <class T> static void run(Hart &h, const Instruction &i) {
    T *vd = group<T>(h, i.rd);
    const T *a = group<T>(h, i.rs2);
    const Operand<Source, T> b(h, i);
    FixedPoint fp{h.regs.vxrm};
    forActive(h, i, [&](uint64_t e) {
      vd[e] = Op::template apply<T>(a[e], b[e], fp);
    });
    h.regs.vxsat |= fp.saturated;
  }
};

template <class Op, class Source> struct FixedNarrow {
  template <class T> static void run(Hart &h, const Instruction &i) {
    T *vd = group<T>(h, i.rd);
    const Wider<T> *a = group<Wider<T>>(h, i.rs2);
    const Operand<Source, T> b(h, i);
    FixedPoint fp{h.regs.vxrm};
    forActiveInOrder(h, i, [&](uint64_t e) {
      vd[e] = Op::template narrow<T>(a[e], b[e], fp);
    });
    h.regs.vxsat |= fp.saturated;
  }
};

template <class Op>
void addFixed(VectorTable &t, const char *name, unsigned funct6,
              unsigned forms) {
  t.add(kIVV, funct6, allWidths<Fixed<Op, FromVector>>(name, Width::Same));
  t.add(kIVX, funct6, allWidths<Fixed<Op, FromX>>(name));
  if (forms & kFormVI)
    t.add(kIVI, funct6, allWidths<Fixed<Op, FromSigned>>(name));
  if (forms & kFormVU)
    t.add(kIVI, funct6, allWidths<Fixed<Op, FromUnsigned>>(name));
}

template <class Op>
void addAveraging(VectorTable &t, const char *name, unsigned funct6) {
  t.add(kMVV, funct6, allWidths<Fixed<Op, FromVector>>(name, Width::Same));
  t.add(kMVX, funct6, allWidths<Fixed<Op, FromX>>(name));
}

template <class Op>
void addClip(VectorTable &t, const char *name, unsigned funct6) {
  const Width same = Width::Same, twice = Width::Double, none = Width::None;
  t.add(kIVV, funct6,
        widenable<FixedNarrow<Op, FromVector>>(name, same, twice, same));
  t.add(kIVX, funct6,
        widenable<FixedNarrow<Op, FromX>>(name, same, twice, none));
  t.add(kIVI, funct6,
        widenable<FixedNarrow<Op, FromUnsigned>>(name, same, twice, none));
}

} // namespace

void kevolve::simulator::addVectorFixedPoint(VectorTable &t) {
  addFixed<Saddu>(t, "vsaddu", 0x20, kFormVI);
  addFixed<Sadd>(t, "vsadd", 0x21, kFormVI);
  addFixed<Ssubu>(t, "vssubu", 0x22, 0);
  addFixed<Ssub>(t, "vssub", 0x23, 0);
  addFixed<Smul>(t, "vsmul", 0x27, 0);
  addFixed<Ssrl>(t, "vssrl", 0x2a, kFormVU);
  addFixed<Ssra>(t, "vssra", 0x2b, kFormVU);
  addClip<Clip<false>>(t, "vnclipu", 0x2e);
  addClip<Clip<true>>(t, "vnclip", 0x2f);
  addAveraging<Average<false, false>>(t, "vaaddu", 0x08);
  addAveraging<Average<true, false>>(t, "vaadd", 0x09);
  addAveraging<Average<false, true>>(t, "vasubu", 0x0a);
  addAveraging<Average<true, true>>(t, "vasub", 0x0b);
}
