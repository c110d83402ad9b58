//===- vector_decode.cpp - Legality and cost of arithmetic vector code
//------===//
#include "simulator/hart/vector.h"

#include <algorithm>

using namespace kevolve::simulator;

namespace {

const VectorTable &table() {
  static const VectorTable built = [] {
    VectorTable t;
    addVectorInteger(t);
    addVectorMultiply(t);
    addVectorFixedPoint(t);
    addVectorWidening(t);
    addVectorCompare(t);
    addVectorMask(t);
    addVectorPermute(t);
    addVectorReduce(t);
    addVectorBits(t);
    addVectorFloat(t);
    addVectorFloatFused(t);
    addVectorFloatConvert(t);
    addVectorFloatEstimate(t);
    return t;
  }();
  return built;
}

/// log2 of EEW / SEW; only for widths that are register groups.
int widthDelta(Width width, const Hart &h) {
  switch (width) {
  case Width::Double:
    return 1;
  case Width::Half:
    return -1;
  case Width::Quarter:
    return -2;
  case Width::Eighth:
    return -3;
  case Width::Index16:
    return 1 - int(sewLog2Bytes(h));
  default:
    return 0;
  }
}

/// The registers of an operand.
struct Group {
  bool present = false;
  bool legal = true;
  int eewDelta = 0; // log2 of EEW / SEW; masks are narrower than anything
  int emulLog2 = 0;
  unsigned first = 0;
  unsigned count = 1;
};

Group groupOf(Width width, unsigned reg, const Hart &h) {
  Group g;
  g.first = reg;
  if (width == Width::None || width == Width::Element)
    return g;
  g.present = true;
  if (width == Width::Mask) {
    g.eewDelta = -8;
    return g;
  }
  g.eewDelta = widthDelta(width, h);
  g.emulLog2 = lmulLog2(h) + g.eewDelta;
  g.count = g.emulLog2 > 0 ? 1u << g.emulLog2 : 1;
  g.legal = g.emulLog2 >= -3 && g.emulLog2 <= 3 && reg % g.count == 0;
  return g;
}

/// Section 5.2 of the V specification: where a destination may lie on a source.
bool mayOverlap(const Group &vd, const Group &source, bool disjoint) {
  const bool apart = vd.first + vd.count <= source.first ||
                     source.first + source.count <= vd.first;
  if (!vd.present || !source.present || apart)
    return true;
  if (disjoint)
    return false;
  if (vd.eewDelta == source.eewDelta)
    return true;
  if (vd.eewDelta < source.eewDelta) // the lowest part of a wider source
    return vd.first == source.first;
  return source.emulLog2 >= 0 && source.eewDelta > -8 &&
         vd.first + vd.count == source.first + source.count;
}

bool maskIsLegal(const VectorOperation &o, const Instruction &i) {
  if (!isMasked(i))
    return o.mask != MaskUse::Required;
  if (o.mask == MaskUse::Forbidden)
    return false;
  const bool isGroup =
      o.vd != Width::Mask && o.vd != Width::Element && o.vd != Width::None;
  const bool overwritesMask =
      i.rd == 0 && o.mask != MaskUse::Carry && (isGroup || o.keepsMask);
  return !overwritesMask;
}

bool isLegal(const Hart &h, const Instruction &i, const VectorOperation &o) {
  if (!h.hasVector || vill(h) || !o.kernels[sewLog2Bytes(h)])
    return false;
  if (!maskIsLegal(o, i) || (o.needsFrm && h.regs.frm > 4) ||
      (o.needsVstart0 && h.regs.vstart != 0))
    return false;
  const Group vd = groupOf(o.vd, i.rd, h);
  const Group vs2 = groupOf(o.vs2, i.rs2, h);
  const Group vs1 = groupOf(o.vs1, i.rs1, h);
  return vd.legal && vs2.legal && vs1.legal &&
         mayOverlap(vd, vs2, o.disjoint) && mayOverlap(vd, vs1, o.disjoint);
}

uint64_t costBeyondStartup(const Hart &h, const VectorOperation &o) {
  const bool wide = o.vd == Width::Double || o.vs2 == Width::Double;
  const uint64_t bytes = h.regs.vl << sewLog2Bytes(h) << wide;
  const CostModel &c = h.cost;
  const uint64_t steps =
      (bytes + c.vectorBytesPerCycle - 1) / c.vectorBytesPerCycle;
  switch (o.cost) {
  case VectorCost::Plain:
    return steps;
  case VectorCost::Divide:
    return steps * c.vectorDivideFactor;
  case VectorCost::Permute:
    return steps * c.vectorPermuteFactor;
  case VectorCost::Reduce:
    return steps + c.vectorReduceCycles;
  case VectorCost::OrderedReduce:
    return h.regs.vl * c.vectorOrderedCycles;
  }
  return steps;
}

} // namespace

const VectorOperation *VectorTable::find(uint32_t encoding) const {
  const unsigned funct3 = encoding >> 12 & 7, funct6 = encoding >> 26;
  const bool isMove = funct6 == 0x17 && (encoding >> 25 & 1) && funct3 != kMVV;
  if (isMove && (encoding >> 20 & 31) != 0) // vmv.v.* and vfmv.v.f have no vs2
    return nullptr;
  const uint32_t keys[] = {
      key(funct3, funct6, kPlain, 0),
      key(funct3, funct6, kByRs1, encoding >> 15 & 31),
      key(funct3, funct6, kByVs2, encoding >> 20 & 31),
      key(funct3, funct6, kByVm, encoding >> 25 & 1),
  };
  for (uint32_t k : keys) {
    const auto found = entries.find(k);
    if (found != entries.end())
      return &found->second;
  }
  return nullptr;
}

void kevolve::simulator::selectVectorOperation(Instruction &instruction) {
  instruction.vector = table().find(instruction.encoding);
  if (!instruction.vector)
    instruction.handler = raiseIllegal;
}

void kevolve::simulator::executeVectorOperation(Hart &h, const Instruction &i) {
  const VectorOperation &o = *i.vector;
  if (!isLegal(h, i, o))
    return raiseIllegal(h, i);
  ++h.counters.vectorInstructions;
  h.charge(CycleClass::Vector, costBeyondStartup(h, o));
  o.kernels[sewLog2Bytes(h)](h, i);
  h.regs.vstart = 0;
}
