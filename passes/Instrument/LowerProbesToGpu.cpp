//===- LowerProbesToGpu.cpp - Probes as scalar Triton operations ----------===//
//
// One walk over a kernel, in program order, carries the records of all sites as
// SSA values: through scf.for as iteration arguments, through scf.if as
// results. They are stored once, before the kernel returns, so that the stores
// disturb nothing that is measured. Sites inside other control flow add to
// their record in memory.
//===----------------------------------------------------------------------===//
#include "passes/Instrument/LowerProbesToGpu.h"
#include "dialects/Probe/Probe.h"
#include "passes/Instrument/Passes.h"
#include "passes/Instrument/SiteKinds.h"
#include "passes/Instrument/TritonBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

#include <map>
#include <set>

using namespace mlir;
using namespace kevolve;
using namespace kevolve::probe;

namespace {
/// The fields of kevolve_record, in order: count, total, first begin, last end.
constexpr unsigned kFields = 4;
using Record = std::array<Value, kFields>;
/// Records of the sites that have ended so far, by site.
using Records = std::map<int32_t, Record>;

class KernelLowering {
public:
  KernelLowering(Operation *function, const GpuClock &clock)
      : function(function), clock(clock), rewriter(function->getContext()) {}

  LogicalResult run();

private:
  LogicalResult checkAndChoose();
  bool fitsInRegisters(Operation *end) const;
  std::set<int32_t> sitesIn(Operation *op) const;

  void lowerBlock(Block &block, Records &records);
  void lowerOperation(Operation *op, Records &records);
  void lowerBegin(BeginOp begin);
  void lowerEnd(EndOp end, Records &records);
  void lowerFor(scf::ForOp loop, Records &records);
  void lowerIf(scf::IfOp branch, Records &records);
  void yieldRecords(Block &block, const std::set<int32_t> &sites,
                    Records records);

  Value readClock(Location loc);
  Record updated(Location loc, const Record &record, Value begin, Value end);
  Record zeroRecord(Location loc);
  void addToMemory(Location loc, int32_t site, Value begin, Value end);
  Value recordPointer(Location loc, int32_t site, unsigned field);
  void findArea(Location loc);
  void storeRecords(const Records &records);

  Operation *function;
  const GpuClock &clock;
  IRRewriter rewriter;
  std::set<int32_t> sitesInMemory;
  llvm::DenseMap<Value, Value> beginTimes;
  SmallVector<Operation *> finished;
  Value argument; // probe_area
  Value area;     // the records of this program
};
} // namespace

//===----------------------------------------------------------------------===//
// What can be lowered, and how
//===----------------------------------------------------------------------===//

bool KernelLowering::fitsInRegisters(Operation *end) const {
  Operation *parent = end->getParentOp();
  while (isa<scf::ForOp, scf::IfOp>(parent))
    parent = parent->getParentOp();
  return parent == function && function->getRegion(0).hasOneBlock();
}

static bool isBeyondReach(Operation *op, Operation *function) {
  for (Operation *parent = op->getParentOp(); parent != function;
       parent = parent->getParentOp())
    if (parent->getName().getDialectNamespace() != "scf")
      return true;
  return false;
}

LogicalResult KernelLowering::checkAndChoose() {
  WalkResult result = function->walk([&](Operation *op) {
    if (!isa<BeginOp, EndOp>(op))
      return WalkResult::advance();
    if (isBeyondReach(op, function)) {
      op->emitOpError("lies in '") << op->getParentOp()->getName()
                                   << "', where its record cannot be kept";
      return WalkResult::interrupt();
    }
    if (auto end = dyn_cast<EndOp>(op); end && !fitsInRegisters(end))
      sitesInMemory.insert(end.getSite());
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

std::set<int32_t> KernelLowering::sitesIn(Operation *op) const {
  std::set<int32_t> sites;
  op->walk([&](EndOp end) {
    if (!sitesInMemory.count(end.getSite()))
      sites.insert(end.getSite());
  });
  return sites;
}

LogicalResult KernelLowering::run() {
  if (failed(checkAndChoose()))
    return failure();
  argument = appendArgument(function,
                            TritonBuilder::i64Pointer(function->getContext()),
                            "probe_area");
  if (!sitesInMemory.empty()) {
    rewriter.setInsertionPointToStart(&function->getRegion(0).front());
    findArea(function->getLoc());
  }
  Records records;
  for (Block &block : function->getRegion(0))
    lowerBlock(block, records);
  storeRecords(records);
  for (Operation *probe : llvm::reverse(finished))
    probe->erase();
  return success();
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

void KernelLowering::lowerBlock(Block &block, Records &records) {
  for (Operation &op : llvm::make_early_inc_range(block))
    lowerOperation(&op, records);
}

void KernelLowering::lowerOperation(Operation *op, Records &records) {
  if (auto begin = dyn_cast<BeginOp>(op))
    return lowerBegin(begin);
  if (auto end = dyn_cast<EndOp>(op))
    return lowerEnd(end, records);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return lowerFor(loop, records);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return lowerIf(branch, records);
  if (op->getName().getDialectNamespace() != "scf")
    return;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      lowerBlock(block, records);
}

void KernelLowering::lowerBegin(BeginOp begin) {
  rewriter.setInsertionPoint(begin);
  beginTimes[begin.getToken()] = readClock(begin.getLoc());
  finished.push_back(begin);
}

void KernelLowering::lowerEnd(EndOp end, Records &records) {
  int32_t site = end.getSite();
  Value begin = beginTimes.lookup(end.getToken());
  rewriter.setInsertionPoint(end);
  Value now = readClock(end.getLoc());
  finished.push_back(end);
  if (sitesInMemory.count(site))
    return addToMemory(end.getLoc(), site, begin, now);
  TritonBuilder triton(rewriter, end.getLoc());
  auto known = records.find(site);
  if (known != records.end())
    known->second = updated(end.getLoc(), known->second, begin, now);
  else
    records[site] = {triton.constant(1), triton.subtract(now, begin), begin,
                     now};
}

void KernelLowering::lowerFor(scf::ForOp loop, Records &records) {
  std::set<int32_t> sites = sitesIn(loop);
  if (sites.empty())
    return lowerBlock(*loop.getBody(), records);
  rewriter.setInsertionPoint(loop);
  SmallVector<Value> inits;
  for (int32_t site : sites) {
    if (!records.count(site))
      records[site] = zeroRecord(loop.getLoc());
    llvm::append_range(inits, records[site]);
  }
  // The arguments stand in for what is yielded until the body has been lowered.
  auto replaced = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
      rewriter, inits, /*replaceInitOperandUsesInLoop=*/false,
      [](OpBuilder &, Location, ArrayRef<BlockArgument> arguments) {
        return SmallVector<Value>(arguments.begin(), arguments.end());
      }));
  unsigned first = replaced.getNumRegionIterArgs() - inits.size();
  Records inside = records;
  for (auto [index, site] : llvm::enumerate(sites))
    for (unsigned field = 0; field < kFields; ++field) {
      inside[site][field] =
          replaced.getRegionIterArg(first + index * kFields + field);
      records[site][field] =
          replaced.getResult(first + index * kFields + field);
    }
  lowerBlock(*replaced.getBody(), inside);
  auto yield = cast<scf::YieldOp>(replaced.getBody()->getTerminator());
  for (auto [index, site] : llvm::enumerate(sites))
    for (unsigned field = 0; field < kFields; ++field)
      yield.setOperand(first + index * kFields + field, inside[site][field]);
}

void KernelLowering::yieldRecords(Block &block, const std::set<int32_t> &sites,
                                  Records records) {
  if (block.empty() || !block.back().hasTrait<OpTrait::IsTerminator>()) {
    rewriter.setInsertionPointToEnd(&block);
    scf::YieldOp::create(rewriter, block.getParentOp()->getLoc());
  }
  lowerBlock(block, records);
  SmallVector<Value> yielded(block.getTerminator()->getOperands());
  for (int32_t site : sites)
    llvm::append_range(yielded, records[site]);
  block.getTerminator()->setOperands(yielded);
}

void KernelLowering::lowerIf(scf::IfOp branch, Records &records) {
  std::set<int32_t> sites = sitesIn(branch);
  rewriter.setInsertionPoint(branch);
  for (int32_t site : sites)
    if (!records.count(site))
      records[site] = zeroRecord(branch.getLoc());
  SmallVector<Type> types(branch.getResultTypes());
  unsigned first = types.size();
  types.append(sites.size() * kFields, rewriter.getI64Type());
  auto replaced =
      scf::IfOp::create(rewriter, branch.getLoc(), types, branch.getCondition(),
                        /*addThenBlock=*/false, /*addElseBlock=*/false);
  replaced->setDiscardableAttrs(branch->getDiscardableAttrDictionary());
  replaced.getThenRegion().takeBody(branch.getThenRegion());
  replaced.getElseRegion().takeBody(branch.getElseRegion());
  if (replaced.getElseRegion().empty() && !types.empty())
    replaced.getElseRegion().emplaceBlock();
  for (Region *region : replaced.getRegions())
    if (!region->empty())
      yieldRecords(region->front(), sites, records);
  for (auto [index, site] : llvm::enumerate(sites))
    for (unsigned field = 0; field < kFields; ++field)
      records[site][field] =
          replaced.getResult(first + index * kFields + field);
  rewriter.replaceOp(branch, replaced.getResults().take_front(first));
}

//===----------------------------------------------------------------------===//
// Clock and records
//===----------------------------------------------------------------------===//

Value KernelLowering::readClock(Location loc) {
  return TritonBuilder(rewriter, loc)
      .inlineAssembly(clock.assembly, clock.constraints);
}

Record KernelLowering::updated(Location loc, const Record &record, Value begin,
                               Value end) {
  TritonBuilder triton(rewriter, loc);
  auto [count, total, first, last] = record;
  return {triton.add(count, triton.constant(1)),
          triton.add(total, triton.subtract(end, begin)),
          triton.selectIfZero(count, begin, first), end};
}

Record KernelLowering::zeroRecord(Location loc) {
  Value zero = TritonBuilder(rewriter, loc).constant(0);
  return {zero, zero, zero, zero};
}

void KernelLowering::findArea(Location loc) {
  TritonBuilder triton(rewriter, loc);
  int64_t numSites = getSiteTable(function).size();
  Value words = triton.constant(numSites * kFields);
  Value offset =
      arith::MulIOp::create(rewriter, loc, triton.linearProgramId(), words);
  area = triton.addPointer(argument, offset);
}

Value KernelLowering::recordPointer(Location loc, int32_t site,
                                    unsigned field) {
  TritonBuilder triton(rewriter, loc);
  return triton.addPointer(area,
                           triton.constant(int64_t(site) * kFields + field));
}

void KernelLowering::addToMemory(Location loc, int32_t site, Value begin,
                                 Value end) {
  TritonBuilder triton(rewriter, loc);
  Record pointers, record;
  for (unsigned field = 0; field < kFields; ++field) {
    pointers[field] = recordPointer(loc, site, field);
    record[field] = triton.load(pointers[field]);
  }
  record = updated(loc, record, begin, end);
  for (unsigned field = 0; field < kFields; ++field)
    triton.store(pointers[field], record[field]);
}

void KernelLowering::storeRecords(const Records &records) {
  if (records.empty())
    return;
  Location loc = function->getLoc();
  rewriter.setInsertionPoint(&function->getRegion(0).front().back());
  if (!area)
    findArea(loc);
  TritonBuilder triton(rewriter, loc);
  for (const auto &[site, record] : records)
    for (unsigned field = 0; field < kFields; ++field)
      triton.store(recordPointer(loc, site, field), record[field]);
}

static bool hasProbes(Operation *op) {
  return op->walk([](BeginOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

LogicalResult kevolve::lowerProbesToGpu(ModuleOp module,
                                        const GpuClock &clock) {
  for (Operation &function : *module.getBody()) {
    if (!hasProbes(&function))
      continue;
    if (function.getName().getStringRef() != "tt.func" || !isKernel(&function))
      return function.emitError(
          "probes of a GPU kernel must lie in a public tt.func");
    if (failed(KernelLowering(&function, clock).run()))
      return failure();
  }
  module->removeAttr(ProbeDialect::getSitesAttrName());
  return success();
}
