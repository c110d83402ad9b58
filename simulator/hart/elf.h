//===- elf.h - Reads RISC-V executables -------------------------*- C++ -*-===//
#ifndef KEVOLVE_SIMULATOR_HART_ELF_H
#define KEVOLVE_SIMULATOR_HART_ELF_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kevolve::simulator {

/// A loadable segment. `contents` points into the bytes that were parsed; the
/// memory behind `fileBytes`, up to `memoryBytes`, is zero.
struct ElfSegment {
  uint64_t address = 0;
  uint64_t memoryBytes = 0;
  const uint8_t *contents = nullptr;
  uint64_t fileBytes = 0;
  bool writable = false;
  bool executable = false;
};

struct ElfImage {
  uint64_t entry = 0;
  std::vector<ElfSegment> segments; // by ascending address, disjoint
  std::map<std::string, uint64_t> symbols;
};

/// Parses a little-endian 64-bit RISC-V ET_EXEC. Anything else, and anything
/// that points outside the file, gives nullopt and one line in `error`.
std::optional<ElfImage> parseElf(const uint8_t *bytes, size_t size,
                                 std::string &error);

} // namespace kevolve::simulator

#endif // KEVOLVE_SIMULATOR_HART_ELF_H
