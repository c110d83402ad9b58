//===- vector_float_fused.cpp - FP multiply-add
//--------------------------------===//
#include "simulator/hart/vector_float_kernel.h"

using namespace kevolve::simulator;

namespace {

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
    // With a NaN addend, infinity times zero must be looked for.
    const Bits *addend = kMacc ? vd : a;
    Bits anyNan = 0;
    for (uint64_t e = 0; e < h.regs.vl; ++e)
      anyNan |= F::isNan(addend[e]);
    if (runsNatively(scope) && !anyNan)
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

/// Sources of SEW, destination and addend of 2 * SEW. BFloat16 sources come
/// here too, with Single destinations.
template <class W, class F, class Op, class VectorB>
void fusedWidenLoop(Hart &h, const Instruction &i, const VectorB b) {
  typename W::Bits *vd = group<typename W::Bits>(h, i.rd);
  const typename F::Bits *a = group<typename F::Bits>(h, i.rs2);
  FloatScope<W> scope(Rounding(h.regs.frm), h.regs.fflags);
  forActiveInOrder(h, i, [&](uint64_t e) {
    const auto x = convertFormat<W, F>(a[e], scope.mode, scope.flags);
    const auto y = convertFormat<W, F>(b[e], scope.mode, scope.flags);
    vd[e] = compute<W, Op>(scope, x, y, vd[e]);
  });
}

template <class Op, class Source> struct FloatFusedWiden {
  template <class F> static void run(Hart &h, const Instruction &i) {
    fusedWidenLoop<typename WiderFormat<F>::type, F, Op>(
        h, i, FloatOperand<Source, F>(h, i));
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
