//===- ConvertScan.cpp - tt.scan to a loop over the axis ------------------===//
//
// The loop carries one slice (what was combined so far) and one result for each
// operand. Slices are combined by linalg.map, so that other axes stay parallel.
//
//===----------------------------------------------------------------------===//
#include "passes/TritonToLinalg/Conversion.h"

#include "passes/TritonToLinalg/TritonOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace kevolve::triton;

namespace {
/// Where along the axis the loop is.
struct ScanAxis {
  int64_t dim;
  int64_t size;
  bool isReversed;
};

/// One slice of a tensor, without the axis.
struct Slice {
  RankedTensorType type;
  SmallVector<OpFoldResult> offsets, sizes, strides;
};
} // namespace

static Slice getSlice(OpBuilder &b, RankedTensorType type, int64_t dim,
                      OpFoldResult position) {
  Slice slice;
  SmallVector<int64_t> shape(type.getShape());
  slice.sizes = getAsIndexOpFoldResult(b.getContext(), shape);
  slice.offsets.assign(type.getRank(), b.getIndexAttr(0));
  slice.strides.assign(type.getRank(), b.getIndexAttr(1));
  slice.offsets[dim] = position;
  slice.sizes[dim] = b.getIndexAttr(1);
  shape.erase(shape.begin() + dim);
  slice.type = RankedTensorType::get(shape, type.getElementType());
  return slice;
}

static SmallVector<Value> extractSlices(OpBuilder &b, Location loc,
                                        ValueRange sources, int64_t dim,
                                        OpFoldResult position) {
  return llvm::map_to_vector(sources, [&](Value source) -> Value {
    Slice slice =
        getSlice(b, cast<RankedTensorType>(source.getType()), dim, position);
    return tensor::ExtractSliceOp::create(
        b, loc, slice.type, source, slice.offsets, slice.sizes, slice.strides);
  });
}

static SmallVector<Value> insertSlices(OpBuilder &b, Location loc,
                                       ValueRange parts, ValueRange targets,
                                       int64_t dim, OpFoldResult position) {
  return llvm::map_to_vector(
      llvm::zip(parts, targets), [&](auto pair) -> Value {
        auto [part, target] = pair;
        Slice slice = getSlice(b, cast<RankedTensorType>(target.getType()), dim,
                               position);
        return tensor::InsertSliceOp::create(
            b, loc, part, target, slice.offsets, slice.sizes, slice.strides);
      });
}

/// Combines slices element by element.
static SmallVector<Value> combineSlices(OpBuilder &b, Location loc,
                                        Block &combiner, ValueRange before,
                                        ValueRange elements) {
  size_t count = elements.size();
  SmallVector<Value> inputs(before), inits;
  llvm::append_range(inputs, elements);
  for (Value element : elements)
    inits.push_back(
        createEmpty(b, loc, cast<RankedTensorType>(element.getType())));
  int64_t rank = cast<RankedTensorType>(elements[0].getType()).getRank();
  SmallVector<AffineMap> maps(3 * count, b.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  auto body = [&](OpBuilder &b, Location loc, ValueRange args) {
    SmallVector<Value> results = cloneCombiner(
        b, combiner, args.take_front(count), args.slice(count, count));
    linalg::YieldOp::create(b, loc, results);
  };
  auto generic =
      linalg::GenericOp::create(b, loc, ValueRange(inits).getTypes(), inputs,
                                inits, maps, iterators, body);
  return SmallVector<Value>(generic.getResults());
}

/// Position `step` steps from where the scan starts.
static Value createPosition(OpBuilder &b, Location loc, ScanAxis axis,
                            Value step) {
  if (!axis.isReversed)
    return step;
  Value last = arith::ConstantIndexOp::create(b, loc, axis.size - 1);
  return arith::SubIOp::create(b, loc, last, step);
}

static SmallVector<Value> createScan(const OpConversion &c, ScanAxis axis,
                                     Block &combiner) {
  OpBuilder &b = c.rewriter;
  size_t count = c.operands.size();
  OpFoldResult first = b.getIndexAttr(axis.isReversed ? axis.size - 1 : 0);
  SmallVector<Value> carried =
      extractSlices(b, c.loc(), c.operands, axis.dim, first);
  SmallVector<Value> results;
  for (Value operand : c.operands)
    results.push_back(
        createEmpty(b, c.loc(), cast<RankedTensorType>(operand.getType())));
  llvm::append_range(
      carried, insertSlices(b, c.loc(), carried, results, axis.dim, first));
  Value one = arith::ConstantIndexOp::create(b, c.loc(), 1);
  Value size = arith::ConstantIndexOp::create(b, c.loc(), axis.size);
  auto body = [&](OpBuilder &b, Location loc, Value step, ValueRange args) {
    Value position = createPosition(b, loc, axis, step);
    SmallVector<Value> elements =
        extractSlices(b, loc, c.operands, axis.dim, position);
    SmallVector<Value> next =
        combineSlices(b, loc, combiner, args.take_front(count), elements);
    llvm::append_range(next, insertSlices(b, loc, next, args.drop_front(count),
                                          axis.dim, position));
    scf::YieldOp::create(b, loc, next);
  };
  auto loop = scf::ForOp::create(b, c.loc(), one, size, one, carried, body);
  return SmallVector<Value>(loop.getResults().drop_front(count));
}

static LogicalResult convertScan(const OpConversion &c) {
  if (c.op->getNumRegions() != 1 || !c.op->getRegion(0).hasOneBlock())
    return c.unsupported("the combiner must be one block");
  auto reverse = dyn_cast_or_null<BoolAttr>(getInherentAttr(c.op, "reverse"));
  int64_t dim = getInteger(c.op, "axis");
  ScanAxis axis = {dim, c.tensorType().getDimSize(dim),
                   reverse && reverse.getValue()};
  return c.replaceWith(createScan(c, axis, c.op->getRegion(0).front()));
}

void kevolve::triton::addScanConversions(ConversionTable &table) {
  table["tt.scan"] = convertScan;
}
