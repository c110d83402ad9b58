//===- vector_mask.cpp - Instructions on mask registers
//-----------------------===//
#include "simulator/hart/vector.h"

using namespace kevolve::simulator;

namespace {

// clang-format off
struct AndNot { static bool apply(bool a, bool b) { return a && !b; } };
struct And { static bool apply(bool a, bool b) { return a && b; } };
struct Or { static bool apply(bool a, bool b) { return a || b; } };
struct Xor { static bool apply(bool a, bool b) { return a != b; } };
struct OrNot { static bool apply(bool a, bool b) { return a || !b; } };
struct Nand { static bool apply(bool a, bool b) { return !(a && b); } };
struct Nor { static bool apply(bool a, bool b) { return !(a || b); } };
struct Xnor { static bool apply(bool a, bool b) { return a == b; } };
// clang-format on

/// One instance serves every SEW: mask instructions do not depend on it.
template <class Op> void logical(Hart &h, const Instruction &i) {
  const uint8_t *a = h.regs.v[i.rs2], *b = h.regs.v[i.rs1];
  for (uint64_t e = h.regs.vstart; e < h.regs.vl; ++e)
    setMaskBit(h.regs.v[i.rd], e, Op::apply(maskBit(a, e), maskBit(b, e)));
}

void populationCount(Hart &h, const Instruction &i) {
  uint64_t count = 0;
  const uint8_t *a = h.regs.v[i.rs2];
  forActiveInOrder(h, i, [&](uint64_t e) { count += maskBit(a, e); });
  h.setX(i.rd, count);
}

void findFirst(Hart &h, const Instruction &i) {
  uint64_t first = UINT64_MAX;
  const uint8_t *a = h.regs.v[i.rs2];
  forActiveInOrder(h, i, [&](uint64_t e) {
    if (first == UINT64_MAX && maskBit(a, e))
      first = e;
  });
  h.setX(i.rd, first);
}

/// vmsbf, vmsif, vmsof: set before, up to, or only at the first set bit.
template <bool kBefore, bool kAt>
void setAroundFirst(Hart &h, const Instruction &i) {
  const uint8_t *a = h.regs.v[i.rs2];
  uint8_t *vd = h.regs.v[i.rd];
  bool found = false;
  forActiveInOrder(h, i, [&](uint64_t e) {
    const bool here = !found && maskBit(a, e);
    setMaskBit(vd, e, here ? kAt : !found && kBefore);
    found |= here;
  });
}

struct Iota {
  template <class T> static void run(Hart &h, const Instruction &i) {
    const uint8_t *a = h.regs.v[i.rs2];
    T *vd = group<T>(h, i.rd);
    T count = 0;
    forActiveInOrder(h, i, [&](uint64_t e) {
      vd[e] = count;
      count = T(count + maskBit(a, e));
    });
  }
};

struct Id {
  template <class T> static void run(Hart &h, const Instruction &i) {
    T *vd = group<T>(h, i.rd);
    forActive(h, i, [=](uint64_t e) { vd[e] = T(e); });
  }
};

VectorOperation onMasks(const char *name, Handler kernel, Width vd, Width vs1) {
  VectorOperation o;
  o.name = name;
  for (Handler &slot : o.kernels)
    slot = kernel;
  o.vd = vd;
  o.vs2 = Width::Mask;
  o.vs1 = vs1;
  return o;
}

template <class Op>
void addLogical(VectorTable &t, const char *name, unsigned funct6) {
  VectorOperation o = onMasks(name, logical<Op>, Width::Mask, Width::Mask);
  o.mask = MaskUse::Forbidden;
  t.add(kMVV, funct6, o);
}

VectorOperation fromStart(VectorOperation o, bool disjoint = false) {
  o.needsVstart0 = true;
  o.disjoint = disjoint;
  return o;
}

/// vmsbf and its relatives may not be masked by what they overwrite either.
template <bool kBefore, bool kAt>
void addSetAroundFirst(VectorTable &t, const char *name, unsigned rs1) {
  VectorOperation o = fromStart(
      onMasks(name, setAroundFirst<kBefore, kAt>, Width::Mask, Width::None),
      true);
  o.keepsMask = true;
  t.addUnary(kMVV, 0x14, rs1, o);
}

} // namespace

void kevolve::simulator::addVectorMask(VectorTable &t) {
  addLogical<AndNot>(t, "vmandn.mm", 0x18);
  addLogical<And>(t, "vmand.mm", 0x19);
  addLogical<Or>(t, "vmor.mm", 0x1a);
  addLogical<Xor>(t, "vmxor.mm", 0x1b);
  addLogical<OrNot>(t, "vmorn.mm", 0x1c);
  addLogical<Nand>(t, "vmnand.mm", 0x1d);
  addLogical<Nor>(t, "vmnor.mm", 0x1e);
  addLogical<Xnor>(t, "vmxnor.mm", 0x1f);
  t.addUnary(
      kMVV, 0x10, 0x10,
      fromStart(onMasks("vcpop.m", populationCount, Width::None, Width::None)));
  t.addUnary(
      kMVV, 0x10, 0x11,
      fromStart(onMasks("vfirst.m", findFirst, Width::None, Width::None)));
  addSetAroundFirst<true, false>(t, "vmsbf.m", 1);
  addSetAroundFirst<false, true>(t, "vmsof.m", 2);
  addSetAroundFirst<true, true>(t, "vmsif.m", 3);
  VectorOperation iota = fromStart(allWidths<Iota>("viota.m"), true);
  iota.vs2 = Width::Mask;
  t.addUnary(kMVV, 0x14, 0x10, iota);
  VectorOperation id = allWidths<Id>("vid.v");
  id.vs2 = Width::None;
  t.addUnary(kMVV, 0x14, 0x11, id);
}
