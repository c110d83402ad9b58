//===- CarryInPlace.cpp - Loop-carried tiles stay where they are ----------===//
#include "passes/LinalgToMtia/Passes.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace kevolve {
#define GEN_PASS_DEF_MTIACARRYINPLACE
#include "passes/LinalgToMtia/Passes.h.inc"
} // namespace kevolve

using namespace mlir;
using namespace kevolve;

/// The operand whose buffer `result` takes over, or null.
static OpOperand *destinationOf(Value value) {
  auto result = dyn_cast<OpResult>(value);
  if (!result)
    return nullptr;
  auto op = dyn_cast<DestinationStyleOpInterface>(result.getOwner());
  return op ? op.getTiedOpOperand(result) : nullptr;
}

/// Whether every use of `arg`, but for those in `writer`, comes before it.
static bool isLastUsedBy(BlockArgument arg, Operation *writer) {
  return llvm::all_of(arg.getUsers(), [&](Operation *user) {
    Operation *top = arg.getOwner()->findAncestorOpInBlock(*user);
    return top == writer || top->isBeforeInBlock(writer);
  });
}

/// Whether `op` may write over the tile in `arg` while it reads it.
static bool mayWriteOver(linalg::GenericOp op, BlockArgument arg) {
  if (op.getNumLoops() != op.getNumParallelLoops())
    return false;
  return llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
    return operand.get() != arg ||
           op.getMatchingIndexingMap(&operand).isIdentity();
  });
}

/// Makes the chain of destinations that ends in the yielded value start at the
/// loop's tile rather than at a new one. False when it cannot.
static bool startChainAt(BlockArgument arg, Value yielded) {
  Value value = yielded;
  while (OpOperand *destination = destinationOf(value)) {
    Operation *op = destination->getOwner();
    if (op->getBlock() != arg.getOwner())
      return false;
    if (destination->get() == arg)
      return isLastUsedBy(arg, op);
    auto generic = dyn_cast<linalg::GenericOp>(op);
    if (generic && destination->get().getDefiningOp<tensor::EmptyOp>() &&
        mayWriteOver(generic, arg) && isLastUsedBy(arg, op)) {
      destination->set(arg);
      return true;
    }
    value = destination->get();
  }
  return value == arg;
}

/// Undoes a copy into the loop's tile: it may not be needed.
static void dropCopyInto(BlockArgument arg, OpOperand &yielded) {
  auto copy =
      yielded.get().getDefiningOp<bufferization::MaterializeInDestinationOp>();
  if (!copy || copy.getDest() != arg || !copy->hasOneUse())
    return;
  yielded.set(copy.getSource());
  copy.erase();
}

static void carryInPlace(scf::ForOp loop) {
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  OpBuilder b(yield);
  for (auto [arg, operand] :
       llvm::zip(loop.getRegionIterArgs(), yield->getOpOperands())) {
    if (!isa<RankedTensorType>(arg.getType()))
      continue;
    dropCopyInto(arg, operand);
    if (startChainAt(arg, operand.get()))
      continue;
    operand.set(linalg::CopyOp::create(b, yield.getLoc(), operand.get(), arg)
                    ->getResult(0));
  }
}

/// A splat or an undefined tile, which CSE and LICM share between its users.
static bool isShareable(OpOperand &use) {
  Operation *op = use.get().getDefiningOp();
  return op && isa<linalg::FillOp, tensor::EmptyOp>(op) &&
         cast<RankedTensorType>(use.get().getType()).hasStaticShape();
}

/// Gives an operation a tile of its own to write over, made where it is used.
/// (Otherwise bufferization would copy, or have one buffer for a whole loop.)
static void ownDestination(OpBuilder &b, OpOperand &use) {
  auto type = cast<RankedTensorType>(use.get().getType());
  auto fill = use.get().getDefiningOp<linalg::FillOp>();
  Location loc = use.get().getLoc();
  b.setInsertionPoint(use.getOwner());
  Value own =
      tensor::EmptyOp::create(b, loc, type.getShape(), type.getElementType());
  if (fill)
    own = linalg::FillOp::create(b, loc, fill.getInputs(), own)->getResult(0);
  use.set(own);
}

static void ownDestinations(func::FuncOp func) {
  SmallVector<OpOperand *> uses;
  auto collect = [&](MutableArrayRef<OpOperand> destinations) {
    for (OpOperand &use : destinations)
      if (isShareable(use))
        uses.push_back(&use);
  };
  func.walk([&](Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op))
      collect(loop.getInitsMutable());
    else if (auto destination = dyn_cast<DestinationStyleOpInterface>(op))
      collect(destination.getDpsInitsMutable());
  });
  OpBuilder b(func.getContext());
  for (OpOperand *use : uses)
    ownDestination(b, *use);
  func.walk<WalkOrder::PostOrder>([](linalg::FillOp fill) {
    if (fill->use_empty() && fill.hasPureTensorSemantics())
      fill.erase();
  });
}

namespace {
struct MtiaCarryInPlacePass
    : kevolve::impl::MtiaCarryInPlaceBase<MtiaCarryInPlacePass> {
  void runOnOperation() override {
    getOperation().walk([](scf::ForOp loop) { carryInPlace(loop); });
    ownDestinations(getOperation());
  }
};
} // namespace
