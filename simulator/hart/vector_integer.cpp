//===- vector_integer.cpp - Add, logic, shifts, minimum, carries, merges
//----===//
#include "simulator/hart/vector_binary.h"

using namespace kevolve::simulator;

namespace {

// `a` is the element of vs2, `b` that of vs1 or the scalar.
// clang-format off
struct Add { template <class T> static T apply(T a, T b) { return T(a + b); } };
struct Sub { template <class T> static T apply(T a, T b) { return T(a - b); } };
struct Rsub { template <class T> static T apply(T a, T b) { return T(b - a); } };
struct And { template <class T> static T apply(T a, T b) { return a & b; } };
struct Or { template <class T> static T apply(T a, T b) { return a | b; } };
struct Xor { template <class T> static T apply(T a, T b) { return a ^ b; } };
struct Minu { template <class T> static T apply(T a, T b) { return a < b ? a : b; } };
struct Maxu { template <class T> static T apply(T a, T b) { return a < b ? b : a; } };
struct Min { template <class T> static T apply(T a, T b) { return Signed<T>(a) < Signed<T>(b) ? a : b; } };
struct Max { template <class T> static T apply(T a, T b) { return Signed<T>(a) < Signed<T>(b) ? b : a; } };
struct Sll { template <class T> static T apply(T a, T b) { return T(a << (b & (8 * sizeof(T) - 1))); } };
struct Srl { template <class T> static T apply(T a, T b) { return T(a >> (b & (8 * sizeof(T) - 1))); } };
struct Sra { template <class T> static T apply(T a, T b) { return T(Signed<T>(a) >> (b & (8 * sizeof(T) - 1))); } };
struct Second { template <class T> static T apply(T, T b) { return b; } };
// clang-format on

//--- Carries: v0 holds carry-in bits
//---------------------------------------------

struct Adc {
  template <class T> static T sum(T a, T b, bool c) { return T(a + b + c); }
  template <class T> static bool carry(T a, T b, bool c) {
    return c ? T(a + b + 1) <= a : T(a + b) < a;
  }
};
struct Sbc {
  template <class T> static T sum(T a, T b, bool c) { return T(a - b - c); }
  template <class T> static bool carry(T a, T b, bool c) {
    return c ? a <= b : a < b;
  }
};

template <class Op, class Source> struct WithCarry {
  template <class T> static void run(Hart &h, const Instruction &i) {
    T *vd = group<T>(h, i.rd);
    const T *a = group<T>(h, i.rs2);
    const Operand<Source, T> b(h, i);
    for (uint64_t e = h.regs.vstart; e < h.regs.vl; ++e)
      vd[e] = Op::sum(a[e], b[e], maskBit(h.regs.v[0], e));
  }
};

template <class Op, class Source> struct CarryOut {
  template <class T> static void run(Hart &h, const Instruction &i) {
    const T *a = group<T>(h, i.rs2);
    const Operand<Source, T> b(h, i);
    uint8_t result[kVlenBytes];
    std::memcpy(result, h.regs.v[i.rd], sizeof(result));
    for (uint64_t e = h.regs.vstart; e < h.regs.vl; ++e) {
      const bool carry = isMasked(i) && maskBit(h.regs.v[0], e);
      setMaskBit(result, e, Op::carry(a[e], b[e], carry));
    }
    std::memcpy(h.regs.v[i.rd], result, sizeof(result));
  }
};

/// v0 chooses between vs2 and the other operand.
template <class Source> struct Merge {
  template <class T> static void run(Hart &h, const Instruction &i) {
    T *vd = group<T>(h, i.rd);
    const T *a = group<T>(h, i.rs2);
    const Operand<Source, T> b(h, i);
    for (uint64_t e = h.regs.vstart; e < h.regs.vl; ++e)
      vd[e] = maskBit(h.regs.v[0], e) ? b[e] : a[e];
  }
};

template <template <class> class Kernel>
void addCarryForms(VectorTable &t, const char *name, unsigned funct6,
                   MaskUse mask, Width vd, bool immediate) {
  auto with = [&](VectorOperation o) {
    o.mask = mask;
    o.vd = vd;
    return o;
  };
  t.add(kIVV, funct6, with(allWidths<Kernel<FromVector>>(name, Width::Same)));
  t.add(kIVX, funct6, with(allWidths<Kernel<FromX>>(name)));
  if (immediate)
    t.add(kIVI, funct6, with(allWidths<Kernel<FromSigned>>(name)));
}

template <class Source> using AdcFrom = WithCarry<Adc, Source>;
template <class Source> using SbcFrom = WithCarry<Sbc, Source>;
template <class Source> using MadcFrom = CarryOut<Adc, Source>;
template <class Source> using MsbcFrom = CarryOut<Sbc, Source>;

template <class Source>
void addMergeAndMove(VectorTable &t, VectorFunct3 funct3, Width vs1) {
  VectorOperation merge = allWidths<Merge<Source>>("vmerge", vs1);
  merge.mask = MaskUse::Required;
  t.addByVm(funct3, 0x17, false, merge);
  VectorOperation move = allWidths<Binary<Second, Source>>("vmv.v", vs1);
  move.vs2 = Width::None;
  t.addByVm(funct3, 0x17, true, move);
}

} // namespace

void kevolve::simulator::addVectorInteger(VectorTable &t) {
  addBinary<Add>(t, "vadd", 0x00, kFormVV | kFormVX | kFormVI);
  addBinary<Sub>(t, "vsub", 0x02, kFormVV | kFormVX);
  addBinary<Rsub>(t, "vrsub", 0x03, kFormVX | kFormVI);
  addBinary<Minu>(t, "vminu", 0x04, kFormVV | kFormVX);
  addBinary<Min>(t, "vmin", 0x05, kFormVV | kFormVX);
  addBinary<Maxu>(t, "vmaxu", 0x06, kFormVV | kFormVX);
  addBinary<Max>(t, "vmax", 0x07, kFormVV | kFormVX);
  addBinary<And>(t, "vand", 0x09, kFormVV | kFormVX | kFormVI);
  addBinary<Or>(t, "vor", 0x0a, kFormVV | kFormVX | kFormVI);
  addBinary<Xor>(t, "vxor", 0x0b, kFormVV | kFormVX | kFormVI);
  addBinary<Sll>(t, "vsll", 0x25, kFormVV | kFormVX | kFormVU);
  addBinary<Srl>(t, "vsrl", 0x28, kFormVV | kFormVX | kFormVU);
  addBinary<Sra>(t, "vsra", 0x29, kFormVV | kFormVX | kFormVU);
  addCarryForms<AdcFrom>(t, "vadc", 0x10, MaskUse::Required, Width::Same, true);
  addCarryForms<MadcFrom>(t, "vmadc", 0x11, MaskUse::Carry, Width::Mask, true);
  addCarryForms<SbcFrom>(t, "vsbc", 0x12, MaskUse::Required, Width::Same,
                         false);
  addCarryForms<MsbcFrom>(t, "vmsbc", 0x13, MaskUse::Carry, Width::Mask, false);
  addMergeAndMove<FromVector>(t, kIVV, Width::Same);
  addMergeAndMove<FromX>(t, kIVX, Width::None);
  addMergeAndMove<FromSigned>(t, kIVI, Width::None);
}
