//===- Metrics.cpp - Named numbers with unit and source -------------------===//
#include "passes/TraceSynthesis/Metrics.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"

#include <cmath>

using namespace kevolve;
using llvm::StringRef;

const Metric *MetricSet::find(StringRef name) const {
  auto found = llvm::find_if(
      metrics, [&](const Metric &metric) { return metric.name == name; });
  return found == metrics.end() ? nullptr : &*found;
}

std::optional<double> MetricSet::get(StringRef name) const {
  const Metric *metric = find(name);
  return metric ? std::optional<double>(metric->value) : std::nullopt;
}

double MetricSet::getOr(StringRef name, double otherwise) const {
  return get(name).value_or(otherwise);
}

void MetricSet::add(StringRef name, double value, StringRef unit,
                    StringRef source) {
  if (!has(name) && std::isfinite(value))
    metrics.push_back({name.str(), value, unit.str(), source.str()});
}

static bool readMetric(const llvm::json::Value &entry, llvm::json::Path path,
                       MetricSet &metrics) {
  std::string name, unit, source;
  double value = 0;
  llvm::json::ObjectMapper mapper(entry, path);
  if (!mapper || !mapper.map("name", name) || !mapper.map("value", value) ||
      !mapper.map("unit", unit) || !mapper.map("source", source))
    return false;
  metrics.add(name, value, unit, source);
  return true;
}

static bool readMetrics(const llvm::json::Value &root, llvm::json::Path path,
                        MetricsFile &file) {
  llvm::json::ObjectMapper mapper(root, path);
  if (!mapper || !mapper.map("target", file.target) ||
      !mapper.map("kernel", file.kernel))
    return false;
  const llvm::json::Array *entries = root.getAsObject()->getArray("metrics");
  if (!entries) {
    path.field("metrics").report("expected array");
    return false;
  }
  for (auto [index, entry] : llvm::enumerate(*entries))
    if (!readMetric(entry, path.field("metrics").index(index), file.metrics))
      return false;
  return true;
}

llvm::Expected<MetricsFile> kevolve::parseMetrics(StringRef text) {
  llvm::Expected<llvm::json::Value> root = llvm::json::parse(text);
  if (!root)
    return root.takeError();
  MetricsFile file;
  llvm::json::Path::Root problem("metrics file");
  if (!readMetrics(*root, problem, file))
    return problem.getError();
  return file;
}

/// `part / whole` under a new name, where both are known and the whole is not
/// 0.
static void addRatio(MetricSet &metrics, StringRef name,
                     std::optional<double> part, std::optional<double> whole,
                     StringRef source) {
  if (part && whole && *whole > 0)
    metrics.add(name, *part / *whole, "fraction", source);
}

static std::optional<double> product(std::optional<double> left,
                                     std::optional<double> right) {
  return left && right ? std::optional<double>(*left * *right) : std::nullopt;
}

void kevolve::deriveMetrics(MetricSet &metrics) {
  std::optional<double> timeNs = metrics.get("kernel.time");
  std::optional<double> launchNs = metrics.get("launch.time");
  std::optional<double> seconds = product(timeNs, 1e-9);
  if (timeNs && launchNs)
    addRatio(metrics, "launch.share", launchNs, *launchNs + *timeNs,
             "derived: launch.time / (launch.time + kernel.time)");
  addRatio(metrics, "dram.utilization", metrics.get("dram.bytes"),
           product(metrics.get("dram.peak"), seconds),
           "derived: dram.bytes / (kernel.time * dram.peak)");
  addRatio(metrics, "compute.utilization", metrics.get("compute.flops"),
           product(metrics.get("compute.peak"), seconds),
           "derived: compute.flops / (kernel.time * compute.peak)");
}
