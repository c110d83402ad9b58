//===- ConvertShape.cpp - Operations that move values between shapes ------===//
#include "passes/TritonToLinalg/Conversion.h"

#include "passes/TritonToLinalg/TritonOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"

using namespace mlir;
using namespace kevolve::triton;

static LogicalResult convertSplat(const OpConversion &c) {
  return c.replaceWith(
      createFilled(c.rewriter, c.loc(), c.tensorType(), c.operands[0]));
}

static LogicalResult convertUnsplat(const OpConversion &c) {
  int64_t rank = cast<RankedTensorType>(c.operands[0].getType()).getRank();
  Value zero = arith::ConstantIndexOp::create(c.rewriter, c.loc(), 0);
  SmallVector<Value> indices(rank, zero);
  return c.replaceWith(
      tensor::ExtractOp::create(c.rewriter, c.loc(), c.operands[0], indices)
          .getResult());
}

static LogicalResult convertMakeRange(const OpConversion &c) {
  RankedTensorType type = c.tensorType();
  Value start = createConstant(c.rewriter, c.loc(), type.getElementType(),
                               getInteger(c.op, "start"));
  auto body = [&](OpBuilder &b, Location loc, ValueRange) {
    Value index = linalg::IndexOp::create(b, loc, 0);
    Value lane =
        arith::IndexCastOp::create(b, loc, type.getElementType(), index);
    Value value = b.createOrFold<arith::AddIOp>(loc, lane, start);
    linalg::YieldOp::create(b, loc, value);
  };
  SmallVector<AffineMap> maps = {c.rewriter.getMultiDimIdentityMap(1)};
  auto generic = linalg::GenericOp::create(
      c.rewriter, c.loc(), TypeRange{type}, ValueRange{},
      ValueRange{createEmpty(c.rewriter, c.loc(), type)}, maps,
      ArrayRef<utils::IteratorType>{utils::IteratorType::parallel}, body);
  return c.replaceWith(generic.getResults());
}

/// `value` with another shape of as many elements, in row-major order.
static Value createReshape(OpBuilder &builder, Location loc, Value value,
                           RankedTensorType type) {
  auto source = cast<RankedTensorType>(value.getType());
  if (source == type)
    return value;
  if (auto groups = getReassociationIndicesForReshape(source, type)) {
    if (source.getRank() > type.getRank())
      return tensor::CollapseShapeOp::create(builder, loc, type, value,
                                             *groups);
    return tensor::ExpandShapeOp::create(builder, loc, type, value, *groups);
  }
  auto flat =
      RankedTensorType::get({source.getNumElements()}, source.getElementType());
  Value flattened = createReshape(builder, loc, value, flat);
  return createReshape(builder, loc, flattened, type);
}

static LogicalResult convertReshape(const OpConversion &c) {
  return c.replaceWith(
      createReshape(c.rewriter, c.loc(), c.operands[0], c.tensorType()));
}

/// Each dimension of size one that grows is dropped first, then added again by
/// linalg.broadcast.
static LogicalResult convertBroadcast(const OpConversion &c) {
  auto source = cast<RankedTensorType>(c.operands[0].getType());
  RankedTensorType type = c.tensorType();
  SmallVector<int64_t> added, kept;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (source.getDimSize(dim) != type.getDimSize(dim))
      added.push_back(dim);
    else
      kept.push_back(source.getDimSize(dim));
  }
  if (added.empty())
    return c.replaceWith(c.operands[0]);
  auto narrow = RankedTensorType::get(kept, source.getElementType());
  Value dropped = createReshape(c.rewriter, c.loc(), c.operands[0], narrow);
  Value empty = createEmpty(c.rewriter, c.loc(), type);
  return c.replaceWith(
      linalg::BroadcastOp::create(c.rewriter, c.loc(), dropped, empty, added)
          ->getResults());
}

static LogicalResult convertTrans(const OpConversion &c) {
  auto order =
      dyn_cast_or_null<DenseI32ArrayAttr>(getInherentAttr(c.op, "order"));
  if (!order)
    return c.unsupported("without an order");
  SmallVector<int64_t> permutation(order.asArrayRef());
  Value empty = createEmpty(c.rewriter, c.loc(), c.tensorType());
  return c.replaceWith(linalg::TransposeOp::create(c.rewriter, c.loc(),
                                                   c.operands[0], empty,
                                                   permutation)
                           ->getResults());
}

/// Puts `parts` into a new tensor, one for each index of `dim`. Parts have the
/// rank of the result, or lack the dimension when `dropsDim` is set.
static Value createInserts(OpBuilder &builder, Location loc,
                           RankedTensorType type, ValueRange parts,
                           int64_t dim) {
  Value result = createEmpty(builder, loc, type);
  int64_t partSize = type.getDimSize(dim) / parts.size();
  SmallVector<OpFoldResult> sizes =
      getAsIndexOpFoldResult(builder.getContext(), type.getShape());
  SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(type.getRank(), builder.getIndexAttr(1));
  sizes[dim] = builder.getIndexAttr(partSize);
  for (auto [number, part] : llvm::enumerate(parts)) {
    offsets[dim] = builder.getIndexAttr(number * partSize);
    result = tensor::InsertSliceOp::create(builder, loc, part, result, offsets,
                                           sizes, strides);
  }
  return result;
}

static LogicalResult convertCat(const OpConversion &c) {
  return c.replaceWith(
      createInserts(c.rewriter, c.loc(), c.tensorType(), c.operands, 0));
}

static LogicalResult convertJoin(const OpConversion &c) {
  RankedTensorType type = c.tensorType();
  return c.replaceWith(
      createInserts(c.rewriter, c.loc(), type, c.operands, type.getRank() - 1));
}

static LogicalResult convertSplit(const OpConversion &c) {
  auto source = cast<RankedTensorType>(c.operands[0].getType());
  int64_t last = source.getRank() - 1;
  OpBuilder &b = c.rewriter;
  SmallVector<OpFoldResult> sizes =
      getAsIndexOpFoldResult(b.getContext(), source.getShape());
  SmallVector<OpFoldResult> offsets(source.getRank(), b.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(source.getRank(), b.getIndexAttr(1));
  sizes[last] = b.getIndexAttr(1);
  SmallVector<Value> halves;
  for (int64_t half : {0, 1}) {
    offsets[last] = b.getIndexAttr(half);
    halves.push_back(
        tensor::ExtractSliceOp::create(b, c.loc(), c.tensorType(half),
                                       c.operands[0], offsets, sizes, strides));
  }
  return c.replaceWith(halves);
}

void kevolve::triton::addShapeConversions(ConversionTable &table) {
  table["tt.splat"] = convertSplat;
  table["tt.unsplat"] = convertUnsplat;
  table["tt.make_range"] = convertMakeRange;
  table["tt.expand_dims"] = convertReshape;
  table["tt.reshape"] = convertReshape;
  table["tt.broadcast"] = convertBroadcast;
  table["tt.trans"] = convertTrans;
  table["tt.cat"] = convertCat;
  table["tt.join"] = convertJoin;
  table["tt.split"] = convertSplit;
}
