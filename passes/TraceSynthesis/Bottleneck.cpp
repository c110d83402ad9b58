//===- Bottleneck.cpp - What limits a kernel ------------------------------===//
#include "passes/TraceSynthesis/Bottleneck.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace kevolve;
using llvm::StringRef;

/// From this use of its peak on, a memory is the limit whatever else there is:
/// DRAM gives about 85-90 % of its peak at best, and 0.6 leaves less than a
/// factor 1.5.
static constexpr double kBandwidthBound = 0.6;
/// Between these, stalls on memory are shared out between latency and
/// bandwidth: queues at memory grow noticeably from a third of the peak, and
/// dominate from two thirds.
static constexpr double kUnsaturated = 0.3;
static constexpr double kSaturated = 0.7;
/// A bottleneck that explains less than this much of the time is not trusted
/// fully.
static constexpr double kConvincingShare = 0.3;
/// Times of probes say where, but not how close to a limit of the machine.
static constexpr double kRecordsOnlyFactor = 0.7;

namespace {
/// The metrics under short names, and how time is divided at the top.
class Shares {
public:
  explicit Shares(const MetricSet &metrics);

  Explanation launch() const {
    return {"launch", launchShare, {"launch.share"}};
  }
  Explanation occupancy() const;
  Explanation imbalance() const;
  Explanation bandwidth() const;
  Explanation latency() const;
  Explanation compute() const;
  Explanation synchronisation() const;
  Explanation issue() const;

private:
  double memoryStall() const;
  double saturation() const;
  bool hasStalls() const { return metrics.has("stall.memory.share"); }
  StringRef largest(std::initializer_list<StringRef> names) const;
  std::vector<std::string> memoryNames() const;

  const MetricSet &metrics;
  double launchShare;
  double busy;
  double utilization;
  StringRef imbalanceName;
  double idle; // of the mean working PE, while the slowest one works
  double working;
  StringRef memoryName; // the metric of the memory nearest to its peak; empty:
                        // not known
};
} // namespace

Shares::Shares(const MetricSet &metrics) : metrics(metrics) {
  launchShare = metrics.getOr("launch.share", 0);
  busy = 1 - launchShare;
  utilization = metrics.getOr("pe.utilization", 1);
  imbalanceName =
      metrics.has("pe.imbalance") ? "pe.imbalance" : "probes.imbalance";
  double imbalance = metrics.getOr(imbalanceName, 0);
  idle = imbalance / (1 + imbalance);
  working = busy * utilization * (1 - idle);
  memoryName = largest({"dram.utilization", "sram.utilization"});
}

StringRef Shares::largest(std::initializer_list<StringRef> names) const {
  StringRef best;
  for (StringRef name : names)
    if (metrics.has(name) &&
        (best.empty() || *metrics.get(name) > *metrics.get(best)))
      best = name;
  return best;
}

double Shares::memoryStall() const {
  if (hasStalls())
    return *metrics.get("stall.memory.share");
  return metrics.getOr("probes.memory.share", 0) +
         metrics.getOr("probes.memory_wait.share", 0);
}

double Shares::saturation() const {
  if (!memoryName.empty())
    return std::clamp((*metrics.get(memoryName) - kUnsaturated) /
                          (kSaturated - kUnsaturated),
                      0.0, 1.0);
  double issuing = metrics.getOr("probes.memory.share", 0);
  double waiting = metrics.getOr("probes.memory_wait.share", 0);
  return issuing + waiting > 0 ? issuing / (issuing + waiting) : 0;
}

std::vector<std::string> Shares::memoryNames() const {
  std::vector<std::string> names;
  if (!memoryName.empty())
    names.push_back(memoryName.str());
  if (hasStalls())
    names.push_back("stall.memory.share");
  else
    names.insert(names.end(),
                 {"probes.memory.share", "probes.memory_wait.share"});
  return names;
}

Explanation Shares::occupancy() const {
  return {"occupancy", busy * (1 - utilization), {"pe.utilization"}};
}

Explanation Shares::imbalance() const {
  return {"imbalance", busy * utilization * idle, {imbalanceName.str()}};
}

Explanation Shares::bandwidth() const {
  double used = memoryName.empty() ? 0 : *metrics.get(memoryName);
  double share = working * memoryStall() * saturation();
  if (used >= kBandwidthBound)
    share = std::max(share, busy * used);
  return {"memory-bandwidth", share, memoryNames()};
}

Explanation Shares::latency() const {
  return {"memory-latency", working * memoryStall() * (1 - saturation()),
          memoryNames()};
}

Explanation Shares::compute() const {
  StringRef unit = largest({"dpe.utilization", "vector.utilization",
                            "se.utilization", "compute.utilization"});
  double used = unit.empty() ? 0 : busy * *metrics.get(unit);
  double waited =
      metrics.getOr("stall.dpe.share", 0) + metrics.getOr("stall.se.share", 0);
  std::vector<std::string> because = {"stall.dpe.share", "stall.se.share"};
  if (!hasStalls()) {
    waited = metrics.getOr("probes.compute.share", 0);
    because = {"probes.compute.share"};
  }
  waited *= working;
  if (used >= waited)
    because = {unit.str()};
  return {"compute", std::max(used, waited), because};
}

/// On MTIA a wait is where a core stalls on a unit, so stalls count there
/// already.
Explanation Shares::synchronisation() const {
  double waiting = metrics.getOr("probes.barrier.share", 0);
  if (hasStalls()) {
    waiting += metrics.getOr("probes.memory_wait.share", 0);
    for (StringRef stall :
         {"stall.memory.share", "stall.dpe.share", "stall.se.share"})
      waiting -= metrics.getOr(stall, 0);
  }
  return {"synchronisation",
          working * std::max(waiting, 0.0),
          {"probes.barrier.share"}};
}

Explanation Shares::issue() const {
  if (std::optional<double> issuing = metrics.get("issue.utilization")) {
    double rest =
        std::max(*issuing - metrics.getOr("vector.utilization", 0), 0.0);
    return {"instruction-issue",
            working * rest,
            {"issue.utilization", "vector.utilization"}};
  }
  return {"instruction-issue",
          working * metrics.getOr("probes.other.share", 0),
          {"probes.other.share"}};
}

std::vector<Explanation> kevolve::explainTime(const MetricSet &metrics) {
  Shares shares(metrics);
  std::vector<Explanation> explanations = {
      shares.launch(),          shares.occupancy(), shares.imbalance(),
      shares.bandwidth(),       shares.latency(),   shares.compute(),
      shares.synchronisation(), shares.issue()};
  llvm::stable_sort(explanations,
                    [](const Explanation &left, const Explanation &right) {
                      return left.share > right.share;
                    });
  return explanations;
}

double kevolve::confidenceOf(const std::vector<Explanation> &explanations,
                             bool recordsOnly) {
  double first = explanations[0].share, second = explanations[1].share;
  if (first <= 0)
    return 0;
  double confidence =
      first / (first + second) * std::min(1.0, first / kConvincingShare);
  return recordsOnly ? confidence * kRecordsOnlyFactor : confidence;
}
