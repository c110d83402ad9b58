//===- WidenBooleanBuffers.cpp - Buffers of i1 become buffers of i8 -------===//
//
// MLIR 22's lowering of memref.store asserts that integers have at least eight
// bits (MemRefToLLVM.cpp, StoreOpLowering), so masks cannot be stored as i1.
//
//===----------------------------------------------------------------------===//
#include "passes/TileToLoops/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Transforms/DialectConversion.h"

namespace kevolve {
#define GEN_PASS_DEF_WIDENBOOLEANBUFFERS
#include "passes/TileToLoops/Passes.h.inc"
} // namespace kevolve

using namespace mlir;

namespace {
struct ByteBuffers : public TypeConverter {
  ByteBuffers() {
    addConversion([](Type type) { return type; });
    addConversion([](MemRefType type) -> Type {
      if (!type.getElementType().isInteger(1))
        return type;
      return type.clone(IntegerType::get(type.getContext(), 8));
    });
  }
};

struct WidenLoad : public OpConversionPattern<memref::LoadOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(memref::LoadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value byte = memref::LoadOp::create(
        rewriter, op.getLoc(), adaptor.getMemref(), adaptor.getIndices());
    rewriter.replaceOpWithNewOp<arith::TruncIOp>(op, rewriter.getI1Type(),
                                                 byte);
    return success();
  }
};

struct WidenStore : public OpConversionPattern<memref::StoreOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(memref::StoreOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value byte = arith::ExtUIOp::create(
        rewriter, op.getLoc(), rewriter.getI8Type(), adaptor.getValue());
    rewriter.replaceOpWithNewOp<memref::StoreOp>(op, byte, adaptor.getMemref(),
                                                 adaptor.getIndices());
    return success();
  }
};

/// Operations that only pass buffers on: allocations, copies and views.
struct WidenOther : public ConversionPattern {
  WidenOther(const TypeConverter &types, MLIRContext *context)
      : ConversionPattern(types, MatchAnyOpTypeTag(), /*benefit=*/0, context) {}
  LogicalResult
  matchAndRewrite(Operation *op, ArrayRef<Value> operands,
                  ConversionPatternRewriter &rewriter) const override {
    bool isBufferOp = isa<memref::MemRefDialect>(op->getDialect());
    if (!isBufferOp || isa<memref::GetGlobalOp>(op) || op->getNumRegions() != 0)
      return failure();
    SmallVector<Type> results;
    if (failed(getTypeConverter()->convertTypes(op->getResultTypes(), results)))
      return failure();
    OperationState state(op->getLoc(), op->getName(), operands, results,
                         op->getAttrs());
    rewriter.replaceOp(op, rewriter.create(state));
    return success();
  }
};

struct WidenBooleanBuffersPass
    : public kevolve::impl::WidenBooleanBuffersBase<WidenBooleanBuffersPass> {
  void runOnOperation() override {
    ByteBuffers types;
    ConversionTarget target(getContext());
    RewritePatternSet patterns(&getContext());
    patterns.add<WidenLoad, WidenStore, WidenOther>(types, &getContext());
    scf::populateSCFStructuralTypeConversionsAndLegality(types, patterns,
                                                         target);
    target.addDynamicallyLegalDialect<memref::MemRefDialect>(
        [&](Operation *op) { return types.isLegal(op); });
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
