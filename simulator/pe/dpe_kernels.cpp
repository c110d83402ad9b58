//===- dpe_kernels.cpp - The DPE's inner loops on the host ----------------===//
//
// One source, compiled for the instruction sets worth telling apart and chosen
// when the program runs. Vector types of the compiler keep the order of every
// sum: columns run in parallel, k does not. This file is compiled with
// -ffp-contract=fast: a fused multiply-add keeps the product exact. Without
// one, products of FP16 are exact in fp32 anyway, and those of BF16 are unless
// they leave fp32's range.
//
//===----------------------------------------------------------------------===//
#include "simulator/pe/dpe_kernels.h"

#include <cstring>

namespace kevolve::simulator {

namespace {

constexpr unsigned kLanes = 16;

template <typename T> struct VectorOf;
template <> struct VectorOf<float> {
  typedef float Type __attribute__((vector_size(kLanes * 4)));
};
template <> struct VectorOf<uint32_t> {
  typedef uint32_t Type __attribute__((vector_size(kLanes * 4)));
};

/// One block of kPanelRows x kPanelColumns sums.
template <typename T>
[[gnu::always_inline]] inline void
multiplyBlock(const T *a, const T *b, T *sums, uint64_t n, uint64_t depth) {
  using Vector = typename VectorOf<T>::Type;
  constexpr unsigned kVectors = kPanelColumns / kLanes;
  Vector acc[kPanelRows][kVectors];
  for (unsigned r = 0; r < kPanelRows; ++r)
    for (unsigned v = 0; v < kVectors; ++v)
      std::memcpy(&acc[r][v], sums + r * n + v * kLanes, sizeof(Vector));
  for (uint64_t k = 0; k < depth; ++k) {
    Vector row[kVectors];
    for (unsigned v = 0; v < kVectors; ++v)
      std::memcpy(&row[v], b + k * n + v * kLanes, sizeof(Vector));
    for (unsigned r = 0; r < kPanelRows; ++r)
      for (unsigned v = 0; v < kVectors; ++v)
        acc[r][v] += row[v] * a[k * kPanelRows + r];
  }
  for (unsigned r = 0; r < kPanelRows; ++r)
    for (unsigned v = 0; v < kVectors; ++v)
      std::memcpy(sums + r * n + v * kLanes, &acc[r][v], sizeof(Vector));
}

template <typename T>
[[gnu::always_inline]] inline void multiplyAll(const Panels<T> &p) {
  for (uint64_t column = 0; column < p.n; column += kPanelColumns)
    for (uint64_t row = 0; row < p.m; row += kPanelRows)
      multiplyBlock(p.a + row * p.k, p.b + column, p.sums + row * p.n + column,
                    p.n, p.k);
}

template <typename T> void multiplyDefault(const Panels<T> &panels) {
  multiplyAll(panels);
}

#if defined(__x86_64__)
template <typename T>
[[gnu::target("avx2,fma")]] void multiplyAvx2(const Panels<T> &panels) {
  multiplyAll(panels);
}

template <typename T>
[[gnu::target("avx512f,avx2,fma")]] void
multiplyAvx512(const Panels<T> &panels) {
  multiplyAll(panels);
}
#endif

template <typename T> using Multiply = void (*)(const Panels<T> &);

template <typename T> Multiply<T> choose() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f"))
    return multiplyAvx512<T>;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return multiplyAvx2<T>;
#endif
  return multiplyDefault<T>;
}

} // namespace

void multiplyPanels(const Panels<float> &panels) {
  static const Multiply<float> multiply = choose<float>();
  multiply(panels);
}

void multiplyPanels(const Panels<uint32_t> &panels) {
  static const Multiply<uint32_t> multiply = choose<uint32_t>();
  multiply(panels);
}

} // namespace kevolve::simulator
