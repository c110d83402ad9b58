//===- program.cpp - The code that all PEs of a launch run ----------------===//
#include "simulator/machine/program.h"
#include "simulator/hart/elf.h"
#include "simulator/isa/mtia_isa.h"
#include "simulator/observe/text.h"

#include <cstring>

namespace kevolve::simulator {

static void checkSegment(const ElfSegment &segment) {
  if (segment.address < MTIA_CODE_BASE || segment.address >= MTIA_CODE_LIMIT ||
      segment.memoryBytes > MTIA_CODE_LIMIT - segment.address)
    throw LaunchError("ELF segment " +
                      range(segment.address, segment.memoryBytes) +
                      " does not lie between " + hex(MTIA_CODE_BASE) + " and " +
                      hex(MTIA_CODE_LIMIT));
}

Program::Program(const uint8_t *elf, size_t sizeBytes) {
  std::string error;
  std::optional<ElfImage> image = parseElf(elf, sizeBytes, error);
  if (!image)
    throw LaunchError(error);
  entryAddress = image->entry;
  symbols = image->symbols;
  for (const auto &[name, address] : symbols)
    if (!name.empty() && name[0] != '.' && name[0] != '$')
      names.emplace(address, name);
  for (const ElfSegment &segment : image->segments) {
    if (segment.memoryBytes == 0)
      continue;
    checkSegment(segment);
    segments.push_back(
        {segment.address, {}, segment.writable, segment.executable});
    segments.back().bytes.resize(segment.memoryBytes);
    std::memcpy(segments.back().bytes.data(), segment.contents,
                segment.fileBytes);
  }
}

uint64_t Program::entry(const std::string &symbol) const {
  uint64_t address = entryAddress;
  if (!symbol.empty()) {
    auto found = symbols.find(symbol);
    if (found == symbols.end())
      throw LaunchError("the ELF has no symbol '" + symbol + "'");
    address = found->second;
  }
  for (const Segment &segment : segments)
    if (segment.executable && address - segment.address < segment.bytes.size())
      return address;
  throw LaunchError("entry " + hex(address) + " is not in executable code");
}

uint8_t *Program::find(uint64_t address, uint64_t bytes, Access access) {
  for (Segment &segment : segments)
    if (bytes <= segment.bytes.size() &&
        address - segment.address <= segment.bytes.size() - bytes) {
      bool allowed =
          access == Access::Load ||
          (access == Access::Store ? segment.writable : segment.executable);
      return allowed ? segment.bytes.data() + (address - segment.address)
                     : nullptr;
    }
  return nullptr;
}

bool Program::isLoaded(uint64_t address) const {
  for (const Segment &segment : segments)
    if (address - segment.address < segment.bytes.size())
      return true;
  return false;
}

std::string Program::symbolAt(uint64_t address) const {
  auto after = names.upper_bound(address);
  if (after == names.begin() || !isLoaded(address))
    return "?";
  const auto &[start, name] = *std::prev(after);
  return address == start ? name : name + "+" + hex(address - start);
}

} // namespace kevolve::simulator
