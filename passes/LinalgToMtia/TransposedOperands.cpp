//===- TransposedOperands.cpp - Transposes that cost nothing --------------===//
#include "passes/LinalgToMtia/TransposedOperands.h"

#include "dialects/Mtia/Mtia.h"
#include "dialects/Tile/Tile.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace kevolve;

/// The permutation that makes the contiguous dimension of global memory the
/// last one, or nothing when it is, or when there is no such dimension.
static std::optional<SmallVector<int64_t>>
contiguousLast(ArrayRef<int64_t> staticStrides, ShapedType type) {
  int64_t rank = type.getRank();
  Type element = type.getElementType();
  if (rank < 2 || !element.isIntOrFloat())
    return std::nullopt;
  int64_t bytes = (element.getIntOrFloatBitWidth() + 7) / 8;
  auto isContiguous = [&](int64_t dim) {
    return staticStrides[dim] == bytes && type.getDimSize(dim) > 1;
  };
  if (isContiguous(rank - 1))
    return std::nullopt;
  for (int64_t dim = 0; dim + 1 < rank; ++dim) {
    if (!isContiguous(dim))
      continue;
    SmallVector<int64_t> permutation;
    for (int64_t d = 0; d < rank; ++d)
      if (d != dim)
        permutation.push_back(d);
    permutation.push_back(dim);
    return permutation;
  }
  return std::nullopt;
}

static SmallVector<OpFoldResult> permute(SmallVector<OpFoldResult> values,
                                         ArrayRef<int64_t> permutation) {
  applyPermutationToVector(values, permutation);
  return values;
}

static Value createTranspose(OpBuilder &b, Location loc, Value v,
                             ArrayRef<int64_t> permutation) {
  auto type = cast<RankedTensorType>(v.getType());
  Value empty = tensor::EmptyOp::create(
      b, loc, applyPermutation(type.getShape(), permutation),
      type.getElementType());
  return linalg::TransposeOp::create(b, loc, v, empty, permutation)
      ->getResult(0);
}

/// Whether nothing is known of the contents of a destination.
static bool isUndefined(Value init) {
  return init.getDefiningOp<tensor::EmptyOp>() != nullptr;
}

/// The destination of the transposed load: undefined or a splat as before.
static Value permutedInit(OpBuilder &b, tile::LoadOp load,
                          ArrayRef<int64_t> permutation) {
  auto type = cast<RankedTensorType>(load.getInit().getType());
  Value empty = tensor::EmptyOp::create(
      b, load.getLoc(), applyPermutation(type.getShape(), permutation),
      type.getElementType());
  auto fill = load.getInit().getDefiningOp<linalg::FillOp>();
  if (!fill)
    return empty;
  return linalg::FillOp::create(b, load.getLoc(), fill.getInputs(), empty)
      ->getResult(0);
}

namespace {
struct LoadContiguousInnermost : OpRewritePattern<tile::LoadOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tile::LoadOp load,
                                PatternRewriter &rewriter) const override {
    auto permutation =
        contiguousLast(load.getStaticStrides(), load.getTileType());
    if (!permutation || !load.getResult() ||
        !(isUndefined(load.getInit()) ||
          load.getInit().getDefiningOp<linalg::FillOp>()))
      return failure();
    Value init = permutedInit(rewriter, load, *permutation);
    auto moved =
        tile::LoadOp::create(rewriter, load.getLoc(), load.getBase(),
                             permute(load.getMixedStrides(), *permutation),
                             permute(load.getMixedLower(), *permutation),
                             permute(load.getMixedUpper(), *permutation), init);
    rewriter.replaceOp(
        load, createTranspose(rewriter, load.getLoc(), moved.getResult(),
                              invertPermutationVector(*permutation)));
    return success();
  }
};

struct StoreContiguousInnermost : OpRewritePattern<tile::StoreOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tile::StoreOp store,
                                PatternRewriter &rewriter) const override {
    auto permutation =
        contiguousLast(store.getStaticStrides(), store.getTileType());
    if (!permutation || !isa<TensorType>(store.getValue().getType()))
      return failure();
    Value moved = createTranspose(rewriter, store.getLoc(), store.getValue(),
                                  *permutation);
    rewriter.replaceOpWithNewOp<tile::StoreOp>(
        store, moved, store.getBase(),
        permute(store.getMixedStrides(), *permutation),
        permute(store.getMixedLower(), *permutation),
        permute(store.getMixedUpper(), *permutation));
    return success();
  }
};

/// A load whose box covers the tile keeps nothing of its destination.
struct DropOverwrittenInit : OpRewritePattern<tile::LoadOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tile::LoadOp load,
                                PatternRewriter &rewriter) const override {
    if (!load.getResult() || isUndefined(load.getInit()) || !load.coversTile())
      return failure();
    Value empty = tensor::EmptyOp::create(rewriter, load.getLoc(),
                                          load.getTileType().getShape(),
                                          load.getTileType().getElementType());
    rewriter.modifyOpInPlace(load,
                             [&] { load.getInitMutable().assign(empty); });
    return success();
  }
};

struct FoldTransposeIntoMatmul : OpRewritePattern<linalg::MatmulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(linalg::MatmulOp matmul,
                                PatternRewriter &rewriter) const override {
    SmallVector<AffineMap> maps = matmul.getIndexingMapsArray();
    for (unsigned i = 0; i < 2; ++i) {
      auto transpose =
          matmul.getInputs()[i].getDefiningOp<linalg::TransposeOp>();
      if (!transpose || maps[i].getNumResults() != 2)
        continue;
      maps[i] = AffineMap::get(maps[i].getNumDims(), 0,
                               {maps[i].getResult(1), maps[i].getResult(0)},
                               rewriter.getContext());
      rewriter.modifyOpInPlace(matmul, [&] {
        matmul.getInputsMutable()[i].set(transpose.getInput());
        matmul.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
      });
      return success();
    }
    return failure();
  }
};
} // namespace

void kevolve::populateTransposedOperandPatterns(RewritePatternSet &patterns) {
  patterns.add<LoadContiguousInnermost, StoreContiguousInnermost,
               DropOverwrittenInit, FoldTransposeIntoMatmul>(
      patterns.getContext());
}
