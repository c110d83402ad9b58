//===- run_elf.cpp - Runs a bare RISC-V program on one hart ---------------===//
//
// For comparing the hart with other RISC-V implementations: flat memory, and of
// Linux only write and exit, so that qemu-riscv64 runs the same file.
//
//===----------------------------------------------------------------------===//
#include "simulator/hart/elf.h"
#include "simulator/hart/hart.h"

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <vector>

using namespace kevolve::simulator;

namespace {

constexpr uint64_t kStackTop = UINT64_C(0x7fff0000);
constexpr uint64_t kStackBytes = 1 << 20;
constexpr uint64_t kMaxSegmentBytes = 1 << 28;
constexpr uint64_t kSyscallWrite = 64, kSyscallExit = 93,
                   kSyscallExitGroup = 94;

struct Region {
  uint64_t base;
  std::vector<uint8_t> bytes;
};

class FlatMemory : public Bus {
public:
  explicit FlatMemory(const ElfImage &image) {
    for (const ElfSegment &segment : image.segments) {
      regions.push_back({segment.address, {}});
      regions.back().bytes.resize(segment.memoryBytes);
      std::memcpy(regions.back().bytes.data(), segment.contents,
                  segment.fileBytes);
    }
    regions.push_back({kStackTop - kStackBytes, {}});
    regions.back().bytes.resize(kStackBytes);
  }

  uint8_t *translate(Hart &, uint64_t address, uint64_t bytes,
                     Access) override {
    for (Region &region : regions)
      if (bytes <= region.bytes.size() &&
          address - region.base <= region.bytes.size() - bytes)
        return region.bytes.data() + (address - region.base);
    return nullptr;
  }
  uint64_t accessCycles(Hart &, uint64_t, uint64_t, Access) override {
    return 0;
  }
  CustomAction onCustom(Hart &, const CustomInstruction &) override {
    return CustomAction::Illegal;
  }
  std::optional<uint64_t> readCsr(Hart &, uint32_t) override {
    return std::nullopt;
  }

  /// The region that is accessed most often becomes the hart's window.
  void openWindow(Hart &hart) {
    Region *largest = &regions.front();
    for (Region &region : regions)
      if (region.bytes.size() > largest->bytes.size())
        largest = &region;
    hart.local = {largest->base, largest->bytes.size(), largest->bytes.data()};
  }

private:
  std::vector<Region> regions;
};

struct Options {
  const char *path = nullptr;
  bool counters = false;
  uint64_t maxInstructions = UINT64_C(4000000000);
};

bool parseOptions(int argc, char **argv, Options &options) {
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--counters") == 0)
      options.counters = true;
    else if (std::strncmp(argv[i], "--max-instructions=", 19) == 0)
      options.maxInstructions = std::strtoull(argv[i] + 19, nullptr, 0);
    else if (argv[i][0] == '-' || options.path)
      return false;
    else
      options.path = argv[i];
  }
  return options.path != nullptr;
}

/// Serves one ecall. True if the program goes on.
bool serveCall(Hart &hart, FlatMemory &memory, int &status) {
  uint64_t *x = hart.regs.x;
  if (x[17] == kSyscallExit || x[17] == kSyscallExitGroup) {
    status = int(x[10] & 0xff);
    return false;
  }
  const uint8_t *data = x[17] == kSyscallWrite && x[12] != 0
                            ? memory.translate(hart, x[11], x[12], Access::Load)
                            : nullptr;
  if (data)
    std::fwrite(data, 1, x[12], stdout);
  x[10] = data ? x[12] : uint64_t(-1);
  hart.regs.pc += 4;
  return true;
}

void printCounters(const Hart &hart) {
  const HartCounters &c = hart.counters;
  std::fprintf(stderr,
               "instructions %" PRIu64 "\nvector_instructions %" PRIu64
               "\nloads %" PRIu64 "\nstores %" PRIu64 "\nbranches %" PRIu64
               "\nbranches_taken %" PRIu64 "\ncycles %" PRIu64 "\n",
               c.instructions, c.vectorInstructions, c.loads, c.stores,
               c.branches, c.branchesTaken, hart.cycles);
}

int report(const Hart &hart, StopReason reason) {
  const Fault &f = hart.fault();
  std::fprintf(stderr, "%s: %s", stopReasonName(reason), faultKindName(f.kind));
  std::fprintf(stderr,
               " at pc 0x%" PRIx64 " (encoding 0x%08x): %s 0x%" PRIx64 "\n",
               hart.regs.pc, f.encoding, f.message.c_str(), f.address);
  return 125;
}

int runProgram(const ElfImage &image, const Options &options) {
  FlatMemory memory(image);
  Hart hart(memory, CostModel(), 0);
  hart.reset(image.entry);
  hart.regs.x[2] = kStackTop - 256;
  memory.openWindow(hart);
  int status = 0;
  for (;;) {
    const StopReason reason = hart.run(options.maxInstructions);
    if (reason == StopReason::EnvironmentCall) {
      if (serveCall(hart, memory, status))
        continue;
      break;
    }
    status = report(hart, reason);
    break;
  }
  if (options.counters)
    printCounters(hart);
  return status;
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  if (!parseOptions(argc, argv, options)) {
    std::fprintf(stderr, "usage: mtia-hart-run [--counters] "
                         "[--max-instructions=N] program.elf\n");
    return 126;
  }
  std::ifstream file(options.path, std::ios::binary);
  const std::vector<char> contents{std::istreambuf_iterator<char>(file), {}};
  std::string error;
  const std::optional<ElfImage> image =
      parseElf(reinterpret_cast<const uint8_t *>(contents.data()),
               contents.size(), error);
  if (!image) {
    std::fprintf(stderr, "%s: %s\n", options.path, error.c_str());
    return 126;
  }
  for (const ElfSegment &segment : image->segments)
    if (segment.memoryBytes > kMaxSegmentBytes) {
      std::fprintf(stderr, "%s: a segment is too large\n", options.path);
      return 126;
    }
  return runProgram(*image, options);
}
