//===- InsertProbes.cpp - Marks what to measure ---------------------------===//
//
// In two steps: the walk over a kernel plans the rows of the site table,
// parents before children; then the probes of each row go in.
//===----------------------------------------------------------------------===//
#include "passes/Instrument/Passes.h"
#include "passes/Instrument/SiteKinds.h"
#include "passes/Instrument/SourcePosition.h"
#include "passes/Instrument/StaticCost.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallString.h"

namespace kevolve {
#define GEN_PASS_DEF_INSERTPROBESPASS
#include "passes/Instrument/Passes.h.inc"
} // namespace kevolve

using namespace mlir;
using namespace kevolve;
using namespace kevolve::probe;

namespace {
/// What a site covers: one operation, the body of a loop, or that of a kernel.
enum class Extent { Operation, Iteration, Kernel };

struct PlannedSite {
  Operation *op;
  Extent extent;
  SiteAttr site;
};

struct Choice {
  llvm::DenseSet<int> kinds;
  bool loops;
  bool iterations;
  int64_t maxDepth;
};

/// Walks kernels and lists their sites.
class Planner {
public:
  explicit Planner(const Choice &choice) : choice(choice) {}

  void planKernel(Operation *function);
  std::vector<PlannedSite> sites;

private:
  void planRegions(Operation *op, int32_t parent, int64_t depth);
  void planOperation(Operation *op, int32_t parent, int64_t depth);
  void planLoop(Operation *op, int32_t parent, int64_t depth);
  void planIteration(Operation *op, int32_t parent, int64_t depth);
  bool wants(Operation *op) const;
  bool containsSites(Operation *op) const;
  int32_t add(Operation *op, Extent extent, SiteKind kind, const Twine &name,
              int32_t parent);

  const Choice &choice;
  std::string ownFile;
};
} // namespace

void Planner::planKernel(Operation *function) {
  ownFile = findSourcePosition(function->getLoc(), "").file;
  auto symbol =
      cast<StringAttr>(getInherent(function, SymbolTable::getSymbolAttrName()));
  int32_t kernel =
      add(function, Extent::Kernel, SiteKind::Kernel, symbol.getValue(), -1);
  planRegions(function, kernel, 0);
}

void Planner::planRegions(Operation *op, int32_t parent, int64_t depth) {
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Operation &nested : block)
        planOperation(&nested, parent, depth);
}

/// Such as `tt.load x`, or `mtia.wait mtia.dma_load`.
static std::string describe(Operation *op) {
  StringRef variable = findVariableName(op->getLoc());
  std::string name = op->getName().getStringRef().str();
  if (Operation *awaited = findAwaited(op))
    name += " " + awaited->getName().getStringRef().str();
  return variable.empty() ? name : name + " " + variable.str();
}

bool Planner::wants(Operation *op) const {
  std::optional<SiteKind> kind = siteKindOf(op);
  return kind &&
         (*kind == SiteKind::Scope || choice.kinds.contains(int(*kind)));
}

void Planner::planOperation(Operation *op, int32_t parent, int64_t depth) {
  if (choice.maxDepth >= 0 && depth > choice.maxDepth)
    return;
  if (isLoop(op))
    return planLoop(op, parent, depth);
  if (wants(op)) {
    add(op, Extent::Operation, *siteKindOf(op), describe(op), parent);
    return;
  }
  // A region that some operation of the table owns is its combiner, and belongs
  // to it.
  if (!siteKindOf(op))
    planRegions(op, parent, depth);
}

bool Planner::containsSites(Operation *op) const {
  return op
      ->walk([](Operation *nested) {
        return siteKindOf(nested) ? WalkResult::interrupt()
                                  : WalkResult::advance();
      })
      .wasInterrupted();
}

void Planner::planLoop(Operation *op, int32_t parent, int64_t depth) {
  if (!containsSites(op)) {
    if (choice.loops && choice.kinds.contains(int(SiteKind::Compute)))
      add(op, Extent::Operation, SiteKind::Compute, describe(op), parent);
    return;
  }
  if (choice.loops)
    parent = add(op, Extent::Operation, SiteKind::Loop, describe(op), parent);
  if (choice.loops && choice.iterations && iterationBody(op))
    return planIteration(op, parent, depth + 1);
  planRegions(op, parent, depth + 1);
}

void Planner::planIteration(Operation *op, int32_t parent, int64_t depth) {
  if (choice.maxDepth >= 0 && depth > choice.maxDepth)
    return;
  parent = add(op, Extent::Iteration, SiteKind::Scope,
               "iteration of " + describe(op), parent);
  for (Operation &nested : *iterationBody(op))
    planOperation(&nested, parent, depth);
}

int32_t Planner::add(Operation *op, Extent extent, SiteKind kind,
                     const Twine &name, int32_t parent) {
  SourcePosition position = findSourcePosition(op->getLoc(), ownFile);
  bool isOperation = extent == Extent::Operation;
  int32_t id = sites.size();
  SmallString<64> buffer;
  auto site = SiteAttr::get(
      op->getContext(), id, kind, name.toStringRef(buffer), position.file,
      position.line, position.column, parent,
      isOperation ? bytesOf(op, kind) : 0, isOperation ? flopsOf(op, kind) : 0,
      isOperation ? tripCountOf(op) : -1, MeasuredAttr());
  sites.push_back(PlannedSite{op, extent, site});
  return id;
}

//===----------------------------------------------------------------------===//
// Insertion
//===----------------------------------------------------------------------===//

static BeginOp beginAt(OpBuilder &builder, const PlannedSite &planned) {
  return BeginOp::create(builder, planned.op->getLoc(), planned.site.getId());
}

static void endAt(OpBuilder &builder, const PlannedSite &planned,
                  BeginOp begin) {
  EndOp::create(builder, planned.op->getLoc(), begin.getToken(),
                planned.site.getId());
}

static void insertAround(const PlannedSite &planned) {
  OpBuilder builder(planned.op);
  BeginOp begin = beginAt(builder, planned);
  builder.setInsertionPointAfter(planned.op);
  endAt(builder, planned, begin);
}

static void insertInBlock(const PlannedSite &planned, Block &block) {
  OpBuilder builder = OpBuilder::atBlockBegin(&block);
  BeginOp begin = beginAt(builder, planned);
  builder.setInsertionPoint(block.getTerminator());
  endAt(builder, planned, begin);
}

/// The kernel begins where it is entered and ends on each way out.
static void insertInKernel(const PlannedSite &planned) {
  Region &body = planned.op->getRegion(0);
  OpBuilder builder = OpBuilder::atBlockBegin(&body.front());
  BeginOp begin = beginAt(builder, planned);
  for (Block &block : body) {
    if (block.empty() || block.getNumSuccessors())
      continue;
    builder.setInsertionPoint(&block.back());
    endAt(builder, planned, begin);
  }
}

static void insert(const PlannedSite &planned) {
  if (planned.extent == Extent::Kernel)
    return insertInKernel(planned);
  if (planned.extent == Extent::Iteration)
    return insertInBlock(planned, *iterationBody(planned.op));
  insertAround(planned);
}

namespace {
struct InsertProbesPass
    : kevolve::impl::InsertProbesPassBase<InsertProbesPass> {
  using InsertProbesPassBase::InsertProbesPassBase;

  FailureOr<Choice> readChoice();
  void runOnOperation() override;
};
} // namespace

FailureOr<Choice> InsertProbesPass::readChoice() {
  Choice choice{{}, loops, iterations, maxDepth};
  for (const std::string &name : kinds) {
    std::optional<SiteKind> kind = symbolizeSiteKind(name);
    if (!kind || *kind < SiteKind::Load)
      return getOperation().emitError()
             << "probe-insert: '" << name
             << "' is not one of the kinds of operations: load, "
             << "store, dot, reduce, scan, atomic, barrier, compute";
    choice.kinds.insert(int(*kind));
  }
  for (int kind = int(SiteKind::Load);
       kinds.empty() && kind <= int(SiteKind::Compute); ++kind)
    choice.kinds.insert(kind);
  return choice;
}

void InsertProbesPass::runOnOperation() {
  ModuleOp module = getOperation();
  FailureOr<Choice> choice = readChoice();
  if (failed(choice))
    return signalPassFailure();
  if (module->hasAttr(ProbeDialect::getSitesAttrName())) {
    module.emitError("probe-insert: has probes already; run probe-strip first");
    return signalPassFailure();
  }
  Planner planner(*choice);
  for (Operation &op : *module.getBody())
    if (isKernel(&op))
      planner.planKernel(&op);
  if (planner.sites.empty()) {
    module.emitError(
        "probe-insert: no kernel: no public tt.func or func.func with a body");
    return signalPassFailure();
  }
  SmallVector<Attribute> table;
  for (const PlannedSite &planned : planner.sites)
    table.push_back(planned.site);
  module->setAttr(ProbeDialect::getSitesAttrName(),
                  ArrayAttr::get(&getContext(), table));
  // Children first, so that those at the start of their parent's block end up
  // inside of it.
  for (const PlannedSite &planned : llvm::reverse(planner.sites))
    insert(planned);
}
