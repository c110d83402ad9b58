//===- device.h - The chip: launches programs on its PEs --------*- C++ -*-===//
//
//   Device device(loadChip("mtia-2i.json"));
//   LaunchReport report = device.launch(elf, size, options);
//
// Everything is deterministic: the same program, arguments, tensor contents and
// launches before it give the same cycles and the same results.
//
//===----------------------------------------------------------------------===//
#ifndef KEVOLVE_SIMULATOR_MACHINE_DEVICE_H
#define KEVOLVE_SIMULATOR_MACHINE_DEVICE_H

#include "simulator/memory/memory_system.h"
#include "simulator/memory/regions.h"
#include "simulator/observe/metrics.h"
#include "simulator/observe/trace.h"
#include "simulator/pe/processing_element.h"
#include "simulator/timing/chip.h"
#include "simulator/timing/event_queue.h"

#include <array>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace kevolve::simulator {

/// A kernel that faulted. What it had written stays written.
class SimulatorFault : public std::runtime_error {
public:
  explicit SimulatorFault(MachineFault fault)
      : std::runtime_error(fault.message), fault(std::move(fault)) {}
  MachineFault fault;
};

struct LaunchOptions {
  std::string entry; // "": the ELF's
  std::array<uint32_t, 3> grid{1, 1, 1};
  std::vector<uint64_t> arguments;
  std::vector<Region> regions;
  uint64_t probeArea = 0;
  uint32_t numPes = 0;                            // 0: all
  uint64_t instructionBudget = uint64_t(1) << 30; // of a PE; beyond: runaway
  Trace *trace = nullptr;
};

struct LaunchReport {
  uint64_t cycles = 0; // from the job launch to the last command's end
  double timeNs = 0;
  std::vector<MetricValue> metrics;
  std::string countersJson;
};

class Device {
public:
  explicit Device(Chip chip);

  /// Throws LaunchError (nothing ran) or SimulatorFault.
  LaunchReport launch(const uint8_t *elf, size_t elfBytes,
                      const LaunchOptions &options);

  /// Cold cache, and no memory of earlier launches.
  void reset();

  const Chip &chip() const { return parameters; }

private:
  LaunchContext makeContext(Program &program, const LaunchOptions &options);
  void run(uint32_t numPes);
  LaunchReport report(const LaunchContext &context,
                      const LaunchOptions &options);

  Chip parameters;
  MemorySystem memory;
  CanonicalAddresses addresses;
  RegionTable regions;
  EventQueue events;
  std::vector<std::unique_ptr<ProcessingElement>> pes;
};

} // namespace kevolve::simulator

#endif // KEVOLVE_SIMULATOR_MACHINE_DEVICE_H
