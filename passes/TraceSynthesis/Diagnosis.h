//===- Diagnosis.h - Why a kernel takes the time it takes -------*- C++ -*-===//
#ifndef KEVOLVE_PASSES_TRACESYNTHESIS_DIAGNOSIS_H
#define KEVOLVE_PASSES_TRACESYNTHESIS_DIAGNOSIS_H

#include "dialects/Probe/Probe.h"
#include "passes/TraceSynthesis/Bottleneck.h"
#include "passes/TraceSynthesis/Measurements.h"

#include "llvm/Support/raw_ostream.h"

namespace kevolve {
/// As kevolve.records.Roofline.
struct Roofline {
  double intensityFlopPerByte;
  double achievedFlopPerS;
  double roofFlopPerS;
  double peakFlopPerS;
  double peakBytesPerS;
};

/// As kevolve.records.HotSite.
struct HotSite {
  probe::SiteAttr site;
  SiteSum sum;
};

/// As kevolve.records.Diagnosis; `version` is that of the writer.
struct Diagnosis {
  std::string target;
  std::string kernel;
  std::string bottleneck;
  double confidence;
  std::vector<Metric> evidence;
  std::optional<Roofline> roofline;
  std::vector<HotSite> hotSites;
};

/// The roofline point, if there are flops, bytes, peaks and a time.
std::optional<Roofline> computeRoofline(const MetricSet &metrics);

/// The two largest explanations as shares of time, and the numbers behind the
/// first.
std::vector<Metric>
collectEvidence(const std::vector<Explanation> &explanations,
                const MetricSet &metrics);

/// JSON that kevolve.records.from_json(Diagnosis, text) reads.
void writeDiagnosis(llvm::raw_ostream &os, const Diagnosis &diagnosis);
/// A few lines for people.
void printSummary(llvm::raw_ostream &os, const Diagnosis &diagnosis);
} // namespace kevolve

#endif // KEVOLVE_PASSES_TRACESYNTHESIS_DIAGNOSIS_H
