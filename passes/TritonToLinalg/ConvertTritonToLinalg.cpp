//===- ConvertTritonToLinalg.cpp - The pass, stage by stage ---------------===//
#include "passes/TritonToLinalg/Conversion.h"
#include "passes/TritonToLinalg/Passes.h"
#include "passes/TritonToLinalg/Stages.h"
#include "passes/TritonToLinalg/TritonOps.h"

#include "dialects/Tile/Tile.h"

#include "mlir/Conversion/ControlFlowToSCF/ControlFlowToSCF.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace kevolve {
#define GEN_PASS_DEF_CONVERTTRITONTOLINALG
#include "passes/TritonToLinalg/Passes.h.inc"
} // namespace kevolve

using namespace mlir;
using namespace kevolve::triton;

namespace {
/// Matches one operation by name and calls its function of the table.
struct NamedConversion : public ConversionPattern {
  NamedConversion(const TypeConverter &types, StringRef name,
                  ConvertFunction convert, MLIRContext *context)
      : ConversionPattern(types, name, /*benefit=*/1, context),
        convert(convert) {}

  LogicalResult
  matchAndRewrite(Operation *op, ArrayRef<Value> operands,
                  ConversionPatternRewriter &rewriter) const override {
    return convert({op, operands, rewriter, *getTypeConverter()});
  }

  ConvertFunction convert;
};

/// arith.select passes pointers on.
struct SelectConversion : public OpConversionPattern<arith::SelectOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(arith::SelectOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<arith::SelectOp>(op, adaptor.getCondition(),
                                                 adaptor.getTrueValue(),
                                                 adaptor.getFalseValue());
    return success();
  }
};
} // namespace

/// Terminators of combiners, which go with the operation that has the region.
static bool isRegionReturn(Operation *op) {
  return isOp(op, "tt.reduce.return") || isOp(op, "tt.scan.return");
}

/// Reports every operation that the table does not know.
static LogicalResult checkAllKnown(ModuleOp module,
                                   const ConversionTable &table) {
  bool allKnown = true;
  module.walk([&](Operation *op) {
    if (!isTritonOp(op) || isRegionReturn(op) ||
        table.contains(op->getName().getStringRef()))
      return;
    op->emitError() << "unsupported op '" << op->getName() << "'";
    allKnown = false;
  });
  return success(allKnown);
}

static void addUpstreamConversions(const TypeConverter &types,
                                   RewritePatternSet &patterns,
                                   ConversionTarget &target) {
  populateFunctionOpInterfaceTypeConversionPattern<func::FuncOp>(patterns,
                                                                 types);
  populateCallOpTypeConversionPattern(patterns, types);
  populateReturnOpTypeConversionPattern(patterns, types);
  populateBranchOpInterfaceTypeConversionPattern(patterns, types);
  scf::populateSCFStructuralTypeConversionsAndLegality(types, patterns, target);
  patterns.add<SelectConversion>(types, patterns.getContext());
  target.addDynamicallyLegalOp<func::FuncOp>([&types](func::FuncOp op) {
    return types.isSignatureLegal(op.getFunctionType()) &&
           types.isLegal(&op.getBody());
  });
  target.markUnknownOpDynamicallyLegal([&types](Operation *op) {
    return isRegionReturn(op) || (!isTritonOp(op) && types.isLegal(op));
  });
}

static LogicalResult convertOperations(ModuleOp module,
                                       const ConversionTable &table) {
  MLIRContext *context = module.getContext();
  AddressTypeConverter types;
  RewritePatternSet patterns(context);
  for (const auto &entry : table)
    patterns.add<NamedConversion>(types, entry.getKey(), entry.getValue(),
                                  context);
  ConversionTarget target(*context);
  addUpstreamConversions(types, patterns, target);
  return applyPartialConversion(module, target, std::move(patterns));
}

/// Operations that need a buffer of their own for a splat constant: a fill
/// makes it where it is needed, where a constant would be a copy of a global.
static bool needsBuffer(Operation *op) {
  return isa<scf::ForOp, scf::WhileOp, scf::YieldOp, cf::BranchOp,
             cf::CondBranchOp>(op) ||
         isa_and_nonnull<kevolve::tile::TileDialect>(op->getDialect());
}

static void fillConstants(ModuleOp module) {
  module.walk([](Operation *op) {
    if (!needsBuffer(op))
      return;
    OpBuilder builder(op);
    for (OpOperand &operand : op->getOpOperands())
      operand.set(createDestination(builder, op->getLoc(), operand.get()));
  });
}

static LogicalResult checkAllInlined(ModuleOp module) {
  WalkResult result = module.walk([](func::CallOp call) {
    call.emitError() << "call of '" << call.getCallee()
                     << "' cannot be inlined";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

namespace {
struct ConvertTritonToLinalgPass
    : public kevolve::impl::ConvertTritonToLinalgBase<
          ConvertTritonToLinalgPass> {
  void runOnOperation() override {
    if (failed(convert(getOperation())))
      signalPassFailure();
  }

  LogicalResult convert(ModuleOp module) {
    ConversionTable table = makeConversionTable();
    if (failed(convertFunctions(module)) ||
        failed(checkAllKnown(module, table)))
      return failure();
    module.walk(raiseAccesses);
    if (failed(convertOperations(module, table)))
      return failure();
    fillConstants(module);
    if (failed(cleanUp(module)) || failed(checkAllInlined(module)))
      return failure();
    tieCarriedTensors(module);
    return success();
  }

  /// Inlines calls, makes branches structured, and drops what is not used.
  LogicalResult cleanUp(ModuleOp module) {
    OpPassManager pipeline(ModuleOp::getOperationName());
    pipeline.addPass(createInlinerPass());
    pipeline.addPass(createSymbolDCEPass());
    pipeline.addNestedPass<func::FuncOp>(createLiftControlFlowToSCFPass());
    pipeline.addNestedPass<func::FuncOp>(createCanonicalizerPass());
    pipeline.addNestedPass<func::FuncOp>(createCSEPass());
    pipeline.addNestedPass<func::FuncOp>(createCanonicalizerPass());
    return runPipeline(pipeline, module);
  }
};
} // namespace
