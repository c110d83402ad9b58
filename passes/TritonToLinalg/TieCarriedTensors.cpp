//===- TieCarriedTensors.cpp - What a loop yields goes where it came from -===//
//
// One-shot bufferization wants every tensor that a loop yields in the buffer of
// the carried tensor. An update that is not in destination style (elementwise
// arithmetic, or a choice) is therefore tied to the carried tensor by
// bufferization.materialize_in_destination, which is no copy where the update
// can be computed in place (see --eliminate-empty-tensors).
//
//===----------------------------------------------------------------------===//
#include "passes/TritonToLinalg/Conversion.h"
#include "passes/TritonToLinalg/Stages.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace kevolve::triton;

/// The result of the use that `operand` is, if that is computed in its place:
/// by a loop in the same block that carries it, or by a destination style
/// operation.
static Value getUpdate(OpOperand &operand, Block *block) {
  Operation *op = operand.getOwner();
  if (op->getBlock() != block)
    return {};
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return loop.getTiedLoopResult(&operand);
  auto destinationStyle = dyn_cast<DestinationStyleOpInterface>(op);
  if (destinationStyle && destinationStyle.isDpsInit(&operand))
    return destinationStyle.getTiedOpResult(&operand);
  return {};
}

/// The last value that surely lives in the buffer of `carried`: every step to
/// it is computed in place, and nothing else uses what is written over.
static Value getNewest(BlockArgument carried) {
  Value newest = carried;
  while (newest.hasOneUse()) {
    Value update = getUpdate(*newest.getUses().begin(), carried.getOwner());
    if (!update)
      break;
    newest = update;
  }
  return newest;
}

static Value createCopy(OpBuilder &builder, Location loc, Value value) {
  Value empty =
      createEmpty(builder, loc, cast<RankedTensorType>(value.getType()));
  return linalg::CopyOp::create(builder, loc, value, empty).getResult(0);
}

/// Puts the value of `operand` into the buffer of `place`. A choice is tied in
/// its branches, of which one may have nothing to do.
static void tie(OpOperand &operand, Value place) {
  Value value = operand.get();
  if (value == place)
    return;
  auto choice = value.getDefiningOp<scf::IfOp>();
  if (choice && value.hasOneUse()) {
    unsigned number = cast<OpResult>(value).getResultNumber();
    tie(choice.thenYield()->getOpOperand(number), place);
    tie(choice.elseYield()->getOpOperand(number), place);
    return;
  }
  OpBuilder builder(operand.getOwner());
  operand.set(
      bufferization::MaterializeInDestinationOp::create(
          builder, operand.getOwner()->getLoc(), place.getType(), value, place)
          .getResult());
}

/// Ties operands of the terminator, from `first` on, to `carried`. A tensor
/// that moves on to another place is copied first: its own may be written
/// before.
static void tieToArguments(Operation *terminator, unsigned first,
                           ArrayRef<BlockArgument> carried) {
  OpBuilder builder(terminator);
  SmallVector<Value> places = llvm::map_to_vector(carried, getNewest);
  MutableArrayRef<OpOperand> yielded =
      terminator->getOpOperands().drop_front(first);
  auto isTied = [](OpOperand &operand, Value place) {
    return operand.get() == place ||
           operand.get().getType() != place.getType() ||
           !isa<RankedTensorType>(place.getType());
  };
  for (auto [operand, place] : llvm::zip(yielded, places))
    if (!isTied(operand, place) && llvm::is_contained(places, operand.get()))
      operand.set(createCopy(builder, terminator->getLoc(), operand.get()));
  for (auto [operand, place] : llvm::zip(yielded, places))
    if (!isTied(operand, place))
      tie(operand, place);
}

void kevolve::triton::tieCarriedTensors(ModuleOp module) {
  module.walk([](scf::ForOp loop) {
    tieToArguments(loop.getBody()->getTerminator(), 0,
                   loop.getRegionIterArgs());
  });
  module.walk([](scf::WhileOp loop) {
    tieToArguments(loop.getConditionOp(), 1, loop.getBeforeArguments());
    tieToArguments(loop.getYieldOp(), 0, loop.getAfterArguments());
  });
}
