//===- vector_widening.cpp - Widening, narrowing and extending
//----------------===//
#include "simulator/hart/vector_binary.h"

using namespace kevolve::simulator;

namespace {

// clang-format off
struct Add { template <class W> static W apply(W, W a, W b) { return W(a + b); } };
struct Sub { template <class W> static W apply(W, W a, W b) { return W(a - b); } };
struct Mul { template <class W> static W apply(W, W a, W b) { return multiply(a, b); } };
struct Macc { template <class W> static W apply(W d, W a, W b) { return W(d + multiply(a, b)); } };
struct Srl { template <class W> static W apply(W a, unsigned b) { return W(a >> b); } };
struct Sra { template <class W> static W apply(W a, unsigned b) { return W(Signed<W>(a) >> b); } };
// clang-format on

/// Destination of 2 * SEW from vs2 (kSignedA) and the other operand (kSignedB).
template <class Op, class Source, bool kSignedA, bool kSignedB> struct Widen {
  template <class T> static void run(Hart &h, const Instruction &i) {
    using W = Wider<T>;
    W *vd = group<W>(h, i.rd);
    const T *a = group<T>(h, i.rs2);
    const Operand<Source, T> b(h, i);
    forActiveInOrder(h, i, [=](uint64_t e) {
      vd[e] = Op::template apply<W>(vd[e], extend<kSignedA, W>(a[e]),
                                    extend<kSignedB, W>(b[e]));
    });
  }
};

/// The .w forms: vs2 is of 2 * SEW already.
template <class Op, class Source, bool kSigned> struct WidenWide {
  template <class T> static void run(Hart &h, const Instruction &i) {
    using W = Wider<T>;
    W *vd = group<W>(h, i.rd);
    const W *a = group<W>(h, i.rs2);
    const Operand<Source, T> b(h, i);
    forActiveInOrder(h, i, [=](uint64_t e) {
      vd[e] = Op::template apply<W>(0, a[e], extend<kSigned, W>(b[e]));
    });
  }
};

template <class Op, class Source> struct NarrowShift {
  template <class T> static void run(Hart &h, const Instruction &i) {
    using W = Wider<T>;
    T *vd = group<T>(h, i.rd);
    const W *a = group<W>(h, i.rs2);
    const Operand<Source, T> b(h, i);
    forActiveInOrder(h, i, [=](uint64_t e) {
      vd[e] =
          T(Op::template apply<W>(a[e], unsigned(b[e] & (8 * sizeof(W) - 1))));
    });
  }
};

template <class Narrow, bool kSigned> struct Extend {
  template <class T> static void run(Hart &h, const Instruction &i) {
    T *vd = group<T>(h, i.rd);
    const Narrow *a = group<Narrow>(h, i.rs2);
    forActiveInOrder(h, i,
                     [=](uint64_t e) { vd[e] = extend<kSigned, T>(a[e]); });
  }
};

constexpr Width kSame = Width::Same, kTwice = Width::Double,
                kNone = Width::None;

template <class Op, bool kA, bool kB>
void addWiden(VectorTable &t, const char *name, unsigned funct6) {
  t.add(kMVV, funct6,
        widenable<Widen<Op, FromVector, kA, kB>>(name, kTwice, kSame, kSame));
  t.add(kMVX, funct6,
        widenable<Widen<Op, FromX, kA, kB>>(name, kTwice, kSame, kNone));
}

template <class Op, bool kSigned>
void addWidenWide(VectorTable &t, const char *name, unsigned funct6) {
  t.add(kMVV, funct6,
        widenable<WidenWide<Op, FromVector, kSigned>>(name, kTwice, kTwice,
                                                      kSame));
  t.add(kMVX, funct6,
        widenable<WidenWide<Op, FromX, kSigned>>(name, kTwice, kTwice, kNone));
}

template <class Op>
void addNarrowShift(VectorTable &t, const char *name, unsigned funct6) {
  t.add(kIVV, funct6,
        widenable<NarrowShift<Op, FromVector>>(name, kSame, kTwice, kSame));
  t.add(kIVX, funct6,
        widenable<NarrowShift<Op, FromX>>(name, kSame, kTwice, kNone));
  t.add(kIVI, funct6,
        widenable<NarrowShift<Op, FromUnsigned>>(name, kSame, kTwice, kNone));
}

/// vzext and vsext by 2, 4 and 8; only to widths that are large enough.
template <bool kSigned>
void addExtend(VectorTable &t, const char *name, unsigned rs1By8) {
  VectorOperation by2, by4, by8;
  by2.name = by4.name = by8.name = name;
  by2.vs2 = Width::Half;
  by2.kernels[1] = Extend<uint8_t, kSigned>::template run<uint16_t>;
  by2.kernels[2] = Extend<uint16_t, kSigned>::template run<uint32_t>;
  by2.kernels[3] = Extend<uint32_t, kSigned>::template run<uint64_t>;
  by4.vs2 = Width::Quarter;
  by4.kernels[2] = Extend<uint8_t, kSigned>::template run<uint32_t>;
  by4.kernels[3] = Extend<uint16_t, kSigned>::template run<uint64_t>;
  by8.vs2 = Width::Eighth;
  by8.kernels[3] = Extend<uint8_t, kSigned>::template run<uint64_t>;
  t.addUnary(kMVV, 0x12, rs1By8, by8);
  t.addUnary(kMVV, 0x12, rs1By8 + 2, by4);
  t.addUnary(kMVV, 0x12, rs1By8 + 4, by2);
}

} // namespace

void kevolve::simulator::addVectorWidening(VectorTable &t) {
  addWiden<Add, false, false>(t, "vwaddu", 0x30);
  addWiden<Add, true, true>(t, "vwadd", 0x31);
  addWiden<Sub, false, false>(t, "vwsubu", 0x32);
  addWiden<Sub, true, true>(t, "vwsub", 0x33);
  addWidenWide<Add, false>(t, "vwaddu.w", 0x34);
  addWidenWide<Add, true>(t, "vwadd.w", 0x35);
  addWidenWide<Sub, false>(t, "vwsubu.w", 0x36);
  addWidenWide<Sub, true>(t, "vwsub.w", 0x37);
  addWiden<Mul, false, false>(t, "vwmulu", 0x38);
  addWiden<Mul, true, false>(t, "vwmulsu", 0x3a);
  addWiden<Mul, true, true>(t, "vwmul", 0x3b);
  addWiden<Macc, false, false>(t, "vwmaccu", 0x3c);
  addWiden<Macc, true, true>(t, "vwmacc", 0x3d);
  // vs1 (or the scalar) unsigned and vs2 signed; then the other way round.
  t.add(kMVX, 0x3e,
        widenable<Widen<Macc, FromX, true, false>>("vwmaccus", kTwice, kSame,
                                                   kNone));
  addWiden<Macc, false, true>(t, "vwmaccsu", 0x3f);
  addNarrowShift<Srl>(t, "vnsrl", 0x2c);
  addNarrowShift<Sra>(t, "vnsra", 0x2d);
  addExtend<false>(t, "vzext", 2);
  addExtend<true>(t, "vsext", 3);
}
