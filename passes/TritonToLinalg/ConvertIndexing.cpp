//===- ConvertIndexing.cpp - Values that say where to read or count -------===//
#include "passes/TritonToLinalg/Conversion.h"

#include "passes/TritonToLinalg/TritonOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace kevolve::triton;

/// Element (i, j, ...) is read where the indices say along `axis`, and at its
/// own place along the other dimensions.
static LogicalResult convertGather(const OpConversion &c) {
  OpBuilder &b = c.rewriter;
  Value source = c.operands[0], indices = c.operands[1];
  RankedTensorType type = c.tensorType();
  int64_t axis = getInteger(c.op, "axis"), rank = type.getRank();
  auto body = [&](OpBuilder &b, Location loc, ValueRange args) {
    SmallVector<Value> position;
    for (int64_t dim = 0; dim < rank; ++dim)
      position.push_back(linalg::IndexOp::create(b, loc, dim));
    position[axis] =
        arith::IndexCastOp::create(b, loc, b.getIndexType(), args[0]);
    Value element = tensor::ExtractOp::create(b, loc, source, position);
    linalg::YieldOp::create(b, loc, element);
  };
  SmallVector<AffineMap> maps(2, b.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      b, c.loc(), TypeRange{type}, ValueRange{indices},
      ValueRange{createEmpty(b, c.loc(), type)}, maps, iterators, body);
  return c.replaceWith(generic.getResults());
}

/// Adds one to the bin of one value; out of range values and values that are
/// masked off are not counted.
static Value createCount(const OpConversion &c, OpBuilder &b, Value position,
                         Value bins) {
  Location loc = c.loc();
  auto binsType = cast<RankedTensorType>(bins.getType());
  Value value = tensor::ExtractOp::create(b, loc, c.operands[0], position);
  Value bin = arith::IndexCastUIOp::create(b, loc, b.getIndexType(), value);
  Value size = arith::ConstantIndexOp::create(b, loc, binsType.getDimSize(0));
  Value counts =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, bin, size);
  if (c.operands.size() > 1) {
    Value mask = tensor::ExtractOp::create(b, loc, c.operands[1], position);
    counts = arith::AndIOp::create(b, loc, counts, mask);
  }
  auto add = [&](OpBuilder &b, Location loc) {
    Value old = tensor::ExtractOp::create(b, loc, bins, bin);
    Value one = createConstant(b, loc, binsType.getElementType(), 1);
    Value sum = arith::AddIOp::create(b, loc, old, one);
    scf::YieldOp::create(
        b, loc, tensor::InsertOp::create(b, loc, sum, bins, bin).getResult());
  };
  auto keep = [&](OpBuilder &b, Location loc) {
    scf::YieldOp::create(b, loc, bins);
  };
  return scf::IfOp::create(b, loc, counts, add, keep).getResult(0);
}

static LogicalResult convertHistogram(const OpConversion &c) {
  OpBuilder &b = c.rewriter;
  RankedTensorType type = c.tensorType();
  int64_t size = cast<RankedTensorType>(c.operands[0].getType()).getDimSize(0);
  Value none = createFilled(
      b, c.loc(), type, createConstant(b, c.loc(), type.getElementType(), 0));
  Value zero = arith::ConstantIndexOp::create(b, c.loc(), 0);
  Value one = arith::ConstantIndexOp::create(b, c.loc(), 1);
  Value end = arith::ConstantIndexOp::create(b, c.loc(), size);
  auto body = [&](OpBuilder &b, Location loc, Value position, ValueRange bins) {
    scf::YieldOp::create(b, loc, createCount(c, b, position, bins[0]));
  };
  return c.replaceWith(
      scf::ForOp::create(b, c.loc(), zero, end, one, none, body).getResults());
}

void kevolve::triton::addIndexingConversions(ConversionTable &table) {
  table["tt.gather"] = convertGather;
  table["tt.histogram"] = convertHistogram;
}
