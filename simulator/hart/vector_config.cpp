//===- vector_config.cpp - vsetvli, vsetivli, vsetvl
//---------------------------===//
#include "simulator/hart/vector.h"

#include <algorithm>

using namespace kevolve::simulator;

namespace {

constexpr uint64_t kVill = uint64_t(1) << 63;

/// SEW up to 64, LMUL not reserved, at least one element of a fractional group,
/// no unknown bits.
bool isSupported(uint64_t vtype) {
  const unsigned sew = 8u << (vtype >> 3 & 7);
  const unsigned lmul = vtype & 7;
  if (vtype >> 8 != 0 || sew > kElenBits || lmul == 4)
    return false;
  return lmul < 4 || sew <= kElenBits >> (8 - lmul);
}

void configure(Hart &h, const Instruction &i, uint64_t vtype, uint64_t avl) {
  ++h.counters.vectorInstructions;
  h.regs.vtype = isSupported(vtype) ? vtype : kVill;
  h.regs.vl = vill(h) ? 0 : std::min(avl, vlmax(h));
  h.regs.vstart = 0;
  h.setX(i.rd, h.regs.vl);
}

/// rs1 = x0 means as many as fit or, with rd = x0 too, as many as before.
uint64_t requestedLength(Hart &h, const Instruction &i) {
  if (i.rs1 != 0)
    return h.regs.x[i.rs1];
  return i.rd != 0 ? UINT64_MAX : h.regs.vl;
}

void vsetvli(Hart &h, const Instruction &i) {
  if (!h.hasVector)
    return raiseIllegal(h, i);
  configure(h, i, i.encoding >> 20 & 0x7ff, requestedLength(h, i));
}
void vsetivli(Hart &h, const Instruction &i) {
  if (!h.hasVector)
    return raiseIllegal(h, i);
  configure(h, i, i.encoding >> 20 & 0x3ff, i.rs1);
}
void vsetvl(Hart &h, const Instruction &i) {
  if (!h.hasVector)
    return raiseIllegal(h, i);
  configure(h, i, h.regs.x[i.rs2], requestedLength(h, i));
}

void addArithmetic(Patterns &p) {
  // funct3 says which scalar register takes part: rs1 of .vx and .vf forms.
  const struct {
    uint32_t funct3;
    const char *operands;
  } forms[] = {{kIVV, "----"}, {kFVV, "----"}, {kMVV, "----"}, {kIVI, "----"},
               {kIVX, "-x--"}, {kFVF, "-f--"}, {kMVX, "-x--"}};
  for (const auto &form : forms)
    p.push_back({"vector", withFunct3(0x57, form.funct3),
                 executeVectorOperation, Format::R, form.operands,
                 Timing::Vector});
}

} // namespace

void kevolve::simulator::addVectorConfiguration(Patterns &p) {
  const Format r = Format::R;
  const Timing t = Timing::VectorSet;
  p.push_back({"vsetvli", {0x8000707f, 0x57 | 7 << 12}, vsetvli, r, "xx--", t});
  p.push_back(
      {"vsetivli", {0xc000707f, 0xc0000057 | 7 << 12}, vsetivli, r, "x---", t});
  p.push_back(
      {"vsetvl", {0xfe00707f, 0x80000057 | 7 << 12}, vsetvl, r, "xxx-", t});
  addArithmetic(p);
}

const Patterns &kevolve::simulator::vectorPatterns() {
  static const Patterns patterns = [] {
    Patterns p;
    addVectorConfiguration(p);
    addVectorMemory(p);
    return p;
  }();
  return patterns;
}
