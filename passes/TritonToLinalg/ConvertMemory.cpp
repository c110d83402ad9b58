//===- ConvertMemory.cpp - Loads and stores without a known structure -----===//
//
// What the access analysis could not raise to a strided box: tensors of
// addresses become tile.gather and tile.scatter, single pointers become
// tile.load_scalar and tile.store_scalar.
//
//===----------------------------------------------------------------------===//
#include "passes/TritonToLinalg/Conversion.h"

#include "dialects/Tile/Tile.h"
#include "passes/TritonToLinalg/TritonOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace kevolve;
using namespace kevolve::triton;

/// Without a mask the address is read; with one, only where the mask is true.
static Value createScalarLoad(const OpConversion &c, Value mask, Value other) {
  OpBuilder &b = c.rewriter;
  if (!mask)
    return tile::LoadScalarOp::create(b, c.loc(), c.resultType(),
                                      c.operands[0]);
  auto load = [&](OpBuilder &b, Location loc) {
    Value loaded =
        tile::LoadScalarOp::create(b, loc, c.resultType(), c.operands[0]);
    scf::YieldOp::create(b, loc, loaded);
  };
  auto skip = [&](OpBuilder &b, Location loc) {
    scf::YieldOp::create(
        b, loc, other ? other : createConstant(b, loc, c.resultType(), 0));
  };
  return scf::IfOp::create(b, c.loc(), mask, load, skip).getResult(0);
}

/// Values that the mask excludes are `other`, or undefined in Triton.
static Value createInit(const OpConversion &c, Value other) {
  if (other)
    return createDestination(c.rewriter, c.loc(), other);
  return createEmpty(c.rewriter, c.loc(), c.tensorType());
}

static LogicalResult convertLoad(const OpConversion &c) {
  Value mask = getMask(c, 1);
  Value other = c.operands.size() > 2 ? c.operands[2] : Value();
  if (!isa<RankedTensorType>(c.resultType()))
    return c.replaceWith(createScalarLoad(c, mask, other));
  Value init = createInit(c, other);
  return c.replaceWith(
      tile::GatherOp::create(c.rewriter, c.loc(), c.operands[0], mask, init)
          .getResult());
}

/// Runs `build` where `mask` is true, or always when there is none.
static void createIfMasked(const OpConversion &c, Value mask,
                           function_ref<void(OpBuilder &, Location)> build) {
  if (!mask)
    return build(c.rewriter, c.loc());
  scf::IfOp::create(c.rewriter, c.loc(), mask, [&](OpBuilder &b, Location loc) {
    build(b, loc);
    scf::YieldOp::create(b, loc);
  });
}

static LogicalResult convertStore(const OpConversion &c) {
  Value address = c.operands[0], value = c.operands[1];
  Value mask = getMask(c, 2);
  if (isa<RankedTensorType>(value.getType())) {
    tile::ScatterOp::create(c.rewriter, c.loc(), value, address, mask);
  } else {
    createIfMasked(c, mask, [&](OpBuilder &b, Location loc) {
      tile::StoreScalarOp::create(b, loc, value, address);
    });
  }
  c.rewriter.eraseOp(c.op);
  return success();
}

void kevolve::triton::addMemoryConversions(ConversionTable &table) {
  table["tt.load"] = convertLoad;
  table["tt.store"] = convertStore;
}
