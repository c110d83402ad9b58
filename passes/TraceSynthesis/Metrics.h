//===- Metrics.h - Named numbers with unit and source -----------*- C++ -*-===//
#ifndef KEVOLVE_PASSES_TRACESYNTHESIS_METRICS_H
#define KEVOLVE_PASSES_TRACESYNTHESIS_METRICS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace kevolve {
/// As kevolve.records.Metric.
struct Metric {
  std::string name;
  double value;
  std::string unit;
  std::string source;
};

/// Metrics by name, in the order in which they came.
class MetricSet {
public:
  const Metric *find(llvm::StringRef name) const;
  /// The value of a metric; none when it is not there.
  std::optional<double> get(llvm::StringRef name) const;
  double getOr(llvm::StringRef name, double otherwise) const;
  bool has(llvm::StringRef name) const { return find(name); }
  bool empty() const { return metrics.empty(); }

  /// Adds a metric; one of that name that is there already stays.
  void add(llvm::StringRef name, double value, llvm::StringRef unit,
           llvm::StringRef source);

private:
  std::vector<Metric> metrics;
};

/// A metrics file: what was launched where, and its numbers.
struct MetricsFile {
  std::string target;
  std::string kernel;
  MetricSet metrics;
};

/// Reads JSON text; the error says what is wrong with it.
llvm::Expected<MetricsFile> parseMetrics(llvm::StringRef text);

/// Adds what follows from others: launch.share, dram.utilization,
/// compute.utilization.
void deriveMetrics(MetricSet &metrics);
} // namespace kevolve

#endif // KEVOLVE_PASSES_TRACESYNTHESIS_METRICS_H
