//===- LowerProbesToRISCV.cpp - Probes of a PE of MTIA --------------------===//
//
// The records of a PE live in its local memory while the kernel runs, where
// adding to one costs a few loads and stores of one cycle, and go out in one
// DMA.
//===----------------------------------------------------------------------===//
#include "dialects/Mtia/Mtia.h"
#include "dialects/Probe/Probe.h"
#include "passes/Instrument/Passes.h"
#include "passes/Instrument/SiteKinds.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace kevolve {
#define GEN_PASS_DEF_LOWERPROBESTORISCVPASS
#include "passes/Instrument/Passes.h.inc"
} // namespace kevolve

using namespace mlir;
using namespace kevolve::probe;

/// The fields of kevolve_record, in order: count, total, first begin, last end.
static constexpr int64_t kFields = 4;
static constexpr int64_t kFieldBytes = 8;
static constexpr int64_t kRecordBytes = kFields * kFieldBytes;

namespace {
class KernelLowering {
public:
  explicit KernelLowering(func::FuncOp function)
      : function(function), builder(function.getContext()),
        numSites(getSiteTable(function).size()), loc(function.getLoc()) {}

  void run();

private:
  void findArea();
  void makeRecords();
  void lowerBegin(BeginOp begin);
  void lowerEnd(EndOp end);
  void writeOut();

  Value readCycles();
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  Value i64(int64_t value) {
    return arith::ConstantIntOp::create(builder, loc, value, 64);
  }
  Value load(int32_t site, int64_t field);
  void store(int32_t site, int64_t field, Value value);

  func::FuncOp function;
  OpBuilder builder;
  int64_t numSites;
  Location loc;
  Value area;
  Value records; // memref<sites x 4 x i64> in local memory
  llvm::DenseMap<Value, Value> beginTimes;
};
} // namespace

/// rdcycle reads the CSR `cycle` (RISC-V Zicntr). The clobber keeps loads and
/// stores, and the commands of MTIA, which are such assembly too, on their side
/// of it.
Value KernelLowering::readCycles() {
  auto read = LLVM::InlineAsmOp::create(
      builder, loc, builder.getI64Type(), ValueRange(), "rdcycle $0",
      "=r,~{memory}",
      /*has_side_effects=*/true, /*is_align_stack=*/false,
      LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr());
  return read.getResult(0);
}

Value KernelLowering::load(int32_t site, int64_t field) {
  return memref::LoadOp::create(builder, loc, records,
                                ValueRange{index(site), index(field)});
}

void KernelLowering::store(int32_t site, int64_t field, Value value) {
  memref::StoreOp::create(builder, loc, value, records,
                          ValueRange{index(site), index(field)});
}

/// The launch geometry that the mtia lowering appends is i32, so an i64 that
/// comes last is the record area.
void KernelLowering::findArea() {
  unsigned count = function.getNumArguments();
  bool isThere = function->hasAttr("kevolve.kernel") && count &&
                 function.getArgument(count - 1).getType().isInteger(64);
  if (!isThere)
    (void)function.insertArgument(count++, builder.getI64Type(),
                                  DictionaryAttr(), loc);
  area = function.getArgument(count - 1);
}

void KernelLowering::makeRecords() {
  builder.setInsertionPointToStart(&function.getBody().front());
  auto type = MemRefType::get({numSites, kFields}, builder.getI64Type());
  records = memref::AllocOp::create(builder, loc, type);
  auto loop =
      scf::ForOp::create(builder, loc, index(0), index(numSites), index(1));
  builder.setInsertionPointToStart(loop.getBody());
  for (int64_t field = 0; field < kFields; ++field)
    memref::StoreOp::create(builder, loc, i64(0), records,
                            ValueRange{loop.getInductionVar(), index(field)});
}

void KernelLowering::lowerBegin(BeginOp begin) {
  builder.setInsertionPoint(begin);
  loc = begin.getLoc();
  Value now = readCycles();
  now.getDefiningOp()->setAttr(ProbeDialect::getSiteAttrName(),
                               begin.getSiteAttr());
  beginTimes[begin.getToken()] = now;
}

void KernelLowering::lowerEnd(EndOp end) {
  builder.setInsertionPoint(end);
  loc = end.getLoc();
  int32_t site = end.getSite();
  Value begin = beginTimes.lookup(end.getToken());
  Value now = readCycles();
  Value count = load(site, 0);
  Value elapsed = arith::SubIOp::create(builder, loc, now, begin);
  Value isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                        count, i64(0));
  Value firstBegin =
      arith::SelectOp::create(builder, loc, isFirst, begin, load(site, 2));
  store(site, 0, arith::AddIOp::create(builder, loc, count, i64(1)));
  store(site, 1, arith::AddIOp::create(builder, loc, load(site, 1), elapsed));
  store(site, 2, firstBegin);
  store(site, 3, now);
}

/// `if (area != 0)` the records of this PE go to `area + pe * sites * 32`.
void KernelLowering::writeOut() {
  Value isWanted = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne,
                                         area, i64(0));
  auto branch =
      scf::IfOp::create(builder, loc, isWanted, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  Value pe = kevolve::mtia::PeIdOp::create(builder, loc);
  Value pe64 =
      arith::IndexCastOp::create(builder, loc, builder.getI64Type(), pe);
  Value offset =
      arith::MulIOp::create(builder, loc, pe64, i64(numSites * kRecordBytes));
  Value address = arith::AddIOp::create(builder, loc, area, offset);
  auto at = [&](int64_t value) {
    return OpFoldResult(builder.getIndexAttr(value));
  };
  auto store = kevolve::mtia::DmaStoreOp::create(
      builder, loc, records, address, {at(kRecordBytes), at(kFieldBytes)},
      {at(0), at(0)}, {at(numSites), at(kFields)});
  kevolve::mtia::WaitOp::create(builder, loc, store.getTicket());
}

void KernelLowering::run() {
  findArea();
  makeRecords();
  SmallVector<BeginOp> begins;
  SmallVector<EndOp> ends;
  function.walk([&](BeginOp begin) { begins.push_back(begin); });
  function.walk([&](EndOp end) { ends.push_back(end); });
  llvm::for_each(begins, [&](BeginOp begin) { lowerBegin(begin); });
  llvm::for_each(ends, [&](EndOp end) { lowerEnd(end); });
  loc = function.getLoc();
  function.walk([&](func::ReturnOp exit) {
    builder.setInsertionPoint(exit);
    writeOut();
  });
  llvm::for_each(ends, [](EndOp end) { end.erase(); });
  llvm::for_each(begins, [](BeginOp begin) { begin.erase(); });
}

static bool hasProbes(Operation *op) {
  return op->walk([](BeginOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

namespace {
struct LowerProbesToRISCVPass
    : kevolve::impl::LowerProbesToRISCVPassBase<LowerProbesToRISCVPass> {
  void runOnOperation() override {
    for (Operation &op : *getOperation().getBody()) {
      if (!hasProbes(&op))
        continue;
      auto function = dyn_cast<func::FuncOp>(op);
      if (!function || !kevolve::isKernel(function)) {
        op.emitError("probes of an MTIA kernel must lie in a func.func that is "
                     "launched");
        return signalPassFailure();
      }
      KernelLowering(function).run();
    }
  }
};
} // namespace
