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

/// What `value` is computed over, if it is the result of a destination style
/// operation or of a loop.
static Value getDestination(OpResult value) {
  if (auto op = dyn_cast<DestinationStyleOpInterface>(value.getOwner()))
    return op.getTiedOpOperand(value)->get();
  if (auto loop = dyn_cast<scf::ForOp>(value.getOwner()))
    return loop.getInitArgs()[value.getResultNumber()];
  return {};
}

/// Whether `value` surely ends up in the buffer of `carried`: every step
/// between them is in destination style, and nothing else uses what is written
/// over.
static bool isTied(Value value, BlockArgument carried) {
  while (value != carried) {
    auto result = dyn_cast<OpResult>(value);
    value = result ? getDestination(result) : Value();
    if (!value || !value.hasOneUse())
      return false;
  }
  return true;
}

/// A carried tensor that is yielded at another place is copied first: its own
/// place may be written before it is read.
static Value createCopyOfArgument(OpBuilder &builder, Location loc, Value value,
                                  Block *block) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != block)
    return value;
  Value empty =
      createEmpty(builder, loc, cast<RankedTensorType>(value.getType()));
  return linalg::CopyOp::create(builder, loc, value, empty).getResult(0);
}

/// Ties operands of the terminator, from `first` on, to `carried`.
static void tieToArguments(Operation *terminator, unsigned first,
                           ArrayRef<BlockArgument> carried) {
  OpBuilder builder(terminator);
  SmallVector<std::pair<OpOperand *, BlockArgument>> loose;
  for (auto [operand, argument] :
       llvm::zip(terminator->getOpOperands().drop_front(first), carried)) {
    bool isTensor = isa<RankedTensorType>(operand.get().getType());
    if (!isTensor || operand.get().getType() != argument.getType() ||
        isTied(operand.get(), argument))
      continue;
    operand.set(createCopyOfArgument(builder, terminator->getLoc(),
                                     operand.get(), terminator->getBlock()));
    loose.push_back({&operand, argument});
  }
  for (auto [operand, argument] : loose)
    operand->set(bufferization::MaterializeInDestinationOp::create(
                     builder, terminator->getLoc(), argument.getType(),
                     operand->get(), argument)
                     .getResult());
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
