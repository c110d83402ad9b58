//===- TileBufferization.cpp - Tile operations from tensors to memrefs ----===//
#include "dialects/Tile/Tile.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/IR/DialectRegistry.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace kevolve::tile;

/// Whether every element of the destination is overwritten, so that its old
/// contents do not matter (and need no copy).
static bool overwritesDestination(Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([](LoadOp load) { return load.coversTile(); })
      .Case<GatherOp, AtomicRMWOp, AtomicCASOp>(
          [](auto byElement) { return !byElement.getMask(); })
      .Default(false);
}

static bool isDestination(OpOperand &operand) {
  auto op = dyn_cast<DestinationStyleOpInterface>(operand.getOwner());
  return op && op.isDpsInit(&operand);
}

/// Makes the memref form of `op`: tensors become their buffers, tensor results
/// (which are the destinations) disappear.
static FailureOr<Operation *>
createOnBuffers(RewriterBase &rewriter, Operation *op,
                const BufferizationOptions &options,
                BufferizationState &state) {
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    if (!isa<TensorType>(operand.getType())) {
      operands.push_back(operand);
      continue;
    }
    FailureOr<Value> buffer = getBuffer(rewriter, operand, options, state);
    if (failed(buffer))
      return failure();
    operands.push_back(*buffer);
  }
  rewriter.setInsertionPoint(op);
  OperationState onBuffers(op->getLoc(), op->getName(), operands, TypeRange{},
                           op->getAttrs());
  return rewriter.create(onBuffers);
}

namespace {
/// One model for all: only destinations are written, and a tensor result is its
/// destination.
template <typename OpTy>
struct TileModel
    : public BufferizableOpInterface::ExternalModel<TileModel<OpTy>, OpTy> {
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const AnalysisState &) const {
    return !isDestination(operand) || !overwritesDestination(op);
  }

  bool bufferizesToMemoryWrite(Operation *, OpOperand &operand,
                               const AnalysisState &) const {
    return isDestination(operand);
  }

  AliasingValueList getAliasingValues(Operation *op, OpOperand &operand,
                                      const AnalysisState &) const {
    if (!isDestination(operand))
      return {};
    return {{op->getResult(0), BufferRelation::Equivalent}};
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    FailureOr<Operation *> onBuffers =
        createOnBuffers(rewriter, op, options, state);
    if (failed(onBuffers))
      return failure();
    SmallVector<Value> results;
    if (auto destinationStyle =
            dyn_cast<DestinationStyleOpInterface>(*onBuffers))
      llvm::append_range(results, destinationStyle.getDpsInits());
    replaceOpWithBufferizedValues(rewriter, op, results);
    return success();
  }
};
} // namespace

void kevolve::tile::registerBufferizableOpInterfaceModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, TileDialect *) {
    LoadOp::attachInterface<TileModel<LoadOp>>(*context);
    StoreOp::attachInterface<TileModel<StoreOp>>(*context);
    GatherOp::attachInterface<TileModel<GatherOp>>(*context);
    ScatterOp::attachInterface<TileModel<ScatterOp>>(*context);
    AtomicRMWOp::attachInterface<TileModel<AtomicRMWOp>>(*context);
    AtomicCASOp::attachInterface<TileModel<AtomicCASOp>>(*context);
  });
}
