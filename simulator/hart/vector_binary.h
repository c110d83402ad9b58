//===- vector_binary.h - Element-wise integer kernels -----------*- C++ -*-===//
#ifndef KEVOLVE_SIMULATOR_HART_VECTOR_BINARY_H
#define KEVOLVE_SIMULATOR_HART_VECTOR_BINARY_H

#include "simulator/hart/vector.h"

namespace kevolve::simulator {

/// The second operand is vs1.
struct FromVector {};

/// The second operand of an instruction, by element: a vector or a scalar.
template <class Source, class T> class Operand {
public:
  Operand(Hart &h, const Instruction &i)
      : value(Source::template get<T>(h, i)) {}
  T operator[](uint64_t) const { return value; }

private:
  T value;
};
template <class T> class Operand<FromVector, T> {
public:
  Operand(Hart &h, const Instruction &i) : elements(group<T>(h, i.rs1)) {}
  T operator[](uint64_t e) const { return elements[e]; }

private:
  const T *elements;
};

/// vd[e] = op(vs2[e], operand)
template <class Op, class Source> struct Binary {
  template <class T> static void run(Hart &h, const Instruction &i) {
    T *vd = group<T>(h, i.rd);
    const T *a = group<T>(h, i.rs2);
    const Operand<Source, T> b(h, i);
    forActive(h, i,
              [=](uint64_t e) { vd[e] = Op::template apply<T>(a[e], b[e]); });
  }
};

/// Which forms an instruction has: its second operand a vector, a scalar, a
/// signed or an unsigned immediate.
enum VectorForm : unsigned {
  kFormVV = 1,
  kFormVX = 2,
  kFormVI = 4,
  kFormVU = 8,
};

inline VectorOperation costing(VectorOperation o, VectorCost cost) {
  o.cost = cost;
  return o;
}

template <class Op>
void addBinary(VectorTable &t, const char *name, unsigned funct6,
               unsigned forms) {
  if (forms & kFormVV)
    t.add(kIVV, funct6, allWidths<Binary<Op, FromVector>>(name, Width::Same));
  if (forms & kFormVX)
    t.add(kIVX, funct6, allWidths<Binary<Op, FromX>>(name));
  if (forms & kFormVI)
    t.add(kIVI, funct6, allWidths<Binary<Op, FromSigned>>(name));
  if (forms & kFormVU)
    t.add(kIVI, funct6, allWidths<Binary<Op, FromUnsigned>>(name));
}

} // namespace kevolve::simulator

#endif // KEVOLVE_SIMULATOR_HART_VECTOR_BINARY_H
