//===- regions.h - The tensors that a launch may touch ----------*- C++ -*-===//
//
// DRAM is the host's memory: kernels use host addresses, and only those inside
// the regions of a launch. Timing uses canonical addresses instead, given out
// in the order in which regions are first seen, so that the host's allocator
// and address randomisation change no cycle count.
//
//===----------------------------------------------------------------------===//
#ifndef KEVOLVE_SIMULATOR_MEMORY_REGIONS_H
#define KEVOLVE_SIMULATOR_MEMORY_REGIONS_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace kevolve::simulator {

/// Memory of the host that a kernel sees at `address`. `host` is usually the
/// same number; it differs where the host has the memory below the DRAM base.
struct Region {
  uint64_t address = 0;
  uint64_t sizeBytes = 0;
  bool writable = false;
  uint8_t *host = nullptr;
  uint64_t canonical = 0;

  uint64_t end() const { return address + sizeBytes; }
};

/// Canonical addresses live as long as the device's cache: a tensor that one
/// kernel writes and the next one reads keeps its place.
class CanonicalAddresses {
public:
  uint64_t assign(uint64_t address, uint64_t sizeBytes);
  void clear();

private:
  struct Range {
    uint64_t sizeBytes;
    uint64_t canonical;
  };
  void dropOverlaps(uint64_t address, uint64_t sizeBytes);

  std::map<uint64_t, Range> ranges;
  uint64_t next = 0;
};

class RegionTable {
public:
  /// Takes the regions of a launch; overlapping ones are joined. Returns what
  /// is wrong with them, "" if nothing.
  std::string set(std::vector<Region> newRegions,
                  CanonicalAddresses &addresses);

  /// The region that holds all of [address, address + bytes), or nullptr.
  const Region *find(uint64_t address, uint64_t bytes) const;

  /// Why `find` failed: the nearest region, in words.
  std::string explain(uint64_t address, uint64_t bytes) const;

private:
  std::vector<Region> regions; // by address
  mutable size_t last = 0;     // where the previous search ended
};

} // namespace kevolve::simulator

#endif // KEVOLVE_SIMULATOR_MEMORY_REGIONS_H
