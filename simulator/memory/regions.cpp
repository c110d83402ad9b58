//===- regions.cpp - The tensors that a launch may touch ------------------===//
#include "simulator/memory/regions.h"
#include "simulator/isa/mtia_isa.h"
#include "simulator/observe/text.h"

#include <algorithm>

namespace kevolve::simulator {

namespace {

/// Regions start on canonical pages of this size: two never share a line.
constexpr uint64_t kCanonicalPageBytes = 4096;

uint64_t roundUp(uint64_t value, uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}

bool holds(const Region &region, uint64_t address, uint64_t bytes) {
  return address >= region.address && bytes <= region.sizeBytes &&
         address - region.address <= region.sizeBytes - bytes;
}

std::string checkRegion(const Region &region) {
  if (region.address < MTIA_DRAM_BASE)
    return "region at " + hex(region.address) + " lies below the DRAM base " +
           hex(MTIA_DRAM_BASE) + ": give it another device address";
  if (region.address + region.sizeBytes < region.address)
    return "region at " + hex(region.address) + " wraps around";
  return "";
}

/// Two tensors may share storage: their regions become one. Device addresses
/// that overlap must then mean the same host memory.
std::string join(Region &left, const Region &right) {
  if (left.host + (right.address - left.address) != right.host)
    return "regions at " + hex(left.address) + " and " + hex(right.address) +
           " overlap but are different host memory";
  left.sizeBytes = std::max(left.end(), right.end()) - left.address;
  left.writable |= right.writable;
  return "";
}

} // namespace

uint64_t CanonicalAddresses::assign(uint64_t address, uint64_t sizeBytes) {
  auto after = ranges.upper_bound(address);
  if (after != ranges.begin()) {
    auto &[start, range] = *std::prev(after);
    if (address + sizeBytes <= start + range.sizeBytes)
      return range.canonical + (address - start);
  }
  dropOverlaps(address, sizeBytes);
  uint64_t canonical = next;
  next += roundUp(sizeBytes, kCanonicalPageBytes);
  ranges[address] = {sizeBytes, canonical};
  return canonical;
}

void CanonicalAddresses::dropOverlaps(uint64_t address, uint64_t sizeBytes) {
  auto at = ranges.upper_bound(address);
  if (at != ranges.begin() &&
      std::prev(at)->first + std::prev(at)->second.sizeBytes > address)
    --at;
  while (at != ranges.end() && at->first < address + sizeBytes)
    at = ranges.erase(at);
}

void CanonicalAddresses::clear() {
  ranges.clear();
  next = 0;
}

std::string RegionTable::set(std::vector<Region> newRegions,
                             CanonicalAddresses &addresses) {
  regions.clear();
  last = 0;
  // Canonical addresses follow the caller's order, not the host's.
  for (const Region &region : newRegions) {
    if (std::string wrong = checkRegion(region); !wrong.empty())
      return wrong;
    if (region.sizeBytes)
      addresses.assign(region.address, region.sizeBytes);
  }
  std::stable_sort(
      newRegions.begin(), newRegions.end(),
      [](const Region &a, const Region &b) { return a.address < b.address; });
  for (const Region &region : newRegions) {
    if (region.sizeBytes == 0)
      continue;
    if (regions.empty() || region.address >= regions.back().end())
      regions.push_back(region);
    else if (std::string wrong = join(regions.back(), region); !wrong.empty())
      return wrong;
  }
  for (Region &region : regions)
    region.canonical = addresses.assign(region.address, region.sizeBytes);
  return "";
}

const Region *RegionTable::find(uint64_t address, uint64_t bytes) const {
  if (last < regions.size() && holds(regions[last], address, bytes))
    return &regions[last];
  auto after = std::upper_bound(regions.begin(), regions.end(), address,
                                [](uint64_t value, const Region &region) {
                                  return value < region.address;
                                });
  if (after == regions.begin() || !holds(*std::prev(after), address, bytes))
    return nullptr;
  last = size_t(std::prev(after) - regions.begin());
  return &regions[last];
}

std::string RegionTable::explain(uint64_t address, uint64_t bytes) const {
  std::string what = range(address, bytes);
  auto after = std::upper_bound(regions.begin(), regions.end(), address,
                                [](uint64_t value, const Region &region) {
                                  return value < region.address;
                                });
  if (after == regions.begin())
    return what + " lies in no tensor of the launch" +
           (regions.empty()
                ? " (it has none)"
                : ", " + std::to_string(after->address - address) +
                      " bytes before the one at " + hex(after->address));
  const Region &region = *std::prev(after);
  if (address < region.end())
    return what + " runs past the end of the tensor " +
           range(region.address, region.sizeBytes) + " by " +
           std::to_string(address + bytes - region.end()) + " bytes";
  return what + " lies in no tensor of the launch, " +
         std::to_string(address - region.end()) + " bytes after the end of " +
         range(region.address, region.sizeBytes);
}

} // namespace kevolve::simulator
