//===- Measurements.h - Records summed up by site ---------------*- C++ -*-===//
#ifndef KEVOLVE_PASSES_TRACESYNTHESIS_MEASUREMENTS_H
#define KEVOLVE_PASSES_TRACESYNTHESIS_MEASUREMENTS_H

#include "dialects/Probe/Probe.h"
#include "passes/TraceSynthesis/Metrics.h"
#include "profiling/decode/RecordFile.h"

namespace kevolve {
/// What was measured at one site, summed over the workers.
struct SiteSum {
  uint64_t count = 0;
  uint64_t totalCycles = 0;
  uint64_t selfCycles = 0;
  double selfShare = 0; // of the cycles of all kernels
};

/// One entry per site of `table`, which has as many as the file.
std::vector<SiteSum> sumBySite(mlir::ArrayAttr table, const RecordFile &file);

/// Adds what the records say of the kernel as a whole: probes.workers,
/// probes.imbalance, and
/// probes.{memory,memory_wait,compute,barrier,other}.share.
void addProbeMetrics(mlir::ArrayAttr table, const RecordFile &file,
                     const std::vector<SiteSum> &sums, MetricSet &metrics);
} // namespace kevolve

#endif // KEVOLVE_PASSES_TRACESYNTHESIS_MEASUREMENTS_H
