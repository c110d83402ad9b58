//===- memory_access.h - Scalar loads and stores ----------------*- C++ -*-===//
#ifndef KEVOLVE_SIMULATOR_HART_MEMORY_ACCESS_H
#define KEVOLVE_SIMULATOR_HART_MEMORY_ACCESS_H

#include "simulator/hart/instruction.h"

#include <cstring>

namespace kevolve::simulator {

/// Reads guest memory; false with a raised fault if it cannot.
template <class T> bool loadScalar(Hart &h, uint64_t address, T &value) {
  const uint8_t *host = h.access(address, sizeof(T), Access::Load);
  if (!host)
    return false;
  std::memcpy(&value, host, sizeof(T));
  ++h.counters.loads;
  h.counters.loadedBytes += sizeof(T);
  return true;
}

template <class T> bool storeScalar(Hart &h, uint64_t address, T value) {
  uint8_t *host = h.access(address, sizeof(T), Access::Store);
  if (!host)
    return false;
  std::memcpy(host, &value, sizeof(T));
  ++h.counters.stores;
  h.counters.storedBytes += sizeof(T);
  return true;
}

} // namespace kevolve::simulator

#endif // KEVOLVE_SIMULATOR_HART_MEMORY_ACCESS_H
