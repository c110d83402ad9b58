//===- elf.cpp - Reads RISC-V executables
//----------------------------------===//
//
// Layouts and constants: System V ABI, "ELF-64 Object File Format".
//
//===----------------------------------------------------------------------===//
#include "simulator/hart/elf.h"

#include <algorithm>
#include <cstring>

using namespace kevolve::simulator;

namespace {

struct Header {
  uint8_t ident[16];
  uint16_t type, machine;
  uint32_t version;
  uint64_t entry, programOffset, sectionOffset;
  uint32_t flags;
  uint16_t headerBytes, programBytes, programCount;
  uint16_t sectionBytes, sectionCount, sectionNames;
};
struct ProgramHeader {
  uint32_t type, flags;
  uint64_t offset, virtualAddress, physicalAddress, fileBytes, memoryBytes,
      alignment;
};
struct SectionHeader {
  uint32_t name, type;
  uint64_t flags, address, offset, size;
  uint32_t link, info;
  uint64_t alignment, entryBytes;
};
struct Symbol {
  uint32_t name;
  uint8_t info, other;
  uint16_t section;
  uint64_t value, size;
};
static_assert(sizeof(Header) == 64 && sizeof(ProgramHeader) == 56 &&
                  sizeof(SectionHeader) == 64 && sizeof(Symbol) == 24,
              "the structures lie as in the file");

constexpr uint16_t kExecutable = 2;  // ET_EXEC
constexpr uint16_t kRiscv = 243;     // EM_RISCV
constexpr uint32_t kLoad = 1;        // PT_LOAD
constexpr uint32_t kFlagExecute = 1; // PF_X
constexpr uint32_t kFlagWrite = 2;   // PF_W
constexpr uint32_t kSymbolTable = 2; // SHT_SYMTAB
constexpr uint64_t kAddressLimit = uint64_t(1) << 48;

class Parser {
public:
  Parser(const uint8_t *bytes, size_t size, std::string &error)
      : bytes(bytes), size(size), error(error) {}

  std::optional<ElfImage> parse() {
    ElfImage image;
    if (!readHeader() || !readSegments(image) || !readSymbols(image))
      return std::nullopt;
    sortSegments(image);
    image.entry = header.entry;
    return image;
  }

private:
  bool fail(const std::string &why) {
    error = "ELF: " + why;
    return false;
  }

  bool inFile(uint64_t offset, uint64_t count) const {
    return count <= size && offset <= size - count;
  }

  template <class T> bool read(uint64_t offset, T &out) const {
    if (!inFile(offset, sizeof(T)))
      return false;
    std::memcpy(&out, bytes + offset, sizeof(T));
    return true;
  }

  /// Entry `index` of a table; false if it lies outside the file.
  template <class T>
  bool readEntry(uint64_t table, uint64_t index, T &out) const {
    return table <= size && index <= size / sizeof(T) &&
           read(table + index * sizeof(T), out);
  }

  bool readHeader() {
    static const uint8_t magic[] = {0x7f, 'E', 'L', 'F'};
    if (!read(0, header))
      return fail("the file is shorter than a header");
    if (std::memcmp(header.ident, magic, 4) != 0)
      return fail("not an ELF file");
    if (header.ident[4] != 2 || header.ident[5] != 1)
      return fail("not a 64-bit little-endian file");
    if (header.machine != kRiscv)
      return fail("machine " + std::to_string(header.machine) +
                  " is not RISC-V");
    if (header.type != kExecutable)
      return fail("not a linked executable (type " +
                  std::to_string(header.type) + ")");
    if (header.programCount && header.programBytes != sizeof(ProgramHeader))
      return fail("program headers of an unknown size");
    return true;
  }

  bool readSegments(ElfImage &image) {
    for (unsigned i = 0; i < header.programCount; ++i) {
      ProgramHeader p;
      if (!readEntry(header.programOffset, i, p))
        return fail("program header " + std::to_string(i) +
                    " lies outside the file");
      if (p.type == kLoad && p.memoryBytes != 0 && !addSegment(image, i, p))
        return false;
    }
    return image.segments.empty() ? fail("nothing to load") : true;
  }

  bool addSegment(ElfImage &image, unsigned index, const ProgramHeader &p) {
    const std::string name = "segment " + std::to_string(index);
    if (!inFile(p.offset, p.fileBytes))
      return fail(name + " lies outside the file");
    if (p.fileBytes > p.memoryBytes)
      return fail(name + " is larger in the file than in memory");
    if (p.memoryBytes > kAddressLimit ||
        p.virtualAddress > kAddressLimit - p.memoryBytes)
      return fail(name + " ends above the address space");
    const ElfSegment added{p.virtualAddress,
                           p.memoryBytes,
                           bytes + p.offset,
                           p.fileBytes,
                           (p.flags & kFlagWrite) != 0,
                           (p.flags & kFlagExecute) != 0};
    cutOut(image.segments, added);
    image.segments.push_back(added);
    return true;
  }

  /// Linkers lay the file's headers under the code when the code is linked at a
  /// given address; like a system's loader, let the later segment win.
  static void cutOut(std::vector<ElfSegment> &segments,
                     const ElfSegment &added) {
    std::vector<ElfSegment> kept;
    for (const ElfSegment &s : segments) {
      addPart(kept, s, s.address, added.address);
      addPart(kept, s, added.address + added.memoryBytes,
              s.address + s.memoryBytes);
    }
    segments = std::move(kept);
  }

  /// Appends the part of a segment that lies in [begin, end), if any.
  static void addPart(std::vector<ElfSegment> &parts, const ElfSegment &whole,
                      uint64_t begin, uint64_t end) {
    begin = std::max(begin, whole.address);
    end = std::min(end, whole.address + whole.memoryBytes);
    if (begin >= end)
      return;
    ElfSegment part = whole;
    const uint64_t skipped = std::min(begin - whole.address, whole.fileBytes);
    part.address = begin;
    part.memoryBytes = end - begin;
    part.contents = whole.contents + skipped;
    part.fileBytes = std::min(whole.fileBytes - skipped, part.memoryBytes);
    parts.push_back(part);
  }

  static void sortSegments(ElfImage &image) {
    std::sort(image.segments.begin(), image.segments.end(),
              [](const ElfSegment &a, const ElfSegment &b) {
                return a.address < b.address;
              });
  }

  bool readSymbols(ElfImage &image) {
    if (header.sectionCount && header.sectionBytes != sizeof(SectionHeader))
      return fail("section headers of an unknown size");
    for (unsigned i = 0; i < header.sectionCount; ++i) {
      SectionHeader section, names;
      if (!readEntry(header.sectionOffset, i, section))
        return fail("section header " + std::to_string(i) +
                    " lies outside the file");
      if (section.type != kSymbolTable)
        continue;
      if (section.link >= header.sectionCount ||
          !readEntry(header.sectionOffset, section.link, names) ||
          !inFile(section.offset, section.size) ||
          !inFile(names.offset, names.size))
        return fail("the symbol table lies outside the file");
      addSymbols(image, section, names);
    }
    return true;
  }

  void addSymbols(ElfImage &image, const SectionHeader &table,
                  const SectionHeader &names) {
    for (uint64_t i = 0; i < table.size / sizeof(Symbol); ++i) {
      Symbol symbol;
      if (!readEntry(table.offset, i, symbol) || symbol.section == 0)
        continue;
      const std::string name = stringAt(names, symbol.name);
      if (!name.empty())
        image.symbols[name] = symbol.value;
    }
  }

  /// A name; empty if it is, or does not end inside its table.
  std::string stringAt(const SectionHeader &table, uint32_t offset) const {
    if (offset >= table.size)
      return {};
    const char *begin =
        reinterpret_cast<const char *>(bytes + table.offset + offset);
    const void *end = std::memchr(begin, 0, table.size - offset);
    return end ? std::string(begin) : std::string();
  }

  const uint8_t *bytes;
  size_t size;
  std::string &error;
  Header header{};
};

} // namespace

std::optional<ElfImage> kevolve::simulator::parseElf(const uint8_t *bytes,
                                                     size_t size,
                                                     std::string &error) {
  return Parser(bytes, size, error).parse();
}
