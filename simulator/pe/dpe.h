//===- dpe.h - The dot product engine ---------------------------*- C++ -*-===//
#ifndef KEVOLVE_SIMULATOR_PE_DPE_H
#define KEVOLVE_SIMULATOR_PE_DPE_H

#include "simulator/timing/chip.h"

#include <cstdint>

namespace kevolve::simulator {

enum class DpeType : uint8_t { Fp16, Bf16, Int8 };

struct DpeShape {
  DpeType type = DpeType::Fp16;
  uint64_t m = 0, n = 0, k = 0;
  uint64_t strideA = 0, strideB = 0, strideC = 0; // bytes from row to row
  bool accumulate = false, transposeA = false, transposeB = false;

  unsigned elementBytes() const { return type == DpeType::Int8 ? 1 : 2; }
  uint64_t rowsA() const { return transposeA ? k : m; }
  uint64_t rowBytesA() const { return (transposeA ? m : k) * elementBytes(); }
  uint64_t rowsB() const { return transposeB ? n : k; }
  uint64_t rowBytesB() const { return (transposeB ? k : n) * elementBytes(); }
};

/// C (+)= A * B: products are exact, sums fp32 (int32) in increasing k.
void dpeMultiply(const DpeShape &shape, const uint8_t *a, const uint8_t *b,
                 uint8_t *c);

struct DpeTiming {
  double occupancyCycles = 0;
  double latencyCycles = 0;
  double localBytesPerCycle = 0;
};

/// Each tile holds a block of 32 rows x 32 bytes (of k) of A and streams B past
/// it, a 32-byte row of k for one column of B a cycle; the next block is loaded
/// meanwhile, at a row a cycle. So a block takes max(N, 32) cycles, and the
/// blocks are dealt to the tiles (the last ones by columns, when they do not
/// come out even). The accumulators' path to local memory takes what the tiles
/// make, so it never takes longer unless K is shorter than a block.
DpeTiming dpeTiming(const Chip &chip, const DpeShape &shape);

} // namespace kevolve::simulator

#endif // KEVOLVE_SIMULATOR_PE_DPE_H
