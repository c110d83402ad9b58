//===- text.h - Addresses in messages ---------------------------*- C++ -*-===//
#ifndef KEVOLVE_SIMULATOR_OBSERVE_TEXT_H
#define KEVOLVE_SIMULATOR_OBSERVE_TEXT_H

#include <cstdint>
#include <cstdio>
#include <string>

namespace kevolve::simulator {

inline std::string hex(uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", (unsigned long long)value);
  return text;
}

/// [address, address + bytes) for people.
inline std::string range(uint64_t address, uint64_t bytes) {
  return "[" + hex(address) + ", +" + std::to_string(bytes) + ")";
}

} // namespace kevolve::simulator

#endif // KEVOLVE_SIMULATOR_OBSERVE_TEXT_H
