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

/// Widens a vector element by element; signalling NaNs raise invalid where the
/// result is used. (A scalar is widened each time: it is one conversion.)
template <class F, class Vector> struct Widened {
  using W = typename WiderFormat<F>::type;
  const Vector narrow;
  uint8_t *flags;
  typename W::Bits operator[](uint64_t e) const {
    return convertFormat<W, F>(narrow[e], Rounding::NearestEven, *flags);
  }
};

} // namespace kevolve::simulator

#endif // KEVOLVE_SIMULATOR_HART_VECTOR_FLOAT_KERNEL_H
