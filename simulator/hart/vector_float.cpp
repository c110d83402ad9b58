//===- vector_float.cpp - FP add, multiply, divide, compare, select
//----------===//
#include "simulator/hart/vector_float_kernel.h"

using namespace kevolve::simulator;

namespace {

/// Widening add, subtract and multiply: exact conversions, one rounding.
template <class Op, class Source, bool kWideA> struct FloatWiden {
  template <class F> static void run(Hart &h, const Instruction &i) {
    using W = typename WiderFormat<F>::type;
    using Bits = typename F::Bits;
    typename W::Bits *vd = group<typename W::Bits>(h, i.rd);
    const FloatOperand<Source, F> narrowB(h, i);
    FloatScope<W> scope(Rounding(h.regs.frm), h.regs.fflags);
    const Widened<F, FloatOperand<Source, F>> b{narrowB};
    auto loop = [&](auto a) {
      if (runsNatively(scope))
        return forActiveInOrder(
            h, i, [=](uint64_t e) { vd[e] = applyNative<W, Op>(a[e], b[e]); });
      forActiveInOrder(
          h, i, [&](uint64_t e) { vd[e] = compute<W, Op>(scope, a[e], b[e]); });
    };
    if constexpr (kWideA)
      loop(group<typename W::Bits>(h, i.rs2));
    else
      loop(Widened<F, const Bits *>{group<Bits>(h, i.rs2)});
  }
};

struct FloatSqrt {
  template <class F> static void run(Hart &h, const Instruction &i) {
    using Bits = typename F::Bits;
    Bits *vd = group<Bits>(h, i.rd);
    const Bits *a = group<Bits>(h, i.rs2);
    FloatScope<F> scope(Rounding(h.regs.frm), h.regs.fflags);
    forActive(h, i,
              [&](uint64_t e) { vd[e] = compute<F, FSqrt>(scope, a[e]); });
  }
};

/// Minimum, maximum, sign injection.
template <class Op, class Source> struct FloatSelect {
  template <class F> static void run(Hart &h, const Instruction &i) {
    using Bits = typename F::Bits;
    Bits *vd = group<Bits>(h, i.rd);
    const Bits *a = group<Bits>(h, i.rs2);
    const FloatOperand<Source, F> b(h, i);
    uint8_t flags = 0;
    forActive(h, i, [&, vd, a, b](uint64_t e) {
      vd[e] = Op::template apply<F>(a[e], b[e], flags);
    });
    h.regs.fflags |= flags;
  }
};

/// Only active elements may raise flags, so only they are compared.
template <class Op, class Source> struct FloatCompare {
  template <class F> static void run(Hart &h, const Instruction &i) {
    using Bits = typename F::Bits;
    const Bits *a = group<Bits>(h, i.rs2);
    const FloatOperand<Source, F> b(h, i);
    uint8_t results[kMaxElements];
    uint8_t flags = 0;
    forActiveInOrder(h, i, [&](uint64_t e) {
      results[e] = Op::template apply<F>(a[e], b[e], flags);
    });
    h.regs.fflags |= flags;
    writeMask(h, i, results);
  }
};

struct FloatClass {
  template <class F> static void run(Hart &h, const Instruction &i) {
    using Bits = typename F::Bits;
    Bits *vd = group<Bits>(h, i.rd);
    const Bits *a = group<Bits>(h, i.rs2);
    forActive(h, i, [=](uint64_t e) { vd[e] = Bits(classify<F>(a[e])); });
  }
};

struct FloatMerge {
  template <class F> static void run(Hart &h, const Instruction &i) {
    using Bits = typename F::Bits;
    Bits *vd = group<Bits>(h, i.rd);
    const Bits *a = group<Bits>(h, i.rs2);
    const Bits b = FromF::get<F>(h, i);
    for (uint64_t e = h.regs.vstart; e < h.regs.vl; ++e)
      vd[e] = maskBit(h.regs.v[0], e) ? b : a[e];
  }
};
struct FloatSplat {
  template <class F> static void run(Hart &h, const Instruction &i) {
    using Bits = typename F::Bits;
    Bits *vd = group<Bits>(h, i.rd);
    const Bits b = FromF::get<F>(h, i);
    forActive(h, i, [=](uint64_t e) { vd[e] = b; });
  }
};

template <template <class, class> class Kernel, class Op>
void addBoth(VectorTable &t, const char *name, unsigned funct6,
             VectorCost cost = VectorCost::Plain) {
  t.add(kFVV, funct6,
        costing(floatWidths<Kernel<Op, FromVector>>(name, Width::Same), cost));
  t.add(kFVF, funct6, costing(floatWidths<Kernel<Op, FromF>>(name), cost));
}

template <class Op, bool kWideA>
void addWiden(VectorTable &t, const char *name, unsigned funct6) {
  const Width vs2 = kWideA ? Width::Double : Width::Same;
  t.add(kFVV, funct6,
        floatWidenable<FloatWiden<Op, FromVector, kWideA>>(name, Width::Double,
                                                           vs2, Width::Same));
  t.add(
      kFVF, funct6,
      floatWidenable<FloatWiden<Op, FromF, kWideA>>(name, Width::Double, vs2));
}

template <class Op, class Source>
void addCompare(VectorTable &t, const char *name, unsigned funct6) {
  const bool vector = std::is_same_v<Source, FromVector>;
  VectorOperation o = floatWidths<FloatCompare<Op, Source>>(
      name, vector ? Width::Same : Width::None);
  o.vd = Width::Mask;
  t.add(vector ? kFVV : kFVF, funct6, o);
}

template <class Op>
void addCompareBoth(VectorTable &t, const char *name, unsigned funct6) {
  addCompare<Op, FromVector>(t, name, funct6);
  addCompare<Op, FromF>(t, name, funct6);
}

void addMergeAndSplat(VectorTable &t) {
  VectorOperation merge = floatWidths<FloatMerge>("vfmerge");
  merge.mask = MaskUse::Required;
  t.addByVm(kFVF, 0x17, false, merge);
  VectorOperation splat = floatWidths<FloatSplat>("vfmv.v.f");
  splat.vs2 = Width::None;
  t.addByVm(kFVF, 0x17, true, splat);
}

} // namespace

void kevolve::simulator::addVectorFloat(VectorTable &t) {
  const VectorCost divide = VectorCost::Divide;
  addBoth<FloatBinary, FAdd>(t, "vfadd", 0x00);
  addBoth<FloatBinary, FSub>(t, "vfsub", 0x02);
  addBoth<FloatSelect, FMin>(t, "vfmin", 0x04);
  addBoth<FloatSelect, FMax>(t, "vfmax", 0x06);
  addBoth<FloatSelect, FSgnj>(t, "vfsgnj", 0x08);
  addBoth<FloatSelect, FSgnjn>(t, "vfsgnjn", 0x09);
  addBoth<FloatSelect, FSgnjx>(t, "vfsgnjx", 0x0a);
  addCompareBoth<FEqual>(t, "vmfeq", 0x18);
  addCompareBoth<FLessEqual>(t, "vmfle", 0x19);
  addCompareBoth<FLess>(t, "vmflt", 0x1b);
  addCompareBoth<FNotEqual>(t, "vmfne", 0x1c);
  addCompare<FGreater, FromF>(t, "vmfgt", 0x1d);
  addCompare<FGreaterEqual, FromF>(t, "vmfge", 0x1f);
  addBoth<FloatBinary, FDiv>(t, "vfdiv", 0x20, divide);
  t.add(kFVF, 0x21,
        costing(floatWidths<FloatBinary<FRdiv, FromF>>("vfrdiv"), divide));
  addBoth<FloatBinary, FMul>(t, "vfmul", 0x24);
  t.add(kFVF, 0x27, floatWidths<FloatBinary<FRsub, FromF>>("vfrsub"));
  addWiden<FAdd, false>(t, "vfwadd", 0x30);
  addWiden<FSub, false>(t, "vfwsub", 0x32);
  addWiden<FAdd, true>(t, "vfwadd.w", 0x34);
  addWiden<FSub, true>(t, "vfwsub.w", 0x36);
  addWiden<FMul, false>(t, "vfwmul", 0x38);
  t.addUnary(kFVV, 0x13, 0x00,
             costing(floatWidths<FloatSqrt>("vfsqrt"), divide));
  t.addUnary(kFVV, 0x13, 0x10, floatWidths<FloatClass>("vfclass"));
  addMergeAndSplat(t);
}
