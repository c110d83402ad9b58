//===- vector_reduce.cpp - Reductions to one element
//--------------------------===//
#include "simulator/hart/float_arithmetic.h"
#include "simulator/hart/vector.h"

using namespace kevolve::simulator;

namespace {

// clang-format off
struct Sum { template <class T> static T apply(T a, T b) { return T(a + b); } };
struct And { template <class T> static T apply(T a, T b) { return a & b; } };
struct Or { template <class T> static T apply(T a, T b) { return a | b; } };
struct Xor { template <class T> static T apply(T a, T b) { return a ^ b; } };
struct Minu { template <class T> static T apply(T a, T b) { return a < b ? a : b; } };
struct Maxu { template <class T> static T apply(T a, T b) { return a < b ? b : a; } };
struct Min { template <class T> static T apply(T a, T b) { return Signed<T>(a) < Signed<T>(b) ? a : b; } };
struct Max { template <class T> static T apply(T a, T b) { return Signed<T>(a) < Signed<T>(b) ? b : a; } };
// clang-format on

template <class Op> struct Reduce {
  template <class T> static void run(Hart &h, const Instruction &i) {
    if (h.regs.vl == 0)
      return;
    const T *a = group<T>(h, i.rs2);
    T result = group<T>(h, i.rs1)[0];
    forActiveInOrder(h, i, [&](uint64_t e) {
      result = Op::template apply<T>(result, a[e]);
    });
    group<T>(h, i.rd)[0] = result;
  }
};

template <bool kSigned> struct ReduceWide {
  template <class T> static void run(Hart &h, const Instruction &i) {
    using W = Wider<T>;
    if (h.regs.vl == 0)
      return;
    const T *a = group<T>(h, i.rs2);
    W result = group<W>(h, i.rs1)[0];
    forActiveInOrder(h, i, [&](uint64_t e) {
      result = W(result + extend<kSigned, W>(a[e]));
    });
    group<W>(h, i.rd)[0] = result;
  }
};

/// In element order; an unordered sum may take any order, so also this one.
struct FloatSum {
  template <class F> static void run(Hart &h, const Instruction &i) {
    using Bits = typename F::Bits;
    if (h.regs.vl == 0)
      return;
    const Bits *a = group<Bits>(h, i.rs2);
    FloatScope<F> scope(Rounding(h.regs.frm), h.regs.fflags);
    Bits result = group<Bits>(h, i.rs1)[0];
    forActiveInOrder(h, i, [&](uint64_t e) {
      result = compute<F, FAdd>(scope, result, a[e]);
    });
    group<Bits>(h, i.rd)[0] = result;
  }
};

struct FloatSumWide {
  template <class F> static void run(Hart &h, const Instruction &i) {
    using W = typename WiderFormat<F>::type;
    using Bits = typename W::Bits;
    if (h.regs.vl == 0)
      return;
    const typename F::Bits *a = group<typename F::Bits>(h, i.rs2);
    FloatScope<W> scope(Rounding(h.regs.frm), h.regs.fflags);
    Bits result = group<Bits>(h, i.rs1)[0];
    forActiveInOrder(h, i, [&](uint64_t e) {
      const Bits wide = convertFormat<W, F>(a[e], scope.mode, scope.flags);
      result = compute<W, FAdd>(scope, result, wide);
    });
    group<Bits>(h, i.rd)[0] = result;
  }
};

template <class Op> struct FloatSelect {
  template <class F> static void run(Hart &h, const Instruction &i) {
    using Bits = typename F::Bits;
    if (h.regs.vl == 0)
      return;
    const Bits *a = group<Bits>(h, i.rs2);
    Bits result = group<Bits>(h, i.rs1)[0];
    uint8_t flags = 0;
    forActiveInOrder(h, i, [&](uint64_t e) {
      result = Op::template apply<F>(result, a[e], flags);
    });
    group<Bits>(h, i.rd)[0] = result;
    h.regs.fflags |= flags;
  }
};

VectorOperation reducing(VectorOperation o,
                         VectorCost cost = VectorCost::Reduce) {
  o.vd = o.vs1 = Width::Element;
  o.vs2 = Width::Same;
  o.needsVstart0 = true;
  o.cost = cost;
  return o;
}

template <class Op>
void addReduce(VectorTable &t, const char *name, unsigned funct6) {
  t.add(kMVV, funct6, reducing(allWidths<Reduce<Op>>(name)));
}

template <class Kernel> VectorOperation widening(const char *name) {
  return reducing(
      widenable<Kernel>(name, Width::Element, Width::Same, Width::Element));
}
template <class Kernel>
VectorOperation floatWidening(const char *name, VectorCost cost) {
  return reducing(floatWidenable<Kernel>(name, Width::Element, Width::Same),
                  cost);
}

} // namespace

void kevolve::simulator::addVectorReduce(VectorTable &t) {
  const VectorCost ordered = VectorCost::OrderedReduce;
  addReduce<Sum>(t, "vredsum", 0x00);
  addReduce<And>(t, "vredand", 0x01);
  addReduce<Or>(t, "vredor", 0x02);
  addReduce<Xor>(t, "vredxor", 0x03);
  addReduce<Minu>(t, "vredminu", 0x04);
  addReduce<Min>(t, "vredmin", 0x05);
  addReduce<Maxu>(t, "vredmaxu", 0x06);
  addReduce<Max>(t, "vredmax", 0x07);
  t.add(kIVV, 0x30, widening<ReduceWide<false>>("vwredsumu"));
  t.add(kIVV, 0x31, widening<ReduceWide<true>>("vwredsum"));
  t.add(kFVV, 0x01, reducing(floatWidths<FloatSum>("vfredusum")));
  t.add(kFVV, 0x03, reducing(floatWidths<FloatSum>("vfredosum"), ordered));
  t.add(kFVV, 0x05, reducing(floatWidths<FloatSelect<FMin>>("vfredmin")));
  t.add(kFVV, 0x07, reducing(floatWidths<FloatSelect<FMax>>("vfredmax")));
  t.add(kFVV, 0x31,
        floatWidening<FloatSumWide>("vfwredusum", VectorCost::Reduce));
  t.add(kFVV, 0x33, floatWidening<FloatSumWide>("vfwredosum", ordered));
}
