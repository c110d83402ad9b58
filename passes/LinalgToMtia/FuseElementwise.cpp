//===- FuseElementwise.cpp - Fusion for a PE's vector core and SE ---------===//
#include "passes/LinalgToMtia/Passes.h"
#include "passes/LinalgToMtia/SeFunctions.h"
#include "passes/LinalgToMtia/TransposedOperands.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace kevolve {
#define GEN_PASS_DEF_MTIAFUSEELEMENTWISE
#include "passes/LinalgToMtia/Passes.h.inc"
} // namespace kevolve

using namespace mlir;
using namespace kevolve;

/// Arithmetic of this many operations or fewer costs a use less than a pass
/// over a buffer in local memory would (a vector load and a store).
static constexpr int64_t kCheapOperations = 2;

/// Bodies do not grow beyond this many operations: a value that is used twice
/// at each of n steps would be computed 2^n times.
static constexpr int64_t kLargestBody = 32;

static bool isFree(Operation &op) {
  return isa<arith::ConstantOp, linalg::IndexOp, linalg::YieldOp,
             arith::IndexCastOp, arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp,
             arith::TruncIOp>(op);
}

/// Whether an operation takes far longer than a multiplication.
static bool isExpensive(Operation &op) {
  return isa<math::MathDialect>(op.getDialect()) ||
         isa<arith::DivFOp, arith::RemFOp, arith::DivSIOp, arith::DivUIOp,
             arith::RemSIOp, arith::RemUIOp>(op);
}

static bool isExpensive(linalg::LinalgOp op) {
  return llvm::any_of(*op.getBlock(), [](Operation &nested) {
    return isExpensive(nested) || nested.getNumRegions() > 0;
  });
}

static int64_t countOperations(linalg::LinalgOp op) {
  return llvm::count_if(*op.getBlock(),
                        [](Operation &nested) { return !isFree(nested); });
}

static bool isCheap(linalg::LinalgOp op) {
  return !isExpensive(op) && countOperations(op) <= kCheapOperations;
}

/// A reduction by one operation, which the vectorizer knows how to split.
static bool isSimpleReduction(linalg::ReduceOp reduce) {
  return reduce.getInputs().size() == 1 &&
         reduce.getCombiner().front().getOperations().size() == 2;
}

/// Whether another operand is the same, and will be merged with this one: until
/// then, the producer would be computed for each of them.
static bool hasTwin(linalg::LinalgOp op, OpOperand *operand) {
  AffineMap map = op.getMatchingIndexingMap(operand);
  return llvm::any_of(op->getOpOperands(), [&](OpOperand &other) {
    return &other != operand && other.get() == operand->get() &&
           op.getMatchingIndexingMap(&other) == map;
  });
}

namespace {
struct GeneralizeElementwise : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;
  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    auto reduce = dyn_cast<linalg::ReduceOp>(op.getOperation());
    if (!(reduce && isSimpleReduction(reduce)) &&
        !isa<linalg::BroadcastOp, linalg::MapOp, linalg::CopyOp,
             linalg::TransposeOp>(op))
      return failure();
    return linalg::generalizeNamedOp(rewriter, op);
  }
};

/// Constants that nothing took in become fills, which bufferize in place.
struct SplatConstantToFill : OpRewritePattern<arith::ConstantOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::ConstantOp op,
                                PatternRewriter &rewriter) const override {
    auto type = dyn_cast<RankedTensorType>(op.getType());
    auto splat = dyn_cast<SplatElementsAttr>(op.getValue());
    if (!type || !splat)
      return failure();
    Value value = arith::ConstantOp::create(
        rewriter, op.getLoc(),
        cast<TypedAttr>(splat.getSplatValue<Attribute>()));
    Value empty = tensor::EmptyOp::create(
        rewriter, op.getLoc(), type.getShape(), type.getElementType());
    rewriter.replaceOpWithNewOp<linalg::FillOp>(op, value, empty);
    return success();
  }
};

struct MtiaFuseElementwisePass
    : kevolve::impl::MtiaFuseElementwiseBase<MtiaFuseElementwisePass> {
  using MtiaFuseElementwiseBase::MtiaFuseElementwiseBase;

  void runOnOperation() override {
    if (failed(apply(populateTransposedOperandPatterns)) ||
        failed(apply([](RewritePatternSet &patterns) {
          patterns.add<GeneralizeElementwise>(patterns.getContext());
        })) ||
        failed(apply([this](RewritePatternSet &patterns) {
          populateFusion(patterns);
        })) ||
        failed(apply([](RewritePatternSet &patterns) {
          patterns.add<SplatConstantToFill>(patterns.getContext());
        })))
      signalPassFailure();
  }

private:
  LogicalResult apply(llvm::function_ref<void(RewritePatternSet &)> populate) {
    RewritePatternSet patterns(&getContext());
    populate(patterns);
    return applyPatternsGreedily(getOperation(), std::move(patterns));
  }

  void populateFusion(RewritePatternSet &patterns) {
    linalg::populateElementwiseOpsFusionPatterns(
        patterns, [this](OpOperand *operand) { return shouldFuse(operand); });
    linalg::ControlDropUnitDims unitDims;
    linalg::populateFoldUnitExtentDimsPatterns(patterns, unitDims);
    linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
    for (StringRef dialect : {"linalg", "tensor", "arith"})
      getContext().getLoadedDialect(dialect)->getCanonicalizationPatterns(
          patterns);
    linalg::GenericOp::getCanonicalizationPatterns(patterns, &getContext());
    tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, &getContext());
    tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns,
                                                         &getContext());
  }

  bool staysAlone(linalg::LinalgOp op) {
    return useSe && mtia::seFunctionOf(op, seMinElements);
  }

  bool shouldFuse(OpOperand *operand) {
    auto producer = operand->get().getDefiningOp<linalg::LinalgOp>();
    auto consumer = dyn_cast<linalg::LinalgOp>(operand->getOwner());
    if (!producer || !consumer || staysAlone(producer) || staysAlone(consumer))
      return false;
    // Broadcast to more elements, it would be computed for each of them.
    if (isExpensive(producer) &&
        producer.getNumLoops() < consumer.getNumLoops())
      return false;
    if (hasTwin(consumer, operand) ||
        countOperations(consumer) + countOperations(producer) > kLargestBody)
      return false;
    return producer->hasOneUse() || isCheap(producer);
  }
};
} // namespace
