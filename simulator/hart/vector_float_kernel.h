//===- vector_float_kernel.h - Element-wise FP kernels ----------*- C++ -*-===//
//
// Single and double, in every mode but ties-away, run as plain loops on host
// floats; the rest goes element by element through `compute`.
//
//===----------------------------------------------------------------------===//
#ifndef KEVOLVE_SIMULATOR_HART_VECTOR_FLOAT_KERNEL_H
#define KEVOLVE_SIMULATOR_HART_VECTOR_FLOAT_KERNEL_H

#include "simulator/hart/float_arithmetic.h"
#include "simulator/hart/vector_binary.h"

namespace kevolve::simulator {

/// A vector or scalar FP operand; FromF means the latter.
template <class Source, class F> class FloatOperand {
  using Bits = typename F::Bits;

public:
  FloatOperand(Hart &h, const Instruction &i)
      : value(Source::template get<F>(h, i)) {}
  Bits operator[](uint64_t) const { return value; }

private:
  Bits value;
};
template <class F> class FloatOperand<FromVector, F> {
  using Bits = typename F::Bits;

public:
  FloatOperand(Hart &h, const Instruction &i)
      : elements(group<Bits>(h, i.rs1)) {}
  Bits operator[](uint64_t e) const { return elements[e]; }

private:
  const Bits *elements;
};

/// A host float's bits, NaNs made canonical without raising anything.
template <class F> typename F::Bits canonicalBits(typename F::Native value) {
  const typename F::Bits bits = bitCast<typename F::Bits>(value);
  return value != value ? F::kCanonicalNan : bits;
}

/// Whether host arithmetic can run a whole vector.
template <class F> bool runsNatively(const FloatScope<F> &scope) {
  return scope.kNative && scope.mode != Rounding::NearestMax;
}

template <class F, class Op, class... A>
typename F::Bits applyNative(A... operands) {
  using Native = typename F::Native;
  return canonicalBits<F>(Op::apply(bitCast<Native>(operands)...));
}

/// vd[e] = op(a[e], b[e]) for operands that are indexed by element.
template <class F, class Op, class VectorA, class VectorB>
void floatBinaryLoop(Hart &h, const Instruction &i, typename F::Bits *vd,
                     const VectorA a, const VectorB b) {
  FloatScope<F> scope(Rounding(h.regs.frm), h.regs.fflags);
  if constexpr (FloatScope<F>::kNative)
    if (runsNatively(scope))
      return forActive(
          h, i, [=](uint64_t e) { vd[e] = applyNative<F, Op>(a[e], b[e]); });
  forActive(h, i,
            [&](uint64_t e) { vd[e] = compute<F, Op>(scope, a[e], b[e]); });
}

template <class Op, class Source> struct FloatBinary {
  template <class F> static void run(Hart &h, const Instruction &i) {
    using Bits = typename F::Bits;
    floatBinaryLoop<F, Op>(h, i, group<Bits>(h, i.rd), group<Bits>(h, i.rs2),
                           FloatOperand<Source, F>(h, i));
  }
};

/// The single of a half, exactly, without branches and flags; a NaN keeps its
/// payload and stays signalling.
inline float widenNative(uint16_t half) {
  const uint32_t magnitude = half & 0x7fffu;
  const uint32_t rebias = 112u << 23; // 127 - 15
  const uint32_t special = magnitude >= 0x7c00 ? rebias : 0;
  const uint32_t normal = (magnitude << 13) + rebias + special;
  const float subnormal = float(int32_t(magnitude)) * 0x1p-24f;
  const uint32_t bits =
      magnitude < 0x400 ? bitCast<uint32_t>(subnormal) : normal;
  return bitCast<float>(bits | uint32_t(half & 0x8000u) << 16);
}
/// The double of a single; a signalling NaN raises invalid, as every operation
/// on it does.
inline double widenNative(uint32_t single) { return bitCast<float>(single); }

/// A vector (or scalar operand) of F, read as the host type of twice the width.
template <class F, class Vector> struct Widened {
  using W = typename WiderFormat<F>::type;
  const Vector narrow;
  typename W::Bits operator[](uint64_t e) const {
    return bitCast<typename W::Bits>(widenNative(narrow[e]));
  }
};

} // namespace kevolve::simulator

#endif // KEVOLVE_SIMULATOR_HART_VECTOR_FLOAT_KERNEL_H
