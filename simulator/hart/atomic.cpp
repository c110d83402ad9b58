//===- atomic.cpp - RV64A -------------------------------------------------===//
//
// Harts of one machine run interleaved on one thread, so that a read-modify-
// write here is atomic; .aq and .rl order nothing that is not ordered already.
// A reservation covers one address. It is lost at the hart's next sc, and when
// another hart has changed the value (as qemu-user has it: a store of the same
// value goes unnoticed, which no read-modify-write loop can tell).
//
//===----------------------------------------------------------------------===//
#include "simulator/hart/memory_access.h"

#include <type_traits>

using namespace kevolve::simulator;

namespace {

template <class T> uint64_t extend(T value) {
  return uint64_t(int64_t(std::make_signed_t<T>(value)));
}

template <class T>
bool checkAligned(Hart &h, uint64_t address, FaultKind kind) {
  if (address % sizeof(T) == 0)
    return true;
  h.raise(kind, address, "misaligned atomic access");
  return false;
}

template <class T> void loadReserved(Hart &h, const Instruction &i) {
  const uint64_t address = h.regs.x[i.rs1];
  T value;
  if (!checkAligned<T>(h, address, FaultKind::LoadMisaligned) ||
      !loadScalar(h, address, value))
    return;
  h.reservation = address;
  h.reservedValue = value;
  h.setX(i.rd, extend(value));
}

template <class T> void storeConditional(Hart &h, const Instruction &i) {
  const uint64_t address = h.regs.x[i.rs1];
  if (!checkAligned<T>(h, address, FaultKind::StoreMisaligned))
    return;
  const bool held = h.reservation == address;
  h.reservation = UINT64_MAX;
  T now = 0;
  if (held && !loadScalar(h, address, now))
    return;
  const bool reserved = held && now == T(h.reservedValue);
  if (reserved && !storeScalar(h, address, T(h.regs.x[i.rs2])))
    return;
  h.setX(i.rd, reserved ? 0 : 1);
}

struct Swap {
  template <class T> static T apply(T, T b) { return b; }
};
struct Add {
  template <class T> static T apply(T a, T b) { return T(a + b); }
};
struct Xor {
  template <class T> static T apply(T a, T b) { return a ^ b; }
};
struct And {
  template <class T> static T apply(T a, T b) { return a & b; }
};
struct Or {
  template <class T> static T apply(T a, T b) { return a | b; }
};
struct Minu {
  template <class T> static T apply(T a, T b) { return a < b ? a : b; }
};
struct Maxu {
  template <class T> static T apply(T a, T b) { return a < b ? b : a; }
};
struct Min {
  template <class T> static T apply(T a, T b) {
    using S = std::make_signed_t<T>;
    return S(a) < S(b) ? a : b;
  }
};
struct Max {
  template <class T> static T apply(T a, T b) {
    using S = std::make_signed_t<T>;
    return S(a) < S(b) ? b : a;
  }
};

template <class Op, class T>
void readModifyWrite(Hart &h, const Instruction &i) {
  const uint64_t address = h.regs.x[i.rs1];
  T old;
  if (!checkAligned<T>(h, address, FaultKind::StoreMisaligned) ||
      !loadScalar(h, address, old) ||
      !storeScalar(h, address, Op::apply(old, T(h.regs.x[i.rs2]))))
    return;
  h.setX(i.rd, extend(old));
}

constexpr Encoding atomicEncoding(uint32_t funct5, uint32_t funct3) {
  return {0xf800707f, 0x2f | funct3 << 12 | funct5 << 27}; // any aq, rl
}

template <class Op>
void addAmo(Patterns &patterns, const char *name, uint32_t funct5) {
  patterns.push_back({name, atomicEncoding(funct5, 2),
                      readModifyWrite<Op, uint32_t>, Format::R, "xxx-",
                      Timing::Load});
  patterns.push_back({name, atomicEncoding(funct5, 3),
                      readModifyWrite<Op, uint64_t>, Format::R, "xxx-",
                      Timing::Load});
}

template <class T> void addReservations(Patterns &patterns, uint32_t funct3) {
  Encoding lr = atomicEncoding(0x02, funct3);
  lr.mask |= 0x1f << 20; // rs2 must be zero
  patterns.push_back(
      {"lr", lr, loadReserved<T>, Format::R, "xx--", Timing::Load});
  patterns.push_back({"sc", atomicEncoding(0x03, funct3), storeConditional<T>,
                      Format::R, "xxx-", Timing::Store});
}

Patterns makePatterns() {
  Patterns patterns;
  addReservations<uint32_t>(patterns, 2);
  addReservations<uint64_t>(patterns, 3);
  addAmo<Add>(patterns, "amoadd", 0x00);
  addAmo<Swap>(patterns, "amoswap", 0x01);
  addAmo<Xor>(patterns, "amoxor", 0x04);
  addAmo<Or>(patterns, "amoor", 0x08);
  addAmo<And>(patterns, "amoand", 0x0c);
  addAmo<Min>(patterns, "amomin", 0x10);
  addAmo<Max>(patterns, "amomax", 0x14);
  addAmo<Minu>(patterns, "amominu", 0x18);
  addAmo<Maxu>(patterns, "amomaxu", 0x1c);
  return patterns;
}

} // namespace

const Patterns &kevolve::simulator::atomicPatterns() {
  static const Patterns patterns = makePatterns();
  return patterns;
}
