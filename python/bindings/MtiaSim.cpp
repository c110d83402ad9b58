//===- MtiaSim.cpp - The simulator as the module _mtia_sim ----------------===//
#include "simulator/machine/device.h"
#include "simulator/timing/chip_file.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

namespace nb = nanobind;
using namespace kevolve::simulator;

namespace {

struct PyReport {
  LaunchReport report;
  std::string traceJson;
};

PyObject *faultType = nullptr;

/// Raises SimulatorFault(message) with the attributes kind, pe, core and pc.
[[noreturn]] void raiseFault(const MachineFault &fault) {
  nb::object exception = nb::borrow(faultType)(nb::str(fault.message.c_str()));
  exception.attr("kind") = fault.kind;
  exception.attr("pe") = fault.pe;
  exception.attr("core") = fault.core;
  exception.attr("pc") = fault.pc;
  PyErr_SetObject(faultType, exception.ptr());
  throw nb::python_error();
}

[[noreturn]] void raiseFault(const char *kind, const std::string &message) {
  raiseFault({kind, 0, 0, 0, message});
}

/// A 64-bit slot of the argument block; negative numbers wrap around.
uint64_t toSlot(nb::handle value) {
  uint64_t slot = PyLong_AsUnsignedLongLongMask(value.ptr());
  if (PyErr_Occurred())
    throw nb::python_error();
  return slot;
}

/// (address, size, writable) or (address, size, writable, host address).
Region toRegion(nb::tuple tuple) {
  if (tuple.size() != 3 && tuple.size() != 4)
    throw nb::value_error("a region is (address, size, writable) or (address, "
                          "size, writable, host address)");
  Region region;
  region.address = nb::cast<uint64_t>(tuple[0]);
  region.sizeBytes = nb::cast<uint64_t>(tuple[1]);
  region.writable = nb::cast<bool>(tuple[2]);
  uint64_t host =
      tuple.size() == 4 ? nb::cast<uint64_t>(tuple[3]) : region.address;
  region.host = reinterpret_cast<uint8_t *>(host);
  return region;
}

Chip readChip(const std::string &chipPath) {
  try {
    return loadChip(chipPath);
  } catch (const ChipError &error) {
    raiseFault("chip", error.what());
  }
}

LaunchReport launchWithoutGil(Device &device, const nb::bytes &elf,
                              const LaunchOptions &options) {
  const auto *bytes = static_cast<const uint8_t *>(elf.data());
  size_t size = elf.size();
  nb::gil_scoped_release release;
  return device.launch(bytes, size, options);
}

PyReport launch(Device &device, nb::bytes elf, const std::string &entry,
                std::tuple<uint32_t, uint32_t, uint32_t> grid, nb::list args,
                std::vector<nb::tuple> regions, uint64_t probeArea,
                uint32_t numPes, uint64_t instructionBudget, bool trace) {
  LaunchOptions options;
  options.entry = entry;
  options.grid = {std::get<0>(grid), std::get<1>(grid), std::get<2>(grid)};
  for (nb::handle value : args)
    options.arguments.push_back(toSlot(value));
  for (const nb::tuple &region : regions)
    options.regions.push_back(toRegion(region));
  options.probeArea = probeArea;
  options.numPes = numPes;
  if (instructionBudget)
    options.instructionBudget = instructionBudget;
  Trace events;
  options.trace = trace ? &events : nullptr;
  try {
    LaunchReport report = launchWithoutGil(device, elf, options);
    return {std::move(report),
            trace ? events.toJson(device.chip().clockHz) : std::string()};
  } catch (const SimulatorFault &fault) {
    raiseFault(fault.fault);
  } catch (const LaunchError &error) {
    raiseFault("launch", error.what());
  }
}

std::vector<std::tuple<std::string, double, std::string>>
metricsOf(const PyReport &report) {
  std::vector<std::tuple<std::string, double, std::string>> metrics;
  for (const MetricValue &metric : report.report.metrics)
    metrics.emplace_back(metric.name, metric.value, metric.unit);
  return metrics;
}

std::string describe(const PyReport &report) {
  return "LaunchReport(cycles=" + std::to_string(report.report.cycles) +
         ", time_ns=" + std::to_string(report.report.timeNs) + ")";
}

void bindReport(nb::module_ &m) {
  nb::class_<PyReport>(m, "LaunchReport", "What a launch took and counted.")
      .def_prop_ro("cycles", [](const PyReport &r) { return r.report.cycles; })
      .def_prop_ro("time_ns", [](const PyReport &r) { return r.report.timeNs; })
      .def_prop_ro("metrics", metricsOf, "list of (name, value, unit)")
      .def_prop_ro("counters_json",
                   [](const PyReport &r) { return r.report.countersJson; })
      .def_prop_ro("trace_json", [](const PyReport &r) { return r.traceJson; })
      .def("__repr__", describe);
}

void bindDevice(nb::module_ &m) {
  nb::class_<Device>(m, "Device", "A simulated MTIA chip.")
      .def(
          "__init__",
          [](Device *self, const std::string &path) {
            new (self) Device(readChip(path));
          },
          nb::arg("chip_json_path"))
      .def_prop_ro("chip_name", [](Device &d) { return d.chip().name; })
      .def_prop_ro("clock_hz", [](Device &d) { return d.chip().clockHz; })
      .def_prop_ro("num_pes", [](Device &d) { return d.chip().numPes(); })
      .def_prop_ro("local_bytes",
                   [](Device &d) { return uint64_t(d.chip().localBytes); })
      .def("reset", &Device::reset, "Cold cache, no memory of past launches.")
      .def("launch", launch, nb::arg("elf"), nb::arg("entry"), nb::arg("grid"),
           nb::arg("args"), nb::arg("regions"), nb::arg("probe_area") = 0,
           nb::arg("num_pes") = 0, nb::arg("instruction_budget") = 0,
           nb::arg("trace") = false,
           "Runs a kernel; raises SimulatorFault if it faults. num_pes 0: all "
           "PEs; instruction_budget (of a PE) 0: the default.");
}

} // namespace

NB_MODULE(_mtia_sim, m) {
  m.doc() = "Simulator of the MTIA accelerator.";
  faultType = PyErr_NewExceptionWithDoc(
      "kevolve._native._mtia_sim.SimulatorFault",
      "A kernel faulted, or could not be launched: one line that says why. "
      "Attributes: kind, pe, core, pc.",
      PyExc_RuntimeError, nullptr);
  m.attr("SimulatorFault") = nb::borrow(faultType);
  bindReport(m);
  bindDevice(m);
}
