//===- number_formats.h - FP16 and BF16 on the host -------------*- C++ -*-===//
#ifndef KEVOLVE_SIMULATOR_PE_NUMBER_FORMATS_H
#define KEVOLVE_SIMULATOR_PE_NUMBER_FORMATS_H

#include <cstdint>
#include <cstring>

namespace kevolve::simulator {

inline float floatOfBits(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

inline uint32_t bitsOfFloat(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

inline float floatOfBf16(uint16_t bits) {
  return floatOfBits(uint32_t(bits) << 16);
}

/// All 65536 values of FP16 as floats.
const float *halfTable();

inline float floatOfHalf(uint16_t bits) { return halfTable()[bits]; }

/// Round a double once, to nearest even. NaN becomes the default quiet NaN.
uint16_t halfOfDouble(double value);
uint16_t bf16OfDouble(double value);

} // namespace kevolve::simulator

#endif // KEVOLVE_SIMULATOR_PE_NUMBER_FORMATS_H
