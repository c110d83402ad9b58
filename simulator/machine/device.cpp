//===- device.cpp - The chip: launches programs on its PEs ----------------===//
#include "simulator/machine/device.h"
#include "simulator/isa/mtia_isa.h"
#include "simulator/observe/counters_json.h"

#include <algorithm>

namespace kevolve::simulator {

Device::Device(Chip chip) : parameters(std::move(chip)), memory(parameters) {}

void Device::reset() {
  memory.reset();
  addresses.clear();
}

LaunchContext Device::makeContext(Program &program,
                                  const LaunchOptions &options) {
  LaunchContext context;
  context.program = &program;
  context.entry = program.entry(options.entry);
  context.numPes = options.numPes ? options.numPes : parameters.numPes();
  if (context.numPes > parameters.numPes())
    throw LaunchError("launch on " + std::to_string(context.numPes) +
                      " PEs: " + parameters.name + " has " +
                      std::to_string(parameters.numPes()));
  context.arguments = options.arguments;
  for (uint32_t size : options.grid)
    context.arguments.push_back(size);
  context.arguments.push_back(options.probeArea);
  if (context.arguments.size() * 8 > MTIA_LS_ARGUMENT_BYTES)
    throw LaunchError(std::to_string(options.arguments.size()) +
                      " arguments do not fit into the argument block");
  context.startCycles = uint64_t(parameters.jobLaunchCycles);
  context.instructionBudget = options.instructionBudget;
  context.code = makeCodeCache();
  context.trace = options.trace;
  return context;
}

LaunchReport Device::launch(const uint8_t *elf, size_t elfBytes,
                            const LaunchOptions &options) {
  Program program(elf, elfBytes);
  LaunchContext context = makeContext(program, options);
  if (std::string wrong = regions.set(options.regions, addresses);
      !wrong.empty())
    throw LaunchError(wrong);
  memory.beginLaunch();
  events = EventQueue();
  while (pes.size() < context.numPes)
    pes.push_back(std::make_unique<ProcessingElement>(
        parameters, uint32_t(pes.size()), FiPort{&memory, &regions, &events}));
  for (uint32_t pe = 0; pe < context.numPes; ++pe)
    pes[pe]->beginLaunch(context);
  run(context.numPes);
  return report(context, options);
}

void Device::run(uint32_t numPes) {
  while (!events.empty()) {
    Event event = events.pop();
    ProcessingElement &pe = *pes[event.pe];
    pe.onEvent(event.kind, event.timeCycles);
    if (pe.fault())
      throw SimulatorFault(*pe.fault());
  }
  for (uint32_t pe = 0; pe < numPes; ++pe)
    if (!pes[pe]->isHalted())
      throw SimulatorFault(pes[pe]->deadlock());
}

LaunchReport Device::report(const LaunchContext &context,
                            const LaunchOptions &options) {
  LaunchCounters counters;
  counters.launchCycles = context.startCycles;
  counters.programs =
      uint64_t(options.grid[0]) * options.grid[1] * options.grid[2];
  counters.endCycles = context.startCycles;
  for (uint32_t pe = 0; pe < context.numPes; ++pe) {
    counters.pes.push_back(pes[pe]->finalCounters());
    counters.endCycles =
        std::max(counters.endCycles, counters.pes.back().finishCycles);
  }
  counters.memory = memory.counters;
  counters.sramBusyCycles = memory.sramBusyCycles();
  LaunchReport result;
  result.cycles = counters.endCycles;
  result.timeNs = double(result.cycles) / parameters.clockHz * 1e9;
  result.metrics = computeMetrics(parameters, counters);
  result.countersJson = countersToJson(parameters, counters);
  return result;
}

} // namespace kevolve::simulator
