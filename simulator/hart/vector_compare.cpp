//===- vector_compare.cpp - Integer comparisons into masks
//--------------------===//
#include "simulator/hart/vector_binary.h"

using namespace kevolve::simulator;

namespace {

// clang-format off
struct Eq { template <class T> static bool apply(T a, T b) { return a == b; } };
struct Ne { template <class T> static bool apply(T a, T b) { return a != b; } };
struct Ltu { template <class T> static bool apply(T a, T b) { return a < b; } };
struct Leu { template <class T> static bool apply(T a, T b) { return a <= b; } };
struct Gtu { template <class T> static bool apply(T a, T b) { return a > b; } };
struct Lt { template <class T> static bool apply(T a, T b) { return Signed<T>(a) < Signed<T>(b); } };
struct Le { template <class T> static bool apply(T a, T b) { return Signed<T>(a) <= Signed<T>(b); } };
struct Gt { template <class T> static bool apply(T a, T b) { return Signed<T>(a) > Signed<T>(b); } };
// clang-format on

/// Compares every element up to vl, which is harmless; the mask chooses later.
template <class Op, class Source> struct Compare {
  template <class T> static void run(Hart &h, const Instruction &i) {
    const T *a = group<T>(h, i.rs2);
    const Operand<Source, T> b(h, i);
    uint8_t results[kMaxElements];
    for (uint64_t e = h.regs.vstart; e < h.regs.vl; ++e)
      results[e] = Op::template apply<T>(a[e], b[e]);
    writeMask(h, i, results);
  }
};

VectorOperation toMask(VectorOperation o) {
  o.vd = Width::Mask;
  return o;
}

template <class Op>
void addCompare(VectorTable &t, const char *name, unsigned funct6,
                unsigned forms) {
  if (forms & kFormVV)
    t.add(kIVV, funct6,
          toMask(allWidths<Compare<Op, FromVector>>(name, Width::Same)));
  if (forms & kFormVX)
    t.add(kIVX, funct6, toMask(allWidths<Compare<Op, FromX>>(name)));
  if (forms & kFormVI)
    t.add(kIVI, funct6, toMask(allWidths<Compare<Op, FromSigned>>(name)));
}

/// Eight results to a byte of mask.
uint8_t packByte(const uint8_t *results) {
  uint64_t bytes;
  std::memcpy(&bytes, results, 8);
  // Moves bit 0 of byte k to bit 56 + k.
  return uint8_t(bytes * UINT64_C(0x0102040810204080) >> 56);
}

} // namespace

void kevolve::simulator::writeMask(Hart &h, const Instruction &i,
                                   const uint8_t *results) {
  uint8_t *vd = h.regs.v[i.rd];
  if (isMasked(i) || h.regs.vstart != 0)
    return forActiveInOrder(h, i,
                            [=](uint64_t e) { setMaskBit(vd, e, results[e]); });
  const uint64_t vl = h.regs.vl;
  uint64_t e = 0;
  for (; e + 8 <= vl; e += 8)
    vd[e / 8] = packByte(results + e);
  for (; e < vl; ++e)
    setMaskBit(vd, e, results[e]);
}

void kevolve::simulator::addVectorCompare(VectorTable &t) {
  addCompare<Eq>(t, "vmseq", 0x18, kFormVV | kFormVX | kFormVI);
  addCompare<Ne>(t, "vmsne", 0x19, kFormVV | kFormVX | kFormVI);
  addCompare<Ltu>(t, "vmsltu", 0x1a, kFormVV | kFormVX);
  addCompare<Lt>(t, "vmslt", 0x1b, kFormVV | kFormVX);
  addCompare<Leu>(t, "vmsleu", 0x1c, kFormVV | kFormVX | kFormVI);
  addCompare<Le>(t, "vmsle", 0x1d, kFormVV | kFormVX | kFormVI);
  addCompare<Gtu>(t, "vmsgtu", 0x1e, kFormVX | kFormVI);
  addCompare<Gt>(t, "vmsgt", 0x1f, kFormVX | kFormVI);
}
