//===- Measurements.cpp - Records summed up by site -----------------------===//
#include "passes/TraceSynthesis/Measurements.h"

using namespace kevolve;
using namespace kevolve::probe;
using llvm::StringRef;
using mlir::ArrayAttr;

static constexpr StringRef kSource = "probes";

/// Clocks of different workers need not agree, so a child may seem longer than
/// its parent: then nothing is left for the parent, not a number that wrapped
/// around.
static void subtract(uint64_t &from, uint64_t cycles) {
  from -= std::min(from, cycles);
}

static uint64_t kernelCycles(ArrayAttr table,
                             const std::vector<SiteSum> &sums) {
  uint64_t cycles = 0;
  for (SiteAttr site : table.getAsRange<SiteAttr>())
    if (site.getKind() == SiteKind::Kernel)
      cycles += sums[site.getId()].totalCycles;
  return cycles;
}

std::vector<SiteSum> kevolve::sumBySite(ArrayAttr table,
                                        const RecordFile &file) {
  std::vector<SiteSum> sums(table.size());
  for (uint32_t worker = 0; worker < file.header.num_workers; ++worker)
    for (uint32_t site = 0; site < file.header.num_sites; ++site) {
      sums[site].count += file.at(worker, site).count;
      sums[site].totalCycles += file.at(worker, site).total_cycles;
    }
  for (SiteSum &sum : sums)
    sum.selfCycles = sum.totalCycles;
  for (SiteAttr site : table.getAsRange<SiteAttr>())
    if (site.getParent() >= 0)
      subtract(sums[site.getParent()].selfCycles,
               sums[site.getId()].totalCycles);
  uint64_t all = kernelCycles(table, sums);
  for (SiteSum &sum : sums)
    sum.selfShare = all ? double(sum.selfCycles) / all : 0;
  return sums;
}

/// The metric that the self time of a site counts for.
static StringRef shareOf(SiteAttr site) {
  StringRef name = site.getName();
  switch (site.getKind()) {
  case SiteKind::Load:
  case SiteKind::Store:
  case SiteKind::Atomic:
    return "probes.memory.share";
  case SiteKind::Dot:
  case SiteKind::Reduce:
  case SiteKind::Scan:
  case SiteKind::Compute:
    return "probes.compute.share";
  case SiteKind::Barrier:
    break;
  case SiteKind::Kernel:
  case SiteKind::Scope:
  case SiteKind::Loop:
    return "probes.other.share";
  }
  // A wait counts for what it waits for, where its name says so.
  if (name.contains("dot_wait") || name.contains("dpe_matmul") ||
      name.contains("se_unary"))
    return "probes.compute.share";
  bool waitsForMemory = name.contains("dma_") || name.contains("async_wait") ||
                        name.contains("tma_store_wait") ||
                        name.contains("tdm_wait");
  return waitsForMemory ? "probes.memory_wait.share" : "probes.barrier.share";
}

/// How much longer the busiest worker was at work than the mean one.
static void addImbalance(ArrayAttr table, const RecordFile &file,
                         MetricSet &metrics) {
  uint64_t workers = 0, sum = 0, longest = 0;
  for (uint32_t worker = 0; worker < file.header.num_workers; ++worker) {
    uint64_t cycles = 0;
    for (SiteAttr site : table.getAsRange<SiteAttr>())
      if (site.getKind() == SiteKind::Kernel)
        cycles += file.at(worker, site.getId()).total_cycles;
    workers += cycles != 0;
    sum += cycles;
    longest = std::max(longest, cycles);
  }
  metrics.add("probes.workers", workers, "workers", kSource);
  if (sum)
    metrics.add("probes.imbalance", double(longest) * workers / sum - 1,
                "fraction", kSource);
}

void kevolve::addProbeMetrics(ArrayAttr table, const RecordFile &file,
                              const std::vector<SiteSum> &sums,
                              MetricSet &metrics) {
  addImbalance(table, file, metrics);
  for (StringRef share :
       {"probes.memory.share", "probes.memory_wait.share",
        "probes.compute.share", "probes.barrier.share", "probes.other.share"}) {
    double total = 0;
    for (SiteAttr site : table.getAsRange<SiteAttr>())
      total += shareOf(site) == share ? sums[site.getId()].selfShare : 0;
    metrics.add(share, total, "fraction", kSource);
  }
  if (file.header.num_dropped)
    metrics.add("probes.dropped", file.header.num_dropped, "records", kSource);
}
