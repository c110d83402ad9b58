//===- dpe_kernels.h - The DPE's inner loops on the host --------*- C++ -*-===//
#ifndef KEVOLVE_SIMULATOR_PE_DPE_KERNELS_H
#define KEVOLVE_SIMULATOR_PE_DPE_KERNELS_H

#include <cstdint>

namespace kevolve::simulator {

constexpr uint64_t kPanelRows = 4;
constexpr uint64_t kPanelColumns = 32;

/// A in panels of kPanelRows rows, B and the sums row by row with `n` (a
/// multiple of kPanelColumns) columns.
template <typename T> struct Panels {
  const T *a;
  const T *b;
  T *sums;
  uint64_t m, n, k;
};

/// sums += A * B, each sum in increasing k.
void multiplyPanels(const Panels<float> &panels);
/// Integers of 32 bits that wrap around.
void multiplyPanels(const Panels<uint32_t> &panels);

} // namespace kevolve::simulator

#endif // KEVOLVE_SIMULATOR_PE_DPE_KERNELS_H
