//===- number_formats.cpp - FP16 and BF16 on the host ---------------------===//
#include "simulator/pe/number_formats.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace kevolve::simulator {

namespace {

float decodeHalf(uint16_t bits) {
  int exponent = (bits >> 10) & 0x1F;
  int fraction = bits & 0x3FF;
  float sign = bits & 0x8000 ? -1.0f : 1.0f;
  if (exponent == 0x1F)
    return fraction ? floatOfBits(uint32_t(bits & 0x8000) << 16 | 0x7F800000 |
                                  uint32_t(fraction) << 13)
                    : sign * HUGE_VALF;
  if (exponent == 0)
    return sign * std::ldexp(float(fraction), -24);
  return sign * std::ldexp(float(fraction | 0x400), exponent - 25);
}

std::array<float, 65536> makeHalfTable() {
  std::array<float, 65536> table;
  for (unsigned bits = 0; bits < table.size(); ++bits)
    table[bits] = decodeHalf(uint16_t(bits));
  return table;
}

/// A binary format of 16 bits with so many fraction bits.
struct Format16 {
  int fractionBits;
  int bias;
  int maxExponent; // biased, of infinity

  uint16_t infinity() const { return uint16_t(maxExponent << fractionBits); }
};

uint16_t encode(double value, const Format16 &format) {
  uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  if (std::isnan(value))
    return uint16_t(format.infinity() | 1u << (format.fractionBits - 1));
  double magnitude = std::fabs(value);
  if (std::isinf(value))
    return sign | format.infinity();
  int exponent = magnitude == 0 ? -2000 : std::ilogb(magnitude);
  exponent = std::max(exponent, 1 - format.bias); // subnormals share one scale
  // Exact: a power of two; then nearbyint rounds to nearest even.
  double units =
      std::nearbyint(std::ldexp(magnitude, format.fractionBits - exponent));
  uint64_t bits = uint64_t(exponent + format.bias - 1) << format.fractionBits;
  bits += uint64_t(units); // a carry moves into the exponent, as it should
  return sign | uint16_t(std::min<uint64_t>(bits, format.infinity()));
}

} // namespace

const float *halfTable() {
  static const std::array<float, 65536> table = makeHalfTable();
  return table.data();
}

uint16_t halfOfDouble(double value) { return encode(value, {10, 15, 31}); }

uint16_t bf16OfDouble(double value) { return encode(value, {7, 127, 255}); }

} // namespace kevolve::simulator
