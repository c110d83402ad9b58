//===- local_memory.h - LS and who is using it ------------------*- C++ -*-===//
#ifndef KEVOLVE_SIMULATOR_PE_LOCAL_MEMORY_H
#define KEVOLVE_SIMULATOR_PE_LOCAL_MEMORY_H

#include "simulator/pe/local_span.h"

#include <cstdint>
#include <vector>

namespace kevolve::simulator {

/// The bytes of a PE's local memory, and per granule how many commands that
/// nobody has waited for read and write it: a filter in front of the exact
/// check, so that most accesses of a core cost one look-up.
class LocalMemory {
public:
  explicit LocalMemory(uint64_t sizeBytes);

  uint64_t size() const { return bytes.size(); }
  uint8_t *at(uint64_t offset) { return bytes.data() + offset; }

  /// Fills memory with NaNs: what a launch reads before it writes shows.
  void poison();

  void guard(const LocalSpan &span, bool written) { count(span, written, 1); }
  void release(const LocalSpan &span, bool written) {
    count(span, written, -1);
  }
  bool isGuarded() const { return guards != 0; }
  /// May an unfinished command use these bytes?
  bool mayBeUsed(uint64_t offset, uint64_t bytes, bool byWriters) const;

private:
  static constexpr unsigned kGranuleShift = 7; // 128 bytes

  void count(const LocalSpan &span, bool written, int by);

  std::vector<uint8_t> bytes;
  std::vector<uint32_t> readers;
  std::vector<uint32_t> writers;
  int64_t guards = 0;
};

} // namespace kevolve::simulator

#endif // KEVOLVE_SIMULATOR_PE_LOCAL_MEMORY_H
