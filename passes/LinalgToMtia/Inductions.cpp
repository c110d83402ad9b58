//===- Inductions.cpp - Loop-carried sums in closed form ------------------===//
#include "passes/LinalgToMtia/Inductions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

/// `value` as another integer type, or as an index; iterations are not
/// negative.
static Value convert(OpBuilder &b, Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  if (type.isIndex() || value.getType().isIndex())
    return arith::IndexCastOp::create(b, loc, type, value);
  if (type.getIntOrFloatBitWidth() > value.getType().getIntOrFloatBitWidth())
    return arith::ExtSIOp::create(b, loc, type, value);
  return arith::TruncIOp::create(b, loc, type, value);
}

/// Iterations done before this one, at the start of the body.
static Value iterationsDone(OpBuilder &b, scf::ForOp loop) {
  Location loc = loop.getLoc();
  Value distance = loop.getInductionVar();
  if (!isZeroInteger(loop.getLowerBound()))
    distance = arith::SubIOp::create(b, loc, distance, loop.getLowerBound());
  if (isOneInteger(loop.getStep()))
    return distance;
  return arith::DivUIOp::create(b, loc, distance, loop.getStep());
}

/// What every iteration adds to `arg`, or null.
static Value amountAdded(scf::ForOp loop, BlockArgument arg) {
  if (!arg.getType().isIntOrIndex())
    return {};
  auto add =
      loop.getTiedLoopYieldedValue(arg)->get().getDefiningOp<arith::AddIOp>();
  if (!add)
    return {};
  Value amount = add.getLhs() == arg   ? add.getRhs()
                 : add.getRhs() == arg ? add.getLhs()
                                       : Value();
  return amount && loop.isDefinedOutsideOfLoop(amount) ? amount : Value();
}

static void close(OpBuilder &b, scf::ForOp loop, BlockArgument arg,
                  Value amount) {
  Location loc = loop.getLoc();
  OpOperand *yielded = loop.getTiedLoopYieldedValue(arg);
  Value steps = convert(b, loc, iterationsDone(b, loop), arg.getType());
  Value moved = arith::MulIOp::create(b, loc, steps, amount);
  Value closed =
      arith::AddIOp::create(b, loc, loop.getTiedLoopInit(arg)->get(), moved);
  arg.replaceUsesWithIf(closed, [&](OpOperand &use) {
    return use.getOwner() != yielded->get().getDefiningOp();
  });
  // Without a use after the loop, nothing is left to carry.
  if (loop.getTiedLoopResult(arg).use_empty())
    yielded->set(arg);
}

void kevolve::closeInductions(scf::ForOp loop) {
  OpBuilder b = OpBuilder::atBlockBegin(loop.getBody());
  for (BlockArgument arg : loop.getRegionIterArgs())
    if (Value amount = amountAdded(loop, arg))
      close(b, loop, arg, amount);
}
