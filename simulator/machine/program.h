//===- program.h - The code that all PEs of a launch run --------*- C++ -*-===//
#ifndef KEVOLVE_SIMULATOR_MACHINE_PROGRAM_H
#define KEVOLVE_SIMULATOR_MACHINE_PROGRAM_H

#include "simulator/hart/bus.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace kevolve::simulator {

/// A program or a launch that cannot be started.
class LaunchError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// An ELF file in memory, at the addresses of MTIA_CODE_BASE and up.
class Program {
public:
  /// Throws LaunchError.
  Program(const uint8_t *elf, size_t sizeBytes);

  /// Address of a function; "" is the ELF's entry. Throws LaunchError.
  uint64_t entry(const std::string &symbol) const;

  /// Host address of [address, address + bytes), nullptr if it is not all in
  /// one segment that allows the access.
  uint8_t *find(uint64_t address, uint64_t bytes, Access access);
  bool isLoaded(uint64_t address) const;

  /// "symbol+offset" of a code address, or "?".
  std::string symbolAt(uint64_t address) const;

private:
  struct Segment {
    uint64_t address;
    std::vector<uint8_t> bytes;
    bool writable;
    bool executable;
  };

  uint64_t entryAddress = 0;
  std::vector<Segment> segments;
  std::map<std::string, uint64_t> symbols;
  std::map<uint64_t, std::string> names;
};

} // namespace kevolve::simulator

#endif // KEVOLVE_SIMULATOR_MACHINE_PROGRAM_H
