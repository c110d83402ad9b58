//===- local_memory.cpp - LS and who is using it --------------------------===//
#include "simulator/pe/local_memory.h"

#include <cstring>

namespace kevolve::simulator {

LocalMemory::LocalMemory(uint64_t sizeBytes)
    : bytes(sizeBytes), readers((sizeBytes >> kGranuleShift) + 1),
      writers((sizeBytes >> kGranuleShift) + 1) {}

void LocalMemory::poison() {
  std::memset(bytes.data(), 0xFF, bytes.size());
  std::fill(readers.begin(), readers.end(), 0);
  std::fill(writers.begin(), writers.end(), 0);
  guards = 0;
}

void LocalMemory::count(const LocalSpan &span, bool written, int by) {
  if (span.empty())
    return;
  guards += by;
  std::vector<uint32_t> &users = written ? writers : readers;
  for (uint64_t plane = 0; plane < span.planes; ++plane)
    for (uint64_t row = 0; row < span.rows; ++row) {
      uint64_t first = span.row(plane, row);
      uint64_t last = (first + span.rowBytes - 1) >> kGranuleShift;
      for (uint64_t granule = first >> kGranuleShift; granule <= last;
           ++granule)
        users[granule] = uint32_t(users[granule] + by);
    }
}

bool LocalMemory::mayBeUsed(uint64_t offset, uint64_t size,
                            bool byWriters) const {
  const std::vector<uint32_t> &users = byWriters ? writers : readers;
  uint64_t last = (offset + size - 1) >> kGranuleShift;
  for (uint64_t granule = offset >> kGranuleShift; granule <= last; ++granule)
    if (users[granule])
      return true;
  return false;
}

} // namespace kevolve::simulator
