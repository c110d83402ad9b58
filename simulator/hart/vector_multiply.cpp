//===- vector_multiply.cpp - Multiply, divide, multiply-add
//------------------===//
#include "simulator/hart/vector_binary.h"

using namespace kevolve::simulator;

namespace {

// High halves multiply in the signed type of twice the width: 64-bit products
// of 16-bit elements, truncated, are miscompiled by GCC 12's vectoriser.
template <class T> using Product = Signed<Wider<T>>;
template <class T> T highHalf(Product<T> product) {
  return T(product >> (8 * sizeof(T)));
}

// clang-format off
struct Mul { template <class T> static T apply(T a, T b) { return multiply(a, b); } };
struct Mulhu { template <class T> static T apply(T a, T b) { return T(Wider<T>(a) * Wider<T>(b) >> (8 * sizeof(T))); } };
struct Mulh { template <class T> static T apply(T a, T b) { return highHalf<T>(Product<T>(Signed<T>(a)) * Product<T>(Signed<T>(b))); } };
struct Mulhsu { template <class T> static T apply(T a, T b) { return highHalf<T>(Product<T>(Signed<T>(a)) * Product<T>(b)); } };
struct Divu { template <class T> static T apply(T a, T b) { return b == 0 ? T(-1) : T(a / b); } };
struct Remu { template <class T> static T apply(T a, T b) { return b == 0 ? a : T(a % b); } };
// clang-format on

struct Div {
  template <class T> static T apply(T a, T b) {
    if (b == 0)
      return T(-1);
    return b == T(-1) ? T(0 - a) : T(Signed<T>(a) / Signed<T>(b));
  }
};
struct Rem {
  template <class T> static T apply(T a, T b) {
    if (b == 0)
      return a;
    return b == T(-1) ? T(0) : T(Signed<T>(a) % Signed<T>(b));
  }
};

// d: the old destination, a: vs2, b: vs1 or the scalar.
// clang-format off
struct Macc { template <class T> static T apply(T d, T a, T b) { return T(d + multiply(a, b)); } };
struct Nmsac { template <class T> static T apply(T d, T a, T b) { return T(d - multiply(a, b)); } };
struct Madd { template <class T> static T apply(T d, T a, T b) { return T(multiply(d, b) + a); } };
struct Nmsub { template <class T> static T apply(T d, T a, T b) { return T(a - multiply(d, b)); } };
// clang-format on

template <class Op, class Source> struct Ternary {
  template <class T> static void run(Hart &h, const Instruction &i) {
    T *vd = group<T>(h, i.rd);
    const T *a = group<T>(h, i.rs2);
    const Operand<Source, T> b(h, i);
    forActive(h, i, [=](uint64_t e) { vd[e] = Op::apply(vd[e], a[e], b[e]); });
  }
};

template <class Op>
void addProduct(VectorTable &t, const char *name, unsigned funct6,
                VectorCost cost = VectorCost::Plain) {
  t.add(kMVV, funct6,
        costing(allWidths<Binary<Op, FromVector>>(name, Width::Same), cost));
  t.add(kMVX, funct6, costing(allWidths<Binary<Op, FromX>>(name), cost));
}

template <class Op>
void addTernary(VectorTable &t, const char *name, unsigned funct6) {
  t.add(kMVV, funct6, allWidths<Ternary<Op, FromVector>>(name, Width::Same));
  t.add(kMVX, funct6, allWidths<Ternary<Op, FromX>>(name));
}

} // namespace

void kevolve::simulator::addVectorMultiply(VectorTable &t) {
  addProduct<Divu>(t, "vdivu", 0x20, VectorCost::Divide);
  addProduct<Div>(t, "vdiv", 0x21, VectorCost::Divide);
  addProduct<Remu>(t, "vremu", 0x22, VectorCost::Divide);
  addProduct<Rem>(t, "vrem", 0x23, VectorCost::Divide);
  addProduct<Mulhu>(t, "vmulhu", 0x24);
  addProduct<Mul>(t, "vmul", 0x25);
  addProduct<Mulhsu>(t, "vmulhsu", 0x26);
  addProduct<Mulh>(t, "vmulh", 0x27);
  addTernary<Madd>(t, "vmadd", 0x29);
  addTernary<Nmsub>(t, "vnmsub", 0x2b);
  addTernary<Macc>(t, "vmacc", 0x2d);
  addTernary<Nmsac>(t, "vnmsac", 0x2f);
}
