//===- vector_memory.cpp - Vector loads and stores
//------------------------------===//
#include "simulator/hart/vector.h"

using namespace kevolve::simulator;

namespace {

/// The fields of a vector memory instruction, resolved under the current vtype.
struct Transfer {
  Hart &h;
  const Instruction &i;
  const bool store;
  const unsigned fields;       // of a segment: 1 to 8
  const unsigned elementBytes; // of the data
  const unsigned registers;    // of one field's group
  const uint64_t length;       // the vl that applies

  uint8_t *element(unsigned field, uint64_t e) const {
    return h.regs.v[i.rd + field * registers] + e * elementBytes;
  }
};

Access accessKind(const Transfer &t) {
  return t.store ? Access::Store : Access::Load;
}

bool isAligned(const Transfer &t, uint64_t address) {
  if (address % t.elementBytes == 0)
    return true;
  t.h.raise(t.store ? FaultKind::StoreMisaligned : FaultKind::LoadMisaligned,
            address, "misaligned vector element");
  return false;
}

/// Copies one element's segment. False with a raised fault and vstart at it.
bool moveSegment(const Transfer &t, uint64_t e, uint64_t address) {
  for (unsigned field = 0; field < t.fields; ++field) {
    const uint64_t at = address + field * t.elementBytes;
    uint8_t *host = isAligned(t, at)
                        ? t.h.access(at, t.elementBytes, accessKind(t),
                                     CycleClass::VectorLoadStore)
                        : nullptr;
    if (!host) {
      t.h.regs.vstart = e;
      return false;
    }
    uint8_t *reg = t.element(field, e);
    if (t.store)
      std::memcpy(host, reg, t.elementBytes);
    else
      std::memcpy(reg, host, t.elementBytes);
  }
  return true;
}

bool isActive(const Transfer &t, uint64_t e) {
  return !isMasked(t.i) || maskBit(t.h.regs.v[0], e);
}

/// Element by element; `addressOf(e)` is where element e's segment lies.
template <class AddressOf>
bool moveElements(const Transfer &t, AddressOf addressOf) {
  for (uint64_t e = t.h.regs.vstart; e < t.length; ++e)
    if (isActive(t, e) && !moveSegment(t, e, addressOf(e)))
      return false;
  return true;
}

/// Everything at once, if it is one stretch of memory.
bool moveWhole(const Transfer &t, uint64_t base) {
  const uint64_t start = t.h.regs.vstart;
  if (t.fields != 1 || isMasked(t.i) || start >= t.length ||
      base % t.elementBytes != 0)
    return false;
  const uint64_t bytes = (t.length - start) * t.elementBytes;
  uint8_t *host = t.h.tryAccess(base + start * t.elementBytes, bytes,
                                accessKind(t), CycleClass::VectorLoadStore);
  if (!host)
    return false; // element by element finds out where it fails
  uint8_t *reg = t.element(0, start);
  if (t.store)
    std::memcpy(host, reg, bytes);
  else
    std::memcpy(reg, host, bytes);
  return true;
}

void count(const Transfer &t) {
  HartCounters &c = t.h.counters;
  ++c.vectorInstructions;
  ++(t.store ? c.stores : c.loads);
  (t.store ? c.storedBytes : c.loadedBytes) +=
      t.length * t.fields * t.elementBytes;
}

/// Strided and indexed accesses move a few elements a cycle.
void chargeScattered(const Transfer &t) {
  const uint64_t rate = t.h.cost.vectorIndexedElementsPerCycle;
  t.h.charge(CycleClass::VectorLoadStore,
             (t.length * t.fields + rate - 1) / rate);
}

//--- Legality
//---------------------------------------------------------------------

/// log2 of the registers of a group with this EEW; nullopt outside 1/8 to 8.
std::optional<unsigned> groupRegisters(const Hart &h, unsigned eewLog2) {
  const int emul = lmulLog2(h) + int(eewLog2) - int(sewLog2Bytes(h));
  if (emul < -3 || emul > 3)
    return std::nullopt;
  return emul > 0 ? 1u << emul : 1u;
}

unsigned fieldCount(const Instruction &i) { return (i.encoding >> 29) + 1; }

bool isLegalGroup(const Instruction &i, unsigned registers, bool store) {
  const unsigned total = fieldCount(i) * registers;
  if (i.rd % registers != 0 || total > 8 || i.rd + total > 32)
    return false;
  return store || !isMasked(i) || i.rd != 0;
}

bool isReady(const Hart &h) { return h.hasVector && !vill(h); }

/// Width code (0, 5, 6, 7) to log2 of bytes.
unsigned widthLog2(const Instruction &i) {
  return i.funct3 == 0 ? 0 : i.funct3 - 4u;
}

std::optional<Transfer> plainTransfer(Hart &h, const Instruction &i,
                                      bool store) {
  if (!isReady(h))
    return std::nullopt;
  const std::optional<unsigned> registers = groupRegisters(h, widthLog2(i));
  if (!registers || !isLegalGroup(i, *registers, store))
    return std::nullopt;
  return Transfer{
      h, i, store, fieldCount(i), 1u << widthLog2(i), *registers, h.regs.vl};
}

//--- The instructions
//--------------------------------------------------------------

template <bool kStore> void unitStride(Hart &h, const Instruction &i) {
  const std::optional<Transfer> t = plainTransfer(h, i, kStore);
  if (!t)
    return raiseIllegal(h, i);
  const uint64_t base = h.regs.x[i.rs1], step = t->fields * t->elementBytes;
  if (!moveWhole(*t, base) &&
      !moveElements(*t, [=](uint64_t e) { return base + e * step; }))
    return;
  count(*t);
  h.regs.vstart = 0;
}

template <bool kStore> void strided(Hart &h, const Instruction &i) {
  const std::optional<Transfer> t = plainTransfer(h, i, kStore);
  if (!t)
    return raiseIllegal(h, i);
  const uint64_t base = h.regs.x[i.rs1], stride = h.regs.x[i.rs2];
  if (!moveElements(*t, [=](uint64_t e) { return base + e * stride; }))
    return;
  chargeScattered(*t);
  count(*t);
  h.regs.vstart = 0;
}

/// Faults only at element 0; later ones shorten vl.
void faultOnlyFirst(Hart &h, const Instruction &i) {
  const std::optional<Transfer> t = plainTransfer(h, i, false);
  if (!t)
    return raiseIllegal(h, i);
  const uint64_t base = h.regs.x[i.rs1], step = t->fields * t->elementBytes;
  if (!moveWhole(*t, base)) {
    for (uint64_t e = h.regs.vstart; e < t->length; ++e) {
      if (!isActive(*t, e))
        continue;
      const uint64_t address = base + e * step;
      const bool reachable =
          address % t->elementBytes == 0 &&
          h.tryAccess(address, step, Access::Load, CycleClass::VectorLoadStore);
      if (e > 0 && !reachable) {
        h.regs.vl = e;
        break;
      }
      if (!moveSegment(*t, e, address))
        return;
    }
  }
  count(*t);
  h.regs.vstart = 0;
}

/// The index of element e, zero-extended, from the group at `reg`.
uint64_t indexAt(const Hart &h, unsigned reg, unsigned indexBytes, uint64_t e) {
  uint64_t index = 0;
  std::memcpy(&index, h.regs.v[reg] + e * indexBytes, indexBytes);
  return index;
}

/// Sections 5.2 and 7.8.3: a loaded group may not lie on its indices, except
/// where narrower or wider groups may meet, and never for segments.
bool indexedMayOverlap(const Instruction &i, const Hart &h, unsigned data,
                       unsigned indices) {
  const unsigned total = data * fieldCount(i);
  if (i.rd + total <= i.rs2 || i.rs2 + indices <= i.rd)
    return true;
  const unsigned sew = sewLog2Bytes(h), eew = widthLog2(i);
  if (fieldCount(i) > 1)
    return false;
  if (sew == eew)
    return true;
  if (sew < eew)
    return i.rd == i.rs2;
  const int indexEmul = lmulLog2(h) + int(eew) - int(sew);
  return indexEmul >= 0 && i.rd + data == i.rs2 + indices;
}

template <bool kStore> void indexed(Hart &h, const Instruction &i) {
  if (!isReady(h))
    return raiseIllegal(h, i);
  const unsigned sew = sewLog2Bytes(h), indexBytes = 1u << widthLog2(i);
  const std::optional<unsigned> data = groupRegisters(h, sew);
  const std::optional<unsigned> indices = groupRegisters(h, widthLog2(i));
  if (!data || !indices || !isLegalGroup(i, *data, kStore) ||
      i.rs2 % *indices != 0 ||
      (!kStore && !indexedMayOverlap(i, h, *data, *indices)))
    return raiseIllegal(h, i);
  const Transfer t{h, i, kStore, fieldCount(i), 1u << sew, *data, h.regs.vl};
  const uint64_t base = h.regs.x[i.rs1];
  if (!moveElements(t, [&](uint64_t e) {
        return base + indexAt(h, i.rs2, indexBytes, e);
      }))
    return;
  chargeScattered(t);
  count(t);
  h.regs.vstart = 0;
}

/// vl<n>re<w>.v and vs<n>r.v move whole registers whatever vl and vtype are.
template <bool kStore> void wholeRegisters(Hart &h, const Instruction &i) {
  const unsigned n = fieldCount(i), bytes = 1u << widthLog2(i);
  if (!h.hasVector || (n & (n - 1)) != 0 || i.rd % n != 0)
    return raiseIllegal(h, i);
  const Transfer t{h, i, kStore, 1, bytes, 1, n * kVlenBytes / bytes};
  const uint64_t base = h.regs.x[i.rs1];
  if (!moveWhole(t, base) &&
      !moveElements(t, [=](uint64_t e) { return base + e * bytes; }))
    return;
  count(t);
  h.regs.vstart = 0;
}

/// vlm.v and vsm.v move the bytes that hold vl mask bits.
template <bool kStore> void maskBytes(Hart &h, const Instruction &i) {
  if (!isReady(h))
    return raiseIllegal(h, i);
  const Transfer t{h, i, kStore, 1, 1, 1, (h.regs.vl + 7) / 8};
  const uint64_t base = h.regs.x[i.rs1];
  if (!moveWhole(t, base) &&
      !moveElements(t, [=](uint64_t e) { return base + e; }))
    return;
  count(t);
  h.regs.vstart = 0;
}

//--- The table
//------------------------------------------------------------------------

// Bits 31:29 nf, 28 mew (0), 27:26 mop, 25 vm, 24:20 lumop of unit strides.
constexpr uint32_t kMopMask = 0x1c00707f;
constexpr uint32_t kUnitMask = kMopMask | 0x1f << 20;
constexpr uint32_t kVm = 1 << 25;

void addAccess(Patterns &p, uint32_t opcode, uint32_t width, bool store) {
  const uint32_t match = opcode | width << 12;
  const Format r = Format::R;
  const Timing t = Timing::VectorLoadStore;
  const Handler unit = store ? unitStride<true> : unitStride<false>;
  const Handler byIndex = store ? indexed<true> : indexed<false>;
  p.push_back({"unit-stride", {kUnitMask, match}, unit, r, "-x--", t});
  p.push_back({"strided",
               {kMopMask, match | 2 << 26},
               store ? strided<true> : strided<false>,
               r,
               "-xx-",
               t});
  p.push_back({"indexed-unordered",
               {kMopMask, match | 1 << 26},
               byIndex,
               r,
               "-x--",
               t});
  p.push_back(
      {"indexed-ordered", {kMopMask, match | 3 << 26}, byIndex, r, "-x--", t});
  if (!store || width == 0)
    p.push_back({"whole-register",
                 {kUnitMask | kVm, match | 8 << 20 | kVm},
                 store ? wholeRegisters<true> : wholeRegisters<false>,
                 r,
                 "-x--",
                 t});
  if (!store)
    p.push_back({"fault-only-first",
                 {kUnitMask, match | 16 << 20},
                 faultOnlyFirst,
                 r,
                 "-x--",
                 t});
}

} // namespace

void kevolve::simulator::addVectorMemory(Patterns &p) {
  constexpr uint32_t kLoad = 0x07, kStore = 0x27, kOneField = 7u << 29;
  for (uint32_t width : {0u, 5u, 6u, 7u}) {
    addAccess(p, kLoad, width, false);
    addAccess(p, kStore, width, true);
  }
  const Encoding load{kUnitMask | kVm | kOneField, kLoad | 11 << 20 | kVm};
  const Encoding store{load.mask, kStore | 11 << 20 | kVm};
  p.push_back({"vlm.v", load, maskBytes<false>, Format::R, "-x--",
               Timing::VectorLoadStore});
  p.push_back({"vsm.v", store, maskBytes<true>, Format::R, "-x--",
               Timing::VectorLoadStore});
}
