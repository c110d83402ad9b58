//===- mtia-sim.cpp - Runs a kernel on the simulated MTIA -----------------===//
#include "simulator/isa/mtia_isa.h"
#include "simulator/machine/device.h"
#include "simulator/timing/chip_file.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>

using namespace kevolve::simulator;
namespace fs = std::filesystem;

namespace {

constexpr const char *kUsage =
    R"(usage: mtia-sim KERNEL.elf [ARGUMENT...] [option...]

Arguments of the kernel, in order:
  123, -5, 0x40      an integer
  f32:1.5, f64:1.5   a floating-point number
  in:FILE            a tensor with the bytes of FILE, read only
  inout:FILE         the same, written back to FILE
  out:FILE:BYTES     a tensor of zeros, written to FILE

Options:
  --chip FILE        parameters of the chip (default: mtia-2i)
  --entry SYMBOL     the kernel (default: the ELF's entry)
  --grid X[,Y[,Z]]   number of programs (default: 1,1,1)
  --pes N            PEs that take part (default: all)
  --repeat N         launch N times; the cache stays warm (default: 1)
  --budget N         instructions that a PE may run (default: 1073741824)
  --counters FILE    write all counters of the last launch as JSON
  --trace FILE       write when each command ran, for Perfetto
)";

class UsageError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// A tensor of the kernel, at an address that does not depend on the host.
struct Tensor {
  std::vector<uint8_t> bytes;
  uint64_t address = 0;
  bool writable = false;
  std::string outputPath; // "": none
};

struct Options {
  std::string elfPath, chipPath, countersPath, tracePath;
  LaunchOptions launch;
  std::vector<Tensor> tensors;
  uint64_t repeat = 1;
  uint64_t nextAddress = MTIA_DRAM_BASE;
};

std::vector<uint8_t> readFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw UsageError(path + ": cannot be read");
  return {std::istreambuf_iterator<char>(file),
          std::istreambuf_iterator<char>()};
}

void writeFile(const std::string &path, const void *bytes, size_t size) {
  std::ofstream file(path, std::ios::binary);
  file.write(static_cast<const char *>(bytes), std::streamsize(size));
  if (!file.flush())
    throw UsageError(path + ": cannot be written");
}

uint64_t parseInteger(const std::string &text, const char *what) {
  char *end = nullptr;
  errno = 0;
  uint64_t value = text[0] == '-'
                       ? uint64_t(std::strtoll(text.c_str(), &end, 0))
                       : std::strtoull(text.c_str(), &end, 0);
  if (text.empty() || *end || errno)
    throw UsageError("'" + text + "' is not " + what);
  return value;
}

uint64_t parseFloat(const std::string &text, bool isDouble) {
  char *end = nullptr;
  double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end)
    throw UsageError("'" + text + "' is not a number");
  uint64_t bits = 0;
  float narrow = float(value);
  if (isDouble)
    std::memcpy(&bits, &value, sizeof value);
  else
    std::memcpy(&bits, &narrow, sizeof narrow);
  return bits;
}

bool startsWith(const std::string &text, const char *prefix,
                std::string &rest) {
  size_t length = std::strlen(prefix);
  if (text.compare(0, length, prefix) != 0)
    return false;
  rest = text.substr(length);
  return true;
}

uint64_t addTensor(Options &options, Tensor tensor) {
  constexpr uint64_t kPageBytes = 4096;
  tensor.address = options.nextAddress;
  options.nextAddress += (tensor.bytes.size() / kPageBytes + 2) * kPageBytes;
  options.tensors.push_back(std::move(tensor));
  return options.tensors.back().address;
}

Tensor makeOutput(const std::string &text) {
  size_t colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0)
    throw UsageError("'out:" + text + "': expected out:FILE:BYTES");
  uint64_t bytes = parseInteger(text.substr(colon + 1), "a number of bytes");
  if (bytes > uint64_t(1) << 36)
    throw UsageError("'out:" + text + "': more than 64 GiB");
  return {std::vector<uint8_t>(bytes), 0, true, text.substr(0, colon)};
}

uint64_t parseArgument(const std::string &text, Options &options) {
  std::string rest;
  if (startsWith(text, "in:", rest))
    return addTensor(options, {readFile(rest), 0, false, ""});
  if (startsWith(text, "inout:", rest))
    return addTensor(options, {readFile(rest), 0, true, rest});
  if (startsWith(text, "out:", rest))
    return addTensor(options, makeOutput(rest));
  if (startsWith(text, "f32:", rest))
    return parseFloat(rest, false);
  if (startsWith(text, "f64:", rest))
    return parseFloat(rest, true);
  return parseInteger(text, "an argument: see --help");
}

std::array<uint32_t, 3> parseGrid(const std::string &text) {
  std::array<uint32_t, 3> grid{1, 1, 1};
  size_t at = 0;
  for (unsigned i = 0; at <= text.size(); ++i) {
    size_t comma = std::min(text.find(',', at), text.size());
    uint64_t size = parseInteger(text.substr(at, comma - at), "a grid size");
    if (i > 2 || size > UINT32_MAX)
      throw UsageError("'" + text + "' is not a grid of up to three sizes");
    grid[i] = uint32_t(size);
    at = comma + 1;
  }
  return grid;
}

void setOption(const std::string &name, const std::string &value,
               Options &options) {
  if (name == "--chip")
    options.chipPath = value;
  else if (name == "--entry")
    options.launch.entry = value;
  else if (name == "--grid")
    options.launch.grid = parseGrid(value);
  else if (name == "--pes")
    options.launch.numPes = uint32_t(parseInteger(value, "a number of PEs"));
  else if (name == "--repeat")
    options.repeat = parseInteger(value, "a number of launches");
  else if (name == "--budget")
    options.launch.instructionBudget =
        parseInteger(value, "a number of instructions");
  else if (name == "--counters")
    options.countersPath = value;
  else if (name == "--trace")
    options.tracePath = value;
  else
    throw UsageError("unknown option " + name);
}

Options parseCommandLine(int argc, char **argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i];
    if (startsWith(word, "--", word)) {
      if (i + 1 == argc)
        throw UsageError("--" + word + " needs a value");
      setOption("--" + word, argv[++i], options);
    } else if (options.elfPath.empty()) {
      options.elfPath = argv[i];
    } else {
      options.launch.arguments.push_back(parseArgument(argv[i], options));
    }
  }
  if (options.elfPath.empty())
    throw UsageError("no kernel given: see --help");
  return options;
}

/// Chips lie beside the tool: kevolve/bin/mtia-sim, kevolve/_data/chips.
std::string defaultChip(const char *argv0) {
  std::error_code error;
  fs::path self = fs::canonical("/proc/self/exe", error);
  if (error)
    self = fs::absolute(argv0);
  return (self.parent_path().parent_path() / "_data/chips/mtia-2i.json")
      .string();
}

void printMetrics(const LaunchReport &report) {
  for (const MetricValue &metric : report.metrics)
    std::printf("%-22s %16.6g %s\n", metric.name.c_str(), metric.value,
                metric.unit.c_str());
}

void run(Options &options) {
  Device device(loadChip(options.chipPath));
  std::vector<uint8_t> elf = readFile(options.elfPath);
  for (Tensor &tensor : options.tensors)
    options.launch.regions.push_back({tensor.address, tensor.bytes.size(),
                                      tensor.writable, tensor.bytes.data(), 0});
  LaunchReport report;
  for (uint64_t i = 0; i < options.repeat; ++i) {
    Trace trace;
    bool isTraced = !options.tracePath.empty() && i + 1 == options.repeat;
    options.launch.trace = isTraced ? &trace : nullptr;
    report = device.launch(elf.data(), elf.size(), options.launch);
    if (!isTraced)
      continue;
    std::string json = trace.toJson(device.chip().clockHz);
    writeFile(options.tracePath, json.data(), json.size());
  }
  for (const Tensor &tensor : options.tensors)
    if (!tensor.outputPath.empty())
      writeFile(tensor.outputPath, tensor.bytes.data(), tensor.bytes.size());
  if (!options.countersPath.empty())
    writeFile(options.countersPath, report.countersJson.data(),
              report.countersJson.size());
  printMetrics(report);
}

} // namespace

int main(int argc, char **argv) {
  for (int i = 1; i < argc; ++i)
    if (std::strcmp(argv[i], "--help") == 0 ||
        std::strcmp(argv[i], "-h") == 0) {
      std::fputs(kUsage, stdout);
      return 0;
    }
  try {
    Options options = parseCommandLine(argc, argv);
    if (options.chipPath.empty())
      options.chipPath = defaultChip(argv[0]);
    run(options);
    return 0;
  } catch (const std::runtime_error &error) {
    std::fprintf(stderr, "mtia-sim: error: %s\n", error.what());
    return 1;
  }
}
