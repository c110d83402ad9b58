//===- SynthesizeTrace.cpp - Records and metrics become a diagnosis -------===//
#include "dialects/Probe/Probe.h"
#include "passes/TraceSynthesis/Diagnosis.h"
#include "passes/TraceSynthesis/Passes.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

namespace kevolve {
#define GEN_PASS_DEF_SYNTHESIZETRACEPASS
#include "passes/TraceSynthesis/Passes.h.inc"
} // namespace kevolve

using namespace mlir;
using namespace kevolve;
using namespace kevolve::probe;

namespace {
struct SynthesizeTracePass
    : kevolve::impl::SynthesizeTracePassBase<SynthesizeTracePass> {
  using SynthesizeTracePassBase::SynthesizeTracePassBase;

  void runOnOperation() override;

private:
  LogicalResult synthesize();
  LogicalResult readMetricsFile();
  LogicalResult readRecordFile();
  LogicalResult write(const Diagnosis &diagnosis);
  FailureOr<std::string> readFile(const std::string &path);
  LogicalResult fail(const Twine &message);

  void annotate();
  std::vector<HotSite> hottest() const;
  double keptPart() const;
  std::string kernelName() const;

  MetricsFile measured;
  std::optional<RecordFile> file;
  ArrayAttr table;
  std::vector<SiteSum> sums;
};
} // namespace

LogicalResult SynthesizeTracePass::fail(const Twine &message) {
  return getOperation().emitError("trace-synthesize: ") << message;
}

FailureOr<std::string> SynthesizeTracePass::readFile(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return fail("cannot read " + path + ": " + buffer.getError().message());
  return (*buffer)->getBuffer().str();
}

LogicalResult SynthesizeTracePass::readMetricsFile() {
  FailureOr<std::string> text = readFile(metrics);
  if (failed(text))
    return failure();
  llvm::Expected<MetricsFile> parsed = parseMetrics(*text);
  if (!parsed)
    return fail(metrics + ": " + llvm::toString(parsed.takeError()));
  measured = std::move(*parsed);
  return success();
}

LogicalResult SynthesizeTracePass::readRecordFile() {
  FailureOr<std::string> bytes = readFile(records);
  if (failed(bytes))
    return failure();
  file.emplace();
  std::string problem =
      decodeRecordFile(reinterpret_cast<const unsigned char *>(bytes->data()),
                       bytes->size(), *file);
  if (!problem.empty())
    return fail(records + ": " + problem);
  if (!table)
    return fail("the module has no site table ('probe.sites') to which the "
                "records belong");
  if (file->header.num_sites != table.size())
    return fail(records + ": records of " + Twine(file->header.num_sites) +
                " sites, but the module has " + Twine(table.size()));
  return success();
}

void SynthesizeTracePass::annotate() {
  SmallVector<Attribute> rows;
  SmallVector<MeasuredAttr> measurements;
  for (SiteAttr site : table.getAsRange<SiteAttr>()) {
    const SiteSum &sum = sums[site.getId()];
    measurements.push_back(MeasuredAttr::get(&getContext(), sum.count,
                                             sum.totalCycles, sum.selfCycles,
                                             APFloat(sum.selfShare)));
    rows.push_back(site.withMeasured(measurements.back()));
  }
  getOperation()->setAttr(ProbeDialect::getSitesAttrName(),
                          ArrayAttr::get(&getContext(), rows));
  auto annotateBegin = [&](Operation *op, int64_t site) {
    op->setAttr(ProbeDialect::getMeasuredAttrName(), measurements[site]);
  };
  getOperation()->walk([&](Operation *op) {
    if (auto begin = dyn_cast<BeginOp>(op))
      annotateBegin(op, begin.getSite());
    else if (auto id = op->getAttrOfType<IntegerAttr>(
                 ProbeDialect::getSiteAttrName()))
      annotateBegin(op, id.getInt());
  });
}

std::vector<HotSite> SynthesizeTracePass::hottest() const {
  std::vector<HotSite> sites;
  for (const auto &[row, sum] : llvm::enumerate(sums))
    if (sum.count)
      sites.push_back({getSite(table, row), sum});
  llvm::stable_sort(sites, [](const HotSite &left, const HotSite &right) {
    return left.sum.selfCycles > right.sum.selfCycles;
  });
  if (sites.size() > maxSites)
    sites.resize(maxSites, sites.front());
  return sites;
}

/// The part of the records that did not get lost.
double SynthesizeTracePass::keptPart() const {
  if (!file || !file->header.num_dropped)
    return 1;
  double kept = 0;
  for (const SiteSum &sum : sums)
    kept += sum.count;
  return kept / (kept + file->header.num_dropped);
}

std::string SynthesizeTracePass::kernelName() const {
  if (!measured.kernel.empty() || !table || table.empty())
    return measured.kernel;
  return getSite(table, 0).getName().str();
}

LogicalResult SynthesizeTracePass::write(const Diagnosis &diagnosis) {
  if (printSummary)
    kevolve::printSummary(llvm::errs(), diagnosis);
  if (output.empty())
    return success();
  std::error_code error;
  llvm::raw_fd_ostream os(output, error);
  if (error)
    return fail("cannot write " + output + ": " + error.message());
  writeDiagnosis(os, diagnosis);
  return success();
}

LogicalResult SynthesizeTracePass::synthesize() {
  table = getSiteTable(getOperation());
  if (metrics.empty() && records.empty())
    return fail("needs records=FILE or metrics=FILE, or both");
  if ((!metrics.empty() && failed(readMetricsFile())) ||
      (!records.empty() && failed(readRecordFile())))
    return failure();
  bool recordsOnly = measured.metrics.empty();
  if (file) {
    sums = sumBySite(table, *file);
    annotate();
    addProbeMetrics(table, *file, sums, measured.metrics);
  }
  deriveMetrics(measured.metrics);
  std::vector<Explanation> explanations = explainTime(measured.metrics);
  if (explanations.front().share <= 0)
    return fail("neither records nor metrics say where the time goes");
  double confidence = confidenceOf(explanations, recordsOnly) * keptPart();
  return write({measured.target.empty() && file
                    ? targetName(file->header.target)
                    : measured.target,
                kernelName(), explanations.front().bottleneck.str(), confidence,
                collectEvidence(explanations, measured.metrics),
                computeRoofline(measured.metrics), hottest()});
}

void SynthesizeTracePass::runOnOperation() {
  if (failed(synthesize()))
    signalPassFailure();
}
