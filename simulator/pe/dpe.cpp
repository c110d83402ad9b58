//===- dpe.cpp - The dot product engine: operands and timing --------------===//
#include "simulator/pe/dpe.h"
#include "simulator/pe/dpe_kernels.h"
#include "simulator/pe/number_formats.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace kevolve::simulator {

namespace {

uint16_t load16(const uint8_t *at) {
  uint16_t bits;
  std::memcpy(&bits, at, sizeof bits);
  return bits;
}

struct FromHalf {
  static constexpr unsigned bytes = 2;
  const float *table = halfTable();
  float operator()(const uint8_t *at) const { return table[load16(at)]; }
};

struct FromBf16 {
  static constexpr unsigned bytes = 2;
  float operator()(const uint8_t *at) const { return floatOfBf16(load16(at)); }
};

struct FromInt8 {
  static constexpr unsigned bytes = 1;
  uint32_t operator()(const uint8_t *at) const {
    return uint32_t(int32_t(int8_t(*at)));
  }
};

/// A as panels of kPanelRows rows, k by k; rows beyond M are zero.
template <typename Convert, typename T>
void packA(const DpeShape &shape, const uint8_t *a, std::vector<T> &packed) {
  Convert convert;
  uint64_t panels = (shape.m + kPanelRows - 1) / kPanelRows;
  packed.assign(panels * kPanelRows * shape.k, T(0));
  uint64_t stepM = shape.transposeA ? Convert::bytes : shape.strideA;
  uint64_t stepK = shape.transposeA ? shape.strideA : Convert::bytes;
  for (uint64_t i = 0; i < shape.m; ++i) {
    T *to =
        packed.data() + i / kPanelRows * kPanelRows * shape.k + i % kPanelRows;
    for (uint64_t k = 0; k < shape.k; ++k)
      to[k * kPanelRows] = convert(a + i * stepM + k * stepK);
  }
}

/// B row by row, padded with zeros to whole panels of columns.
template <typename Convert, typename T>
void packB(const DpeShape &shape, const uint8_t *b, uint64_t paddedN,
           std::vector<T> &packed) {
  Convert convert;
  packed.assign(shape.k * paddedN, T(0));
  uint64_t stepN = shape.transposeB ? shape.strideB : Convert::bytes;
  uint64_t stepK = shape.transposeB ? Convert::bytes : shape.strideB;
  for (uint64_t k = 0; k < shape.k; ++k)
    for (uint64_t j = 0; j < shape.n; ++j)
      packed[k * paddedN + j] = convert(b + k * stepK + j * stepN);
}

template <typename T>
void copyIn(const DpeShape &shape, const uint8_t *c, uint64_t paddedN,
            std::vector<T> &sums) {
  uint64_t paddedM = (shape.m + kPanelRows - 1) / kPanelRows * kPanelRows;
  sums.assign(paddedM * paddedN, T(0));
  if (!shape.accumulate)
    return;
  for (uint64_t i = 0; i < shape.m; ++i)
    std::memcpy(sums.data() + i * paddedN, c + i * shape.strideC, shape.n * 4);
}

template <typename Convert, typename T>
void multiply(const DpeShape &shape, const uint8_t *a, const uint8_t *b,
              uint8_t *c) {
  // Kept between calls: a kernel issues thousands of commands of one size.
  static thread_local std::vector<T> packedA, packedB, sums;
  uint64_t paddedN =
      (shape.n + kPanelColumns - 1) / kPanelColumns * kPanelColumns;
  packA<Convert>(shape, a, packedA);
  packB<Convert>(shape, b, paddedN, packedB);
  copyIn(shape, c, paddedN, sums);
  multiplyPanels(
      {packedA.data(), packedB.data(), sums.data(), shape.m, paddedN, shape.k});
  for (uint64_t i = 0; i < shape.m; ++i)
    std::memcpy(c + i * shape.strideC, sums.data() + i * paddedN, shape.n * 4);
}

} // namespace

void dpeMultiply(const DpeShape &shape, const uint8_t *a, const uint8_t *b,
                 uint8_t *c) {
  switch (shape.type) {
  case DpeType::Fp16:
    return multiply<FromHalf, float>(shape, a, b, c);
  case DpeType::Bf16:
    return multiply<FromBf16, float>(shape, a, b, c);
  case DpeType::Int8:
    return multiply<FromInt8, uint32_t>(shape, a, b, c);
  }
}

DpeTiming dpeTiming(const Chip &chip, const DpeShape &shape) {
  DpeTiming timing;
  if (shape.m == 0 || shape.n == 0)
    return timing;
  double blockK = chip.dpeRowBytes / shape.elementBytes();
  double blocks = std::ceil(double(shape.m) / chip.dpeHeldRows) *
                  std::ceil(double(shape.k) / blockK);
  double perBlock = std::max(double(shape.n), chip.dpeHeldRows);
  double bytesC = double(shape.m * shape.n * 4);
  double cycles = std::max(std::ceil(blocks * perBlock / chip.dpeTiles),
                           bytesC / chip.dpeAccumulatorBytesPerCycle);
  double bytesAB =
      blocks * (chip.dpeHeldRows + double(shape.n)) * chip.dpeRowBytes;
  timing.occupancyCycles = cycles;
  timing.latencyCycles = chip.dpePipelineCycles;
  timing.localBytesPerCycle =
      (bytesAB + bytesC * (shape.accumulate ? 2 : 1)) / cycles;
  return timing;
}

} // namespace kevolve::simulator
