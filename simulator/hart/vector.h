//===- vector.h - What vector kernels share ---------------------*- C++ -*-===//
//
// A kernel is a template over the element type with `run(Hart &, Instruction)`.
// `allWidths<Kernel>()` and its relatives make the table entries of its
// instances. Register groups are contiguous arrays, so that a kernel is a loop
// over elements that the compiler vectorises.
//
//===----------------------------------------------------------------------===//
#ifndef KEVOLVE_SIMULATOR_HART_VECTOR_H
#define KEVOLVE_SIMULATOR_HART_VECTOR_H

#include "simulator/hart/float_format.h"
#include "simulator/hart/vector_operation.h"

#include <type_traits>

namespace kevolve::simulator {

/// Most elements that a register group can have (LMUL 8, SEW 8).
constexpr unsigned kMaxElements = 8 * kVlenBytes;

template <class T> T *group(Hart &h, unsigned reg) {
  return reinterpret_cast<T *>(h.regs.v[reg]);
}

inline unsigned sewLog2Bytes(const Hart &h) { return h.regs.vtype >> 3 & 7; }
/// -3 (1/8) to 3 (8).
inline int lmulLog2(const Hart &h) {
  return int(h.regs.vtype & 7) - (h.regs.vtype & 4 ? 8 : 0);
}
inline uint64_t vlmax(const Hart &h) {
  return uint64_t(8 * kVlenBytes) >> (3 - lmulLog2(h)) >> sewLog2Bytes(h);
}
inline bool vill(const Hart &h) { return h.regs.vtype >> 63; }

inline bool isMasked(const Instruction &i) { return !(i.encoding >> 25 & 1); }
inline bool maskBit(const uint8_t *mask, uint64_t e) {
  return mask[e / 8] >> (e % 8) & 1;
}
inline void setMaskBit(uint8_t *mask, uint64_t e, bool value) {
  const uint8_t bit = uint8_t(1u << (e % 8));
  mask[e / 8] = uint8_t(value ? mask[e / 8] | bit : mask[e / 8] & ~bit);
}

/// The elements from vstart to vl that v0 selects, in order. The mask is
/// copied: some bodies write v0.
template <class Body> void forSelected(Hart &h, uint64_t end, Body body) {
  uint64_t mask[kVlenBytes / 8];
  std::memcpy(mask, h.regs.v[0], sizeof(mask));
  for (uint64_t e = h.regs.vstart; e < end;) {
    const uint64_t left = mask[e / 64] >> (e % 64);
    if (left == 0) {
      e = (e / 64 + 1) * 64;
      continue;
    }
    e += uint64_t(__builtin_ctzll(left));
    if (e < end)
      body(e);
    ++e;
  }
}

/// Active elements, in order: for bodies whose steps may depend on each other.
template <class Body>
void forActiveInOrder(Hart &h, const Instruction &i, Body body) {
  const uint64_t end = h.regs.vl;
  if (isMasked(i))
    return forSelected(h, end, body);
  for (uint64_t e = h.regs.vstart; e < end; ++e)
    body(e);
}

/// Active elements of bodies that read and write element e only, of operands of
/// one width: groups are then equal or disjoint, and steps independent.
template <class Body> void forActive(Hart &h, const Instruction &i, Body body) {
  const uint64_t end = h.regs.vl;
  if (isMasked(i))
    return forSelected(h, end, body);
#pragma GCC ivdep
  for (uint64_t e = h.regs.vstart; e < end; ++e)
    body(e);
}

//--- Element types ------------------------------------------------------------

template <class T> struct Twice;
template <> struct Twice<uint8_t> {
  using type = uint16_t;
};
template <> struct Twice<uint16_t> {
  using type = uint32_t;
};
template <> struct Twice<uint32_t> {
  using type = uint64_t;
};
template <> struct Twice<uint64_t> {
  using type = unsigned __int128;
};
template <class T> using Wider = typename Twice<T>::type;

template <class T> struct SignedOf {
  using type = std::make_signed_t<T>;
};
template <> struct SignedOf<unsigned __int128> {
  using type = __int128;
};
template <class T> using Signed = typename SignedOf<T>::type;

/// Widening of T to U, as signed or unsigned.
template <bool kSigned, class U, class T> U extend(T value) {
  if constexpr (kSigned)
    return U(Signed<U>(Signed<T>(value)));
  else
    return U(value);
}

/// The wrapping product; narrow types would overflow in int.
template <class T> T multiply(T a, T b) {
  if constexpr (sizeof(T) < 4)
    return T(uint32_t(a) * uint32_t(b));
  else
    return a * b;
}

template <class F> struct WiderFormat;
template <> struct WiderFormat<Half> {
  using type = Single;
};
template <> struct WiderFormat<Single> {
  using type = Double;
};

//--- Scalar operands
//------------------------------------------------------------

struct FromX {
  template <class T> static T get(Hart &h, const Instruction &i) {
    return T(h.regs.x[i.rs1]);
  }
};
struct FromSigned {
  template <class T> static T get(Hart &, const Instruction &i) {
    return T(int64_t(i.rs1 ^ 16) - 16);
  }
};
struct FromUnsigned {
  template <class T> static T get(Hart &, const Instruction &i) {
    return T(i.rs1);
  }
};
struct FromF {
  template <class F>
  static typename F::Bits get(Hart &h, const Instruction &i) {
    return unbox<F>(h.regs.f[i.rs1]);
  }
};

//--- Making table entries
//---------------------------------------------------------

template <class Kernel>
VectorOperation allWidths(const char *name, Width vs1 = Width::None) {
  VectorOperation o;
  o.name = name;
  o.vs1 = vs1;
  o.kernels[0] = Kernel::template run<uint8_t>;
  o.kernels[1] = Kernel::template run<uint16_t>;
  o.kernels[2] = Kernel::template run<uint32_t>;
  o.kernels[3] = Kernel::template run<uint64_t>;
  return o;
}

/// SEW 8 to 32: something of the operation is twice as wide.
template <class Kernel>
VectorOperation widenable(const char *name, Width vd, Width vs2, Width vs1) {
  VectorOperation o;
  o.name = name;
  o.vd = vd;
  o.vs2 = vs2;
  o.vs1 = vs1;
  o.kernels[0] = Kernel::template run<uint8_t>;
  o.kernels[1] = Kernel::template run<uint16_t>;
  o.kernels[2] = Kernel::template run<uint32_t>;
  return o;
}

template <class Kernel>
VectorOperation floatWidths(const char *name, Width vs1 = Width::None) {
  VectorOperation o;
  o.name = name;
  o.vs1 = vs1;
  o.needsFrm = true;
  o.kernels[1] = Kernel::template run<Half>;
  o.kernels[2] = Kernel::template run<Single>;
  o.kernels[3] = Kernel::template run<Double>;
  return o;
}

template <class Kernel>
VectorOperation floatWidenable(const char *name, Width vd, Width vs2,
                               Width vs1 = Width::None) {
  VectorOperation o;
  o.name = name;
  o.vd = vd;
  o.vs2 = vs2;
  o.vs1 = vs1;
  o.needsFrm = true;
  o.kernels[1] = Kernel::template run<Half>;
  o.kernels[2] = Kernel::template run<Single>;
  return o;
}

/// funct3 of OP-V: what the second operand is.
enum VectorFunct3 : uint8_t {
  kIVV = 0,
  kFVV = 1,
  kMVV = 2,
  kIVI = 3,
  kIVX = 4,
  kFVF = 5,
  kMVX = 6,
};

class VectorTable {
public:
  void add(VectorFunct3 funct3, unsigned funct6, const VectorOperation &o) {
    entries[key(funct3, funct6, kPlain, 0)] = o;
  }
  /// Unary groups: `rs1` (or, `addByVs2`, the vs2 field) says which.
  void addUnary(VectorFunct3 funct3, unsigned funct6, unsigned rs1,
                const VectorOperation &o) {
    entries[key(funct3, funct6, kByRs1, rs1)] = o;
  }
  void addByVs2(VectorFunct3 funct3, unsigned funct6, unsigned vs2,
                const VectorOperation &o) {
    entries[key(funct3, funct6, kByVs2, vs2)] = o;
  }
  /// funct6 0x17, where vm chooses between vmerge and vmv.v.
  void addByVm(VectorFunct3 funct3, unsigned funct6, bool vm,
               const VectorOperation &o) {
    entries[key(funct3, funct6, kByVm, vm)] = o;
  }

  const VectorOperation *find(uint32_t encoding) const;

private:
  enum Kind : unsigned { kPlain, kByRs1, kByVs2, kByVm };
  static uint32_t key(unsigned funct3, unsigned funct6, Kind kind,
                      unsigned value) {
    return funct3 << 16 | funct6 << 8 | kind << 5 | value;
  }
  std::unordered_map<uint32_t, VectorOperation> entries;
};

// The families add themselves.
void addVectorInteger(VectorTable &table);
void addVectorMultiply(VectorTable &table);
void addVectorFixedPoint(VectorTable &table);
void addVectorWidening(VectorTable &table);
void addVectorCompare(VectorTable &table);
void addVectorMask(VectorTable &table);
void addVectorPermute(VectorTable &table);
void addVectorReduce(VectorTable &table);
void addVectorBits(VectorTable &table);
void addVectorFloat(VectorTable &table);
void addVectorFloatFused(VectorTable &table);
void addVectorFloatConvert(VectorTable &table);
void addVectorFloatEstimate(VectorTable &table);

// The families that are found by whole encodings.
void addVectorConfiguration(Patterns &patterns);
void addVectorMemory(Patterns &patterns);

/// Writes comparison results (bytes, 0 or 1) of active elements as a mask.
void writeMask(Hart &h, const Instruction &i, const uint8_t *results);

} // namespace kevolve::simulator

#endif // KEVOLVE_SIMULATOR_HART_VECTOR_H
