//===- vector_bits.cpp - Zvbb: and-not, reversals, counts, rotates
//-------------===//
#include "simulator/hart/vector_binary.h"

using namespace kevolve::simulator;

namespace {

template <class T> constexpr unsigned kBitsOf = 8 * sizeof(T);

struct Andn {
  template <class T> static T apply(T a, T b) { return T(a & ~b); }
};
struct Ror {
  template <class T> static T apply(T a, T b) {
    const unsigned right = unsigned(b & (kBitsOf<T> - 1));
    const unsigned left = (kBitsOf<T> - right) & (kBitsOf<T> - 1);
    return T(a >> right | T(a << left));
  }
};
struct Rol {
  template <class T> static T apply(T a, T b) {
    return Ror::apply<T>(a, T(0 - b));
  }
};

struct Brev8 {
  template <class T> static T apply(T a) {
    uint64_t v = a;
    v = (v >> 1 & UINT64_C(0x5555555555555555)) |
        (v & UINT64_C(0x5555555555555555)) << 1;
    v = (v >> 2 & UINT64_C(0x3333333333333333)) |
        (v & UINT64_C(0x3333333333333333)) << 2;
    v = (v >> 4 & UINT64_C(0x0f0f0f0f0f0f0f0f)) |
        (v & UINT64_C(0x0f0f0f0f0f0f0f0f)) << 4;
    return T(v);
  }
};
struct Rev8 {
  template <class T> static T apply(T a) {
    return T(__builtin_bswap64(a) >> (64 - kBitsOf<T>));
  }
};
struct Brev {
  template <class T> static T apply(T a) {
    return Brev8::apply<T>(Rev8::apply<T>(a));
  }
};
struct Clz {
  template <class T> static T apply(T a) {
    return T(a ? unsigned(__builtin_clzll(a)) - (64 - kBitsOf<T>) : kBitsOf<T>);
  }
};
struct Ctz {
  template <class T> static T apply(T a) {
    return T(a ? unsigned(__builtin_ctzll(a)) : kBitsOf<T>);
  }
};
struct Cpop {
  template <class T> static T apply(T a) { return T(__builtin_popcountll(a)); }
};

template <class Op> struct Unary {
  template <class T> static void run(Hart &h, const Instruction &i) {
    T *vd = group<T>(h, i.rd);
    const T *a = group<T>(h, i.rs2);
    forActive(h, i, [=](uint64_t e) { vd[e] = Op::template apply<T>(a[e]); });
  }
};

/// vwsll: the shift of a zero-extended element.
template <class Source> struct WideShift {
  template <class T> static void run(Hart &h, const Instruction &i) {
    using W = Wider<T>;
    W *vd = group<W>(h, i.rd);
    const T *a = group<T>(h, i.rs2);
    const Operand<Source, T> b(h, i);
    forActiveInOrder(h, i, [=](uint64_t e) {
      vd[e] = W(W(a[e]) << (b[e] & (kBitsOf<W> - 1)));
    });
  }
};

/// vror.vi has a sixth immediate bit, bit 26: its funct6 is 0x14 or 0x15.
template <unsigned kHigh> struct RotateImmediate {
  template <class T> static T get(Hart &, const Instruction &i) {
    return T(i.rs1 | kHigh);
  }
};

} // namespace

void kevolve::simulator::addVectorBits(VectorTable &t) {
  const Width same = Width::Same, twice = Width::Double, none = Width::None;
  addBinary<Andn>(t, "vandn", 0x01, kFormVV | kFormVX);
  addBinary<Ror>(t, "vror", 0x14, kFormVV | kFormVX);
  addBinary<Rol>(t, "vrol", 0x15, kFormVV | kFormVX);
  t.add(kIVI, 0x14, allWidths<Binary<Ror, RotateImmediate<0>>>("vror.vi"));
  t.add(kIVI, 0x15, allWidths<Binary<Ror, RotateImmediate<32>>>("vror.vi"));
  t.addUnary(kMVV, 0x12, 8, allWidths<Unary<Brev8>>("vbrev8"));
  t.addUnary(kMVV, 0x12, 9, allWidths<Unary<Rev8>>("vrev8"));
  t.addUnary(kMVV, 0x12, 10, allWidths<Unary<Brev>>("vbrev"));
  t.addUnary(kMVV, 0x12, 12, allWidths<Unary<Clz>>("vclz"));
  t.addUnary(kMVV, 0x12, 13, allWidths<Unary<Ctz>>("vctz"));
  t.addUnary(kMVV, 0x12, 14, allWidths<Unary<Cpop>>("vcpop.v"));
  t.add(kIVV, 0x35,
        widenable<WideShift<FromVector>>("vwsll.vv", twice, same, same));
  t.add(kIVX, 0x35, widenable<WideShift<FromX>>("vwsll.vx", twice, same, none));
  t.add(kIVI, 0x35,
        widenable<WideShift<FromUnsigned>>("vwsll.vi", twice, same, none));
}
