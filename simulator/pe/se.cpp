//===- se.cpp - The SIMD engine -------------------------------------------===//
#include "simulator/pe/se.h"
#include "simulator/isa/mtia_isa.h"
#include "simulator/pe/number_formats.h"

#include <cmath>

namespace kevolve::simulator {

namespace {

struct Function {
  const char *name;
  double (*apply)(double);
};

/// Without overflow on either side.
double sigmoid(double x) {
  if (x >= 0)
    return 1 / (1 + std::exp(-x));
  double power = std::exp(x);
  return power / (1 + power);
}

/// By MTIA_SE_*.
const Function kFunctions[] = {
    {"exp", [](double x) { return std::exp(x); }},
    {"exp2", [](double x) { return std::exp2(x); }},
    {"log", [](double x) { return std::log(x); }},
    {"log2", [](double x) { return std::log2(x); }},
    {"sin", [](double x) { return std::sin(x); }},
    {"cos", [](double x) { return std::cos(x); }},
    {"tanh", [](double x) { return std::tanh(x); }},
    {"sigmoid", sigmoid},
    {"erf", [](double x) { return std::erf(x); }},
    {"sqrt", [](double x) { return std::sqrt(x); }},
    {"rsqrt", [](double x) { return 1 / std::sqrt(x); }},
    {"reciprocal", [](double x) { return 1 / x; }},
};
static_assert(sizeof kFunctions / sizeof *kFunctions == MTIA_SE_RECIPROCAL + 1);

float loadElement(uint64_t type, const uint8_t *at) {
  if (type == MTIA_SE_FP32) {
    float value;
    std::memcpy(&value, at, sizeof value);
    return value;
  }
  uint16_t bits;
  std::memcpy(&bits, at, sizeof bits);
  return type == MTIA_SE_FP16 ? floatOfHalf(bits) : floatOfBf16(bits);
}

void storeElement(uint64_t type, double value, uint8_t *at) {
  if (type == MTIA_SE_FP32) {
    float rounded = float(value);
    std::memcpy(at, &rounded, sizeof rounded);
    return;
  }
  uint16_t bits =
      type == MTIA_SE_FP16 ? halfOfDouble(value) : bf16OfDouble(value);
  std::memcpy(at, &bits, sizeof bits);
}

} // namespace

unsigned seElementBytes(uint64_t type) {
  if (type == MTIA_SE_FP32)
    return 4;
  return type == MTIA_SE_FP16 || type == MTIA_SE_BF16 ? 2 : 0;
}

const char *seFunctionName(uint64_t function) {
  return function <= MTIA_SE_RECIPROCAL ? kFunctions[function].name : nullptr;
}

void seApply(uint64_t function, uint64_t type, const uint8_t *src, uint8_t *dst,
             uint64_t count) {
  unsigned bytes = seElementBytes(type);
  for (uint64_t i = 0; i < count; ++i)
    storeElement(type,
                 kFunctions[function].apply(loadElement(type, src + i * bytes)),
                 dst + i * bytes);
}

double seElementsPerCycle(const Chip &chip, uint64_t type) {
  return type == MTIA_SE_FP32 ? chip.seFp32PerCycle : chip.seFp16PerCycle;
}

} // namespace kevolve::simulator
