//===- vector_float_fused.cpp - FP multiply-add
//--------------------------------===//
#include "simulator/hart/vector_float_kernel.h"

using namespace kevolve::simulator;

namespace {

/// With a NaN addend, infinity times zero must be looked for (`fusedInvalid`).
template <class F> bool anyNan(const typename F::Bits *addend, uint64_t count) {
  typename F::Bits found = 0;
  for (uint64_t e = 0; e < count; ++e)
    found |= F::isNan(addend[e]);
  return found != 0;
}

/// vd = op(x, y, z): macc multiplies the sources and adds vd, madd multiplies
/// vd by the second source and adds vs2.
template <class F, class Op, bool kMacc, class VectorB>
void fusedLoop(Hart &h, const Instruction &i, const VectorB b) {
  using Bits = typename F::Bits;
  Bits *vd = group<Bits>(h, i.rd);
  const Bits *a = group<Bits>(h, i.rs2);
  FloatScope<F> scope(Rounding(h.regs.frm), h.regs.fflags);
  auto x = [=](uint64_t e) { return kMacc ? a[e] : vd[e]; };
  auto z = [=](uint64_t e) { return kMacc ? vd[e] : a[e]; };
  if constexpr (FloatScope<F>::kNative) {
    const Bits *addend = kMacc ? vd : a;
    if (runsNatively(scope) && !anyNan<F>(addend, h.regs.vl))
      return forActive(h, i, [=](uint64_t e) {
        vd[e] = applyNative<F, Op>(x(e), b[e], z(e));
      });
  }
  forActive(h, i, [&](uint64_t e) {
    vd[e] = compute<F, Op>(scope, x(e), b[e], z(e));
  });
}

template <class Op, bool kMacc, class Source> struct FloatFused {
  template <class F> static void run(Hart &h, const Instruction &i) {
    fusedLoop<F, Op, kMacc>(h, i, FloatOperand<Source, F>(h, i));
  }
};

/// Sources of SEW, destination and addend of 2 * SEW.
template <class Op, class Source> struct FloatFusedWiden {
  template <class F> static void run(Hart &h, const Instruction &i) {
    using W = typename WiderFormat<F>::type;
    using Bits = typename F::Bits;
    typename W::Bits *vd = group<typename W::Bits>(h, i.rd);
    const FloatOperand<Source, F> narrowB(h, i);
    FloatScope<W> scope(Rounding(h.regs.frm), h.regs.fflags);
    const Widened<F, const Bits *> a{group<Bits>(h, i.rs2)};
    const Widened<F, FloatOperand<Source, F>> b{narrowB};
    if (runsNatively(scope) && !anyNan<W>(vd, h.regs.vl))
      return forActiveInOrder(h, i, [=](uint64_t e) {
        vd[e] = applyNative<W, Op>(a[e], b[e], vd[e]);
      });
    forActiveInOrder(h, i, [&](uint64_t e) {
      vd[e] = compute<W, Op>(scope, a[e], b[e], vd[e]);
    });
  }
};

template <class Op, bool kMacc>
void addFused(VectorTable &t, const char *name, unsigned funct6) {
  t.add(kFVV, funct6,
        floatWidths<FloatFused<Op, kMacc, FromVector>>(name, Width::Same));
  t.add(kFVF, funct6, floatWidths<FloatFused<Op, kMacc, FromF>>(name));
}

template <class Op>
void addWiden(VectorTable &t, const char *name, unsigned funct6) {
  t.add(kFVV, funct6,
        floatWidenable<FloatFusedWiden<Op, FromVector>>(
            name, Width::Double, Width::Same, Width::Same));
  t.add(kFVF, funct6,
        floatWidenable<FloatFusedWiden<Op, FromF>>(name, Width::Double,
                                                   Width::Same));
}

} // namespace

void kevolve::simulator::addVectorFloatFused(VectorTable &t) {
  addFused<FMadd, false>(t, "vfmadd", 0x28);
  addFused<FNmadd, false>(t, "vfnmadd", 0x29);
  addFused<FMsub, false>(t, "vfmsub", 0x2a);
  addFused<FNmsub, false>(t, "vfnmsub", 0x2b);
  addFused<FMadd, true>(t, "vfmacc", 0x2c);
  addFused<FNmadd, true>(t, "vfnmacc", 0x2d);
  addFused<FMsub, true>(t, "vfmsac", 0x2e);
  addFused<FNmsub, true>(t, "vfnmsac", 0x2f);
  addWiden<FMadd>(t, "vfwmacc", 0x3c);
  addWiden<FNmadd>(t, "vfwnmacc", 0x3d);
  addWiden<FMsub>(t, "vfwmsac", 0x3e);
  addWiden<FNmsub>(t, "vfwnmsac", 0x3f);
}
