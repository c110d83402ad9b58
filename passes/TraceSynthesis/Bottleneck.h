//===- Bottleneck.h - What limits a kernel ----------------------*- C++ -*-===//
#ifndef KEVOLVE_PASSES_TRACESYNTHESIS_BOTTLENECK_H
#define KEVOLVE_PASSES_TRACESYNTHESIS_BOTTLENECK_H

#include "passes/TraceSynthesis/Metrics.h"

namespace kevolve {
/// A bottleneck, by its name in kevolve.records.Bottleneck, the share of time
/// that it explains, and the names of the metrics that say so.
struct Explanation {
  llvm::StringRef bottleneck;
  double share = 0;
  std::vector<std::string> because;
};

/// All bottlenecks, that with the largest share first. The formulas are in the
/// description of the pass.
std::vector<Explanation> explainTime(const MetricSet &metrics);

/// How far the first of `explanations` can be trusted, 0..1. `recordsOnly`:
/// there are no metrics besides those of the probes.
double confidenceOf(const std::vector<Explanation> &explanations,
                    bool recordsOnly);
} // namespace kevolve

#endif // KEVOLVE_PASSES_TRACESYNTHESIS_BOTTLENECK_H
