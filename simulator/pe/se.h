//===- se.h - The SIMD engine -----------------------------------*- C++ -*-===//
#ifndef KEVOLVE_SIMULATOR_PE_SE_H
#define KEVOLVE_SIMULATOR_PE_SE_H

#include "simulator/timing/chip.h"

#include <cstdint>

namespace kevolve::simulator {

/// Bytes of an element of an MTIA_SE_FP* type, 0 if there is no such type.
unsigned seElementBytes(uint64_t type);

/// Name of an MTIA_SE_* function, nullptr if there is no such function.
const char *seFunctionName(uint64_t function);

/// dst[i] = f(src[i]): computed in double, rounded once. The real tables are
/// not published; this is what they approximate.
void seApply(uint64_t function, uint64_t type, const uint8_t *src, uint8_t *dst,
             uint64_t count);

double seElementsPerCycle(const Chip &chip, uint64_t type);

} // namespace kevolve::simulator

#endif // KEVOLVE_SIMULATOR_PE_SE_H
