//===- Diagnosis.cpp - Why a kernel takes the time it takes ---------------===//
#include "passes/TraceSynthesis/Diagnosis.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

using namespace kevolve;
using llvm::StringRef;

/// kevolve.records.DIAGNOSIS_VERSION
static constexpr int64_t kVersion = 1;

std::optional<Roofline> kevolve::computeRoofline(const MetricSet &metrics) {
  std::optional<double> timeNs = metrics.get("kernel.time");
  std::optional<double> flops = metrics.get("compute.flops");
  std::optional<double> peakFlops = metrics.get("compute.peak");
  std::optional<double> peakBytes = metrics.get("dram.peak");
  // The roof is DRAM's: a kernel whose data all came from a cache is not under
  // it. Where DRAM was not measured, everything is taken to have come from it.
  double bytes =
      metrics.getOr("dram.bytes", metrics.getOr("memory.bytes_read", 0) +
                                      metrics.getOr("memory.bytes_written", 0));
  if (!timeNs || *timeNs <= 0 || !flops || !peakFlops || !peakBytes ||
      bytes <= 0)
    return std::nullopt;
  double intensity = *flops / bytes;
  return Roofline{intensity, *flops / (*timeNs * 1e-9),
                  std::min(*peakFlops, intensity * *peakBytes), *peakFlops,
                  *peakBytes};
}

std::vector<Metric>
kevolve::collectEvidence(const std::vector<Explanation> &explanations,
                         const MetricSet &metrics) {
  std::vector<Metric> evidence;
  for (const Explanation &explanation :
       llvm::ArrayRef(explanations).take_front(2))
    if (explanation.share > 0)
      evidence.push_back({("time.share." + explanation.bottleneck).str(),
                          explanation.share, "fraction",
                          "derived: " + llvm::join(explanation.because, ", ")});
  std::vector<std::string> names = explanations.front().because;
  names.insert(names.end(), {"kernel.time", "kernel.cycles", "probes.dropped"});
  for (const std::string &name : names)
    if (const Metric *metric = metrics.find(name))
      evidence.push_back(*metric);
  return evidence;
}

static void writeMetric(llvm::json::OStream &json, const Metric &metric) {
  json.object([&] {
    json.attribute("name", metric.name);
    json.attribute("value", metric.value);
    json.attribute("unit", metric.unit);
    json.attribute("source", metric.source);
  });
}

static void writeRoofline(llvm::json::OStream &json,
                          const std::optional<Roofline> &roofline) {
  if (!roofline)
    return json.attribute("roofline", nullptr);
  json.attributeObject("roofline", [&] {
    json.attribute("arithmetic_intensity_flop_per_byte",
                   roofline->intensityFlopPerByte);
    json.attribute("achieved_flop_per_s", roofline->achievedFlopPerS);
    json.attribute("roof_flop_per_s", roofline->roofFlopPerS);
    json.attribute("peak_flop_per_s", roofline->peakFlopPerS);
    json.attribute("peak_bytes_per_s", roofline->peakBytesPerS);
  });
}

static void writeSite(llvm::json::OStream &json, probe::SiteAttr site) {
  json.attributeObject("site", [&] {
    json.attribute("id", site.getId());
    json.attribute("kind", stringifySiteKind(site.getKind()));
    json.attribute("name", site.getName());
    json.attribute("file", site.getFile());
    json.attribute("line", site.getLine());
    json.attribute("column", site.getColumn());
    json.attribute("parent", site.getParent());
    json.attribute("static_bytes", site.getBytes());
    json.attribute("static_flops", site.getFlops());
    json.attribute("trip_count", site.getTripCount());
  });
}

static void writeHotSite(llvm::json::OStream &json, const HotSite &hot) {
  json.object([&] {
    writeSite(json, hot.site);
    json.attribute("count", hot.sum.count);
    json.attribute("total_cycles", hot.sum.totalCycles);
    json.attribute("self_cycles", hot.sum.selfCycles);
    json.attribute("self_share", hot.sum.selfShare);
  });
}

void kevolve::writeDiagnosis(llvm::raw_ostream &os,
                             const Diagnosis &diagnosis) {
  llvm::json::OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("version", kVersion);
    json.attribute("target", diagnosis.target);
    json.attribute("kernel", diagnosis.kernel);
    json.attribute("bottleneck", diagnosis.bottleneck);
    json.attribute("confidence", diagnosis.confidence);
    json.attributeArray("evidence", [&] {
      for (const Metric &metric : diagnosis.evidence)
        writeMetric(json, metric);
    });
    writeRoofline(json, diagnosis.roofline);
    json.attributeArray("hot_sites", [&] {
      for (const HotSite &hot : diagnosis.hotSites)
        writeHotSite(json, hot);
    });
    json.attributeArray("knowledge", [] {});
  });
  os << "\n";
}

static void printHotSite(llvm::raw_ostream &os, const HotSite &hot) {
  os << llvm::format("  %5.1f %%  %8llu x  ", 100 * hot.sum.selfShare,
                     (unsigned long long)hot.sum.count)
     << stringifySiteKind(hot.site.getKind()) << " " << hot.site.getName();
  if (!hot.site.getFile().empty())
    os << "  " << hot.site.getFile() << ":" << hot.site.getLine() << ":"
       << hot.site.getColumn();
  os << "\n";
}

void kevolve::printSummary(llvm::raw_ostream &os, const Diagnosis &diagnosis) {
  os << diagnosis.kernel << " on " << diagnosis.target << ": "
     << diagnosis.bottleneck
     << llvm::format(" (confidence %.2f)\n", diagnosis.confidence);
  for (const Metric &metric : diagnosis.evidence)
    os << "  " << metric.name << llvm::format(" = %.4g ", metric.value)
       << metric.unit << "  (" << metric.source << ")\n";
  if (diagnosis.roofline)
    os << llvm::format("  roofline: %.3g flop/B, %.3g of %.3g flop/s\n",
                       diagnosis.roofline->intensityFlopPerByte,
                       diagnosis.roofline->achievedFlopPerS,
                       diagnosis.roofline->roofFlopPerS);
  for (const HotSite &hot : diagnosis.hotSites)
    printHotSite(os, hot);
}
