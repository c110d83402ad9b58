//===- PlaceOnUnits.cpp - Operations on buffers go to a PE's units --------===//
#include "dialects/Mtia/Mtia.h"
#include "dialects/Tile/Tile.h"
#include "passes/LinalgToMtia/Passes.h"
#include "passes/LinalgToMtia/SeFunctions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Utils/MemRefUtils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

namespace kevolve {
#define GEN_PASS_DEF_MTIAPLACEONUNITS
#include "passes/LinalgToMtia/Passes.h.inc"
} // namespace kevolve

using namespace mlir;
using namespace kevolve;

/// A fill of fewer bytes is a few vector stores, cheaper than a command.
static constexpr int64_t kFillCommandBytes = 1024;

/// The fill that `buffer` holds when `user` runs: the last operation before it
/// in its block that uses the buffer, if that is a fill.
static linalg::FillOp fillBefore(Operation *user, Value buffer) {
  for (Operation *op = user->getPrevNode(); op; op = op->getPrevNode()) {
    auto fill = dyn_cast<linalg::FillOp>(op);
    if (fill && fill.getOutputs()[0] == buffer)
      return fill;
    if (op->getNumRegions() > 0 ||
        llvm::is_contained(op->getOperands(), buffer))
      return {};
  }
  return {};
}

//===----------------------------------------------------------------------===//
// DMA
//===----------------------------------------------------------------------===//

/// Whether the box leaves out part of the tile, or nothing if it never does.
static Value leavesOutPart(OpBuilder &b, tile::LoadOp load) {
  Location loc = load.getLoc();
  Value partial;
  auto orElse = [&](arith::CmpIPredicate predicate, OpFoldResult bound,
                    int64_t limit) {
    if (std::optional<int64_t> constant = getConstantIntValue(bound))
      if (!arith::applyCmpPredicate(predicate, APInt(64, *constant, true),
                                    APInt(64, limit)))
        return;
    Value outside = arith::CmpIOp::create(
        b, loc, predicate, getValueOrCreateConstantIndexOp(b, loc, bound),
        arith::ConstantIndexOp::create(b, loc, limit));
    partial =
        partial ? arith::OrIOp::create(b, loc, partial, outside) : outside;
  };
  ArrayRef<int64_t> shape = load.getTileType().getShape();
  for (auto [lower, upper, size] :
       llvm::zip(load.getMixedLower(), load.getMixedUpper(), shape)) {
    orElse(arith::CmpIPredicate::sgt, lower, 0);
    orElse(arith::CmpIPredicate::slt, upper, size);
  }
  return partial;
}

/// Fills only when the load does not overwrite all of the buffer.
static void makeFillConditional(OpBuilder &b, linalg::FillOp fill,
                                tile::LoadOp load) {
  Location loc = fill.getLoc();
  b.setInsertionPoint(load);
  if (Value partial = leavesOutPart(b, load)) {
    auto conditional =
        scf::IfOp::create(b, loc, partial, /*withElseRegion=*/false);
    OpBuilder then = conditional.getThenBodyBuilder();
    mtia::FillOp::create(then, loc, mtia::TicketType::get(b.getContext()),
                         fill.getInputs()[0], load.getInit());
  }
  fill.erase();
}

static void placeLoad(OpBuilder &b, tile::LoadOp load) {
  if (linalg::FillOp fill = fillBefore(load, load.getInit()))
    makeFillConditional(b, fill, load);
  b.setInsertionPoint(load);
  mtia::DmaLoadOp::create(b, load.getLoc(), load.getBase(),
                          load.getMixedStrides(), load.getMixedLower(),
                          load.getMixedUpper(), load.getInit());
  load.erase();
}

static void placeStore(OpBuilder &b, tile::StoreOp store) {
  b.setInsertionPoint(store);
  mtia::DmaStoreOp::create(b, store.getLoc(), store.getValue(), store.getBase(),
                           store.getMixedStrides(), store.getMixedLower(),
                           store.getMixedUpper());
  store.erase();
}

static void placeFill(OpBuilder &b, linalg::FillOp fill) {
  auto type = dyn_cast<MemRefType>(fill.getOutputs()[0].getType());
  Type element = fill.getInputs()[0].getType();
  if (!type || type.getElementType() != element ||
      type.getNumElements() * mtia::elementBytes(element) < kFillCommandBytes)
    return;
  b.setInsertionPoint(fill);
  mtia::FillOp::create(b, fill.getLoc(), mtia::TicketType::get(b.getContext()),
                       fill.getInputs()[0], fill.getOutputs()[0]);
  fill.erase();
}

//===----------------------------------------------------------------------===//
// DPE
//===----------------------------------------------------------------------===//

static bool hasContiguousRows(Value v) {
  auto type = dyn_cast<MemRefType>(v.getType());
  return type && type.isLastDimUnitStride();
}

static bool fitsDpe(linalg::MatmulOp matmul) {
  auto elementOf = [](Value v) { return getElementTypeOrSelf(v); };
  Type a = elementOf(matmul.getInputs()[0]);
  Type c = elementOf(matmul.getOutputs()[0]);
  bool types = a == elementOf(matmul.getInputs()[1]) &&
               (((a.isF16() || a.isBF16()) && c.isF32()) ||
                (a.isInteger(8) && c.isInteger(32)));
  return types && llvm::all_of(matmul->getOperands(), hasContiguousRows) &&
         llvm::all_of(matmul.getIndexingMapsArray(),
                      [](AffineMap map) { return map.getNumResults() == 2; });
}

static bool isZeroFill(linalg::FillOp fill) {
  return matchPattern(fill.getInputs()[0], m_AnyZeroFloat()) ||
         matchPattern(fill.getInputs()[0], m_Zero());
}

static void placeMatmul(OpBuilder &b, linalg::MatmulOp matmul) {
  if (!fitsDpe(matmul))
    return;
  SmallVector<AffineMap> maps = matmul.getIndexingMapsArray();
  // Loops are m, n, k: A is (m, k) and B (k, n) unless transposed.
  bool transposeA = maps[0].getDimPosition(0) == 2;
  bool transposeB = maps[1].getDimPosition(0) == 1;
  Value c = matmul.getOutputs()[0];
  linalg::FillOp fill = fillBefore(matmul, c);
  bool overwrite = fill && isZeroFill(fill);
  if (overwrite)
    fill.erase();
  b.setInsertionPoint(matmul);
  mtia::DpeMatmulOp::create(b, matmul.getLoc(),
                            mtia::TicketType::get(b.getContext()),
                            matmul.getInputs()[0], matmul.getInputs()[1], c,
                            /*accumulate=*/!overwrite, transposeA, transposeB);
  matmul.erase();
}

/// Matrix `index` of a batch of them.
static Value matrixOf(OpBuilder &b, Location loc, Value batch, Value index) {
  auto type = cast<MemRefType>(batch.getType());
  ArrayRef<int64_t> shape = type.getShape();
  SmallVector<OpFoldResult> offsets = {index, b.getIndexAttr(0),
                                       b.getIndexAttr(0)};
  SmallVector<OpFoldResult> sizes = {
      b.getIndexAttr(1), b.getIndexAttr(shape[1]), b.getIndexAttr(shape[2])};
  SmallVector<OpFoldResult> strides(3, b.getIndexAttr(1));
  MemRefType matrix = memref::SubViewOp::inferRankReducedResultType(
      shape.drop_front(), type, offsets, sizes, strides);
  return memref::SubViewOp::create(b, loc, matrix, batch, offsets, sizes,
                                   strides);
}

/// A batch is a loop of products of matrices.
static void unbatch(OpBuilder &b, linalg::BatchMatmulOp batch) {
  auto type = dyn_cast<MemRefType>(batch.getOutputs()[0].getType());
  if (!type || batch.hasUserDefinedMaps())
    return;
  Location loc = batch.getLoc();
  b.setInsertionPoint(batch);
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  auto loop =
      scf::ForOp::create(b, loc, index(0), index(type.getDimSize(0)), index(1));
  OpBuilder inner = OpBuilder::atBlockTerminator(loop.getBody());
  SmallVector<Value> matrices;
  for (Value operand : batch->getOperands())
    matrices.push_back(matrixOf(inner, loc, operand, loop.getInductionVar()));
  linalg::MatmulOp::create(inner, loc, ValueRange(matrices).take_front(2),
                           ValueRange(matrices).take_back(1));
  batch.erase();
}

//===----------------------------------------------------------------------===//
// SE
//===----------------------------------------------------------------------===//

static void placeOnSe(OpBuilder &b, linalg::GenericOp op, int64_t minElements) {
  std::optional<mtia::SeFunction> function =
      mtia::seFunctionOf(op, minElements);
  auto contiguous = [](Value v) {
    auto type = dyn_cast<MemRefType>(v.getType());
    return type && memref::isStaticShapeAndContiguousRowMajor(type);
  };
  if (!function || !llvm::all_of(op->getOperands(), contiguous))
    return;
  b.setInsertionPoint(op);
  mtia::SeUnaryOp::create(b, op.getLoc(), mtia::TicketType::get(b.getContext()),
                          *function, op.getInputs()[0], op.getOutputs()[0]);
  op.erase();
}

namespace {
struct MtiaPlaceOnUnitsPass
    : kevolve::impl::MtiaPlaceOnUnitsBase<MtiaPlaceOnUnitsPass> {
  using MtiaPlaceOnUnitsBase::MtiaPlaceOnUnitsBase;

  void runOnOperation() override {
    forEach<linalg::BatchMatmulOp>(unbatch);
    forEach<linalg::MatmulOp>(placeMatmul);
    forEach<tile::LoadOp>(placeLoad);
    forEach<tile::StoreOp>(placeStore);
    forEach<linalg::FillOp>(placeFill);
    if (useSe)
      forEach<linalg::GenericOp>([this](OpBuilder &b, linalg::GenericOp op) {
        placeOnSe(b, op, seMinElements);
      });
  }

private:
  /// Calls `place` on every operation of a kind that was there at the start.
  template <typename OpTy>
  void forEach(llvm::function_ref<void(OpBuilder &, OpTy)> place) {
    SmallVector<OpTy> ops;
    getOperation().walk([&](OpTy op) { ops.push_back(op); });
    OpBuilder b(&getContext());
    for (OpTy op : ops)
      place(b, op);
  }
};
} // namespace
