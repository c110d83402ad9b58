//===- counters_json.cpp - All counters of a launch as JSON ---------------===//
#include "simulator/observe/counters_json.h"

#include <cstdio>

namespace kevolve::simulator {

namespace {

/// Writes one object; values are numbers or finished JSON.
class ObjectWriter {
public:
  ObjectWriter &add(const char *key, double value) {
    char number[40];
    std::snprintf(number, sizeof number, "%.17g", value);
    return addJson(key, number);
  }
  ObjectWriter &addJson(const char *key, const std::string &json) {
    text += text.empty() ? "" : ", ";
    text += std::string("\"") + key + "\": " + json;
    return *this;
  }
  std::string finish() const { return "{" + text + "}"; }

private:
  std::string text;
};

std::string memoryJson(const MemoryCounters &memory) {
  return ObjectWriter()
      .add("line_reads", double(memory.lineReads))
      .add("line_read_hits", double(memory.lineReadHits))
      .add("line_writes", double(memory.lineWrites))
      .add("line_write_hits", double(memory.lineWriteHits))
      .add("merged_line_reads", double(memory.mergedReads))
      .add("dram_read_bytes", double(memory.dramReadBytes))
      .add("dram_written_bytes", double(memory.dramWrittenBytes))
      .finish();
}

std::string unitJson(const UnitCounters &unit) {
  return ObjectWriter()
      .add("commands", double(unit.commands))
      .add("busy_cycles", unit.busyCycles)
      .add("stall_cycles", unit.stallCycles)
      .add("local_conflict_cycles", unit.conflictCycles)
      .finish();
}

std::string unitsJson(const PeCounters &pe) {
  ObjectWriter writer;
  for (unsigned unit = 0; unit < kNumUnits; ++unit)
    writer.addJson(unitName(Unit(unit)), unitJson(pe.units[unit]));
  return writer.finish();
}

std::string coreCyclesJson(const HartCounters &hart) {
  static constexpr const char *kNames[kNumCycleClasses] = {
      "integer", "multiply_divide",   "float",  "branch", "load_store",
      "vector",  "vector_load_store", "custom", "system", "stall"};
  ObjectWriter writer;
  for (unsigned i = 0; i < kNumCycleClasses; ++i)
    writer.add(kNames[i], double(hart.cycles[i]));
  return writer.finish();
}

std::string coreJson(const PeCounters &pe) {
  return ObjectWriter()
      .add("cycles", double(pe.coreCycles))
      .addJson("cycles_by_class", coreCyclesJson(pe.hart))
      .add("stall_memory_cycles", pe.stalls.memory)
      .add("stall_dpe_cycles", pe.stalls.dpe)
      .add("stall_se_cycles", pe.stalls.se)
      .add("stall_issue_cycles", pe.stalls.issue)
      .add("queue_full_cycles", double(pe.queueFullCycles))
      .add("instructions", double(pe.hart.instructions))
      .add("vector_instructions", double(pe.hart.vectorInstructions))
      .add("custom_instructions", double(pe.hart.customInstructions))
      .add("loads", double(pe.hart.loads))
      .add("stores", double(pe.hart.stores))
      .add("loaded_bytes", double(pe.hart.loadedBytes))
      .add("stored_bytes", double(pe.hart.storedBytes))
      .add("branches", double(pe.hart.branches))
      .add("branches_taken", double(pe.hart.branchesTaken))
      .add("direct_accesses", double(pe.directAccesses))
      .finish();
}

std::string peJson(const PeCounters &pe) {
  return ObjectWriter()
      .add("finish_cycles", double(pe.finishCycles))
      .add("read_bytes", double(pe.readBytes))
      .add("written_bytes", double(pe.writtenBytes))
      .add("moved_read_bytes", double(pe.movedReadBytes))
      .add("moved_written_bytes", double(pe.movedWrittenBytes))
      .add("dpe_macs", double(pe.dpeMacs))
      .add("dpe_macs_int8", double(pe.dpeMacsInt8))
      .add("se_elements", double(pe.seElements))
      .addJson("core", coreJson(pe))
      .addJson("units", unitsJson(pe))
      .finish();
}

std::string pesJson(const std::vector<PeCounters> &pes) {
  std::string text;
  for (const PeCounters &pe : pes)
    text += (text.empty() ? "\n" : ",\n") + peJson(pe);
  return "[" + text + "]";
}

} // namespace

std::string countersToJson(const Chip &chip, const LaunchCounters &counters) {
  return ObjectWriter()
      .addJson("chip", "\"" + chip.name + "\"")
      .add("cycles", double(counters.endCycles))
      .add("launch_cycles", double(counters.launchCycles))
      .add("programs", double(counters.programs))
      .add("sram_busy_cycles", counters.sramBusyCycles)
      .addJson("memory", memoryJson(counters.memory))
      .addJson("pes", pesJson(counters.pes))
      .finish();
}

} // namespace kevolve::simulator
