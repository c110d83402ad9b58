//===- chip.cpp - From a chip file to a Chip ------------------------------===//
#include "simulator/timing/chip.h"
#include "simulator/timing/chip_file.h"

#include <cmath>
#include <fstream>
#include <sstream>

namespace kevolve::simulator {

namespace {

/// What a value may be.
enum class Domain { Positive, NonNegative, Fraction, Count };

struct Field {
  const char *key;
  double Chip::*member;
  Domain domain;
};

constexpr Field kFields[] = {
    {"clock_hz", &Chip::clockHz, Domain::Positive},
    {"job.launch_cycles", &Chip::jobLaunchCycles, Domain::NonNegative},
    {"pe.rows", &Chip::peRows, Domain::Count},
    {"pe.columns", &Chip::peColumns, Domain::Count},
    {"ls.bytes", &Chip::localBytes, Domain::Count},
    {"ls.bytes_per_cycle", &Chip::localBytesPerCycle, Domain::Positive},
    {"sram.bytes", &Chip::sramBytes, Domain::Count},
    {"sram.line_bytes", &Chip::sramLineBytes, Domain::Count},
    {"sram.ways", &Chip::sramWays, Domain::Count},
    {"sram.bytes_per_cycle", &Chip::sramBytesPerCycle, Domain::Positive},
    {"sram.latency_cycles", &Chip::sramLatencyCycles, Domain::NonNegative},
    {"dram.bytes_per_second", &Chip::dramBytesPerSecond, Domain::Positive},
    {"dram.ecc_overhead", &Chip::dramEccOverhead, Domain::Fraction},
    {"dram.latency_cycles", &Chip::dramLatencyCycles, Domain::NonNegative},
    {"noc.beat_bytes", &Chip::nocBeatBytes, Domain::Count},
    {"noc.port_bytes_per_cycle", &Chip::nocPortBytesPerCycle, Domain::Positive},
    {"noc.crossbar_bytes_per_cycle", &Chip::nocCrossbarBytesPerCycle,
     Domain::Positive},
    {"noc.latency_cycles", &Chip::nocLatencyCycles, Domain::NonNegative},
    {"noc.broadcast_window_cycles", &Chip::nocBroadcastWindowCycles,
     Domain::NonNegative},
    {"cp.set_cycles", &Chip::cpSetCycles, Domain::NonNegative},
    {"cp.issue_cycles", &Chip::cpIssueCycles, Domain::NonNegative},
    {"cp.dispatch_cycles", &Chip::cpDispatchCycles, Domain::NonNegative},
    {"cp.queue_depth", &Chip::cpQueueDepth, Domain::Count},
    {"fi.packet_bytes", &Chip::fiPacketBytes, Domain::Count},
    {"fi.outstanding_packets", &Chip::fiOutstandingPackets, Domain::Count},
    {"fi.command_cycles", &Chip::fiCommandCycles, Domain::NonNegative},
    {"fi.fill_bytes_per_cycle", &Chip::fiFillBytesPerCycle, Domain::Positive},
    {"dpe.tiles", &Chip::dpeTiles, Domain::Count},
    {"dpe.held_rows", &Chip::dpeHeldRows, Domain::Count},
    {"dpe.row_bytes", &Chip::dpeRowBytes, Domain::Count},
    {"dpe.pipeline_cycles", &Chip::dpePipelineCycles, Domain::NonNegative},
    {"dpe.accumulator_bytes_per_cycle", &Chip::dpeAccumulatorBytesPerCycle,
     Domain::Positive},
    {"se.fp32_per_cycle", &Chip::seFp32PerCycle, Domain::Positive},
    {"se.fp16_per_cycle", &Chip::seFp16PerCycle, Domain::Positive},
    {"se.pipeline_cycles", &Chip::sePipelineCycles, Domain::NonNegative},
    {"hart.scalar_cycles", &Chip::hartScalarCycles, Domain::Count},
    {"hart.load_latency_cycles", &Chip::hartLoadLatencyCycles, Domain::Count},
    {"hart.multiply_latency_cycles", &Chip::hartMultiplyLatencyCycles,
     Domain::Count},
    {"hart.divide_cycles", &Chip::hartDivideCycles, Domain::Count},
    {"hart.float_latency_cycles", &Chip::hartFloatLatencyCycles, Domain::Count},
    {"hart.float_divide_cycles", &Chip::hartFloatDivideCycles, Domain::Count},
    {"hart.branch_taken_cycles", &Chip::hartBranchTakenCycles,
     Domain::NonNegative},
    {"hart.system_cycles", &Chip::hartSystemCycles, Domain::Count},
    {"hart.vector_startup_cycles", &Chip::hartVectorStartupCycles,
     Domain::NonNegative},
    {"hart.vector_bytes_per_cycle", &Chip::hartVectorBytesPerCycle,
     Domain::Count},
    {"hart.vector_divide_factor", &Chip::hartVectorDivideFactor, Domain::Count},
    {"hart.vector_permute_factor", &Chip::hartVectorPermuteFactor,
     Domain::Count},
    {"hart.vector_reduce_cycles", &Chip::hartVectorReduceCycles,
     Domain::NonNegative},
    {"hart.vector_ordered_cycles", &Chip::hartVectorOrderedCycles,
     Domain::Count},
    {"hart.vector_indexed_per_cycle", &Chip::hartVectorIndexedPerCycle,
     Domain::Count},
    {"hart.local_bytes_per_cycle", &Chip::hartLocalBytesPerCycle,
     Domain::Count},
    {"hart.code_load_cycles", &Chip::hartCodeLoadCycles, Domain::NonNegative},
    {"hart.outstanding_accesses", &Chip::hartOutstandingAccesses,
     Domain::Count},
};

bool isIn(Domain domain, double value) {
  switch (domain) {
  case Domain::Positive:
    return value > 0 && std::isfinite(value);
  case Domain::NonNegative:
    return value >= 0 && std::isfinite(value);
  case Domain::Fraction:
    return value >= 0 && value < 1;
  case Domain::Count:
    return value >= 1 && value <= 0x1p40 && value == std::floor(value);
  }
  return false;
}

const char *domainName(Domain domain) {
  switch (domain) {
  case Domain::Positive:
    return "a number above 0";
  case Domain::NonNegative:
    return "a number not below 0";
  case Domain::Fraction:
    return "a fraction of 0 up to 1";
  case Domain::Count:
    return "a whole number, 1 or more";
  }
  return "";
}

double readNumber(const Field &field, const ChipEntry &entry,
                  const std::string &name) {
  if (!entry.isNumber || !isIn(field.domain, entry.number))
    failChip(name, entry.line,
             std::string("'") + field.key + "' must be " +
                 domainName(field.domain));
  return entry.number;
}

bool isPowerOfTwo(double value) {
  auto bits = uint64_t(value);
  return (bits & (bits - 1)) == 0;
}

/// What holds between parameters.
void checkChip(const Chip &chip, const std::string &name) {
  if (chip.numPes() > 1024)
    failChip(name, 1, "more than 1024 PEs");
  if (!isPowerOfTwo(chip.sramLineBytes) || !isPowerOfTwo(chip.nocBeatBytes))
    failChip(name, 1,
             "'sram.line_bytes' and 'noc.beat_bytes' must be powers of two");
  if (chip.sramBytes < chip.sramLineBytes * chip.sramWays)
    failChip(name, 1, "'sram.bytes' is less than one set of the cache");
  if (chip.localBytes > 0xF0000000 || chip.localBytes < 32768)
    failChip(name, 1, "'ls.bytes' must be between 32 KiB and 3.75 GiB");
  if (chip.fiPacketBytes < chip.nocBeatBytes)
    failChip(name, 1, "'fi.packet_bytes' is less than 'noc.beat_bytes'");
}

} // namespace

CostModel Chip::hartCosts() const {
  CostModel cost;
  cost.scalarCycles = uint32_t(hartScalarCycles);
  cost.loadLatency = uint32_t(hartLoadLatencyCycles);
  cost.multiplyLatency = uint32_t(hartMultiplyLatencyCycles);
  cost.divideCycles = uint32_t(hartDivideCycles);
  cost.floatLatency = uint32_t(hartFloatLatencyCycles);
  cost.floatDivideCycles = uint32_t(hartFloatDivideCycles);
  cost.branchTakenCycles = uint32_t(hartBranchTakenCycles);
  cost.systemCycles = uint32_t(hartSystemCycles);
  cost.vectorStartupCycles = uint32_t(hartVectorStartupCycles);
  cost.vectorBytesPerCycle = uint32_t(hartVectorBytesPerCycle);
  cost.vectorDivideFactor = uint32_t(hartVectorDivideFactor);
  cost.vectorPermuteFactor = uint32_t(hartVectorPermuteFactor);
  cost.vectorReduceCycles = uint32_t(hartVectorReduceCycles);
  cost.vectorOrderedCycles = uint32_t(hartVectorOrderedCycles);
  cost.vectorIndexedElementsPerCycle = uint32_t(hartVectorIndexedPerCycle);
  cost.localBytesPerCycle = uint32_t(hartLocalBytesPerCycle);
  return cost;
}

Chip parseChip(const std::string &text, const std::string &name) {
  std::map<std::string, ChipEntry> entries = parseChipFile(text, name);
  Chip chip;
  auto take = [&](const char *key) {
    auto found = entries.find(key);
    if (found == entries.end())
      failChip(name, 1, std::string("parameter '") + key + "' is missing");
    ChipEntry entry = found->second;
    entries.erase(found);
    return entry;
  };
  chip.name = take("name").text;
  for (const Field &field : kFields)
    chip.*field.member = readNumber(field, take(field.key), name);
  if (!entries.empty())
    failChip(name, entries.begin()->second.line,
             "unknown parameter '" + entries.begin()->first + "'");
  checkChip(chip, name);
  return chip;
}

Chip loadChip(const std::string &path) {
  std::ifstream file(path);
  if (!file)
    throw ChipError(path + ": cannot be read");
  std::stringstream text;
  text << file.rdbuf();
  return parseChip(text.str(), path);
}

} // namespace kevolve::simulator
