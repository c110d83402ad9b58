//===- ConvertReduce.cpp - tt.reduce to linalg.reduce ---------------------===//
//
// linalg.reduce needs a start value. It is, in this order: the identity of the
// combiner, if it is one known operation; the first slice, reduced with all
// slices, if combining a value with itself gives that value (maxima, minima,
// argmax and the like); otherwise the first slice, reduced with the others.
//
//===----------------------------------------------------------------------===//
#include "passes/TritonToLinalg/Conversion.h"

#include "passes/TritonToLinalg/TritonOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace kevolve::triton;

/// The operation that alone makes up the combiner, or null.
static Operation *getSingleCombiner(Block &combiner) {
  bool isSingle =
      llvm::hasNItems(combiner, 2) && combiner.getNumArguments() == 2;
  Operation *op = &combiner.front();
  if (!isSingle || op->getNumOperands() != 2 || op->getNumResults() != 1)
    return nullptr;
  bool combinesArguments = llvm::all_of(op->getOperands(), [](Value operand) {
    return isa<BlockArgument>(operand);
  });
  bool isDistinct = op->getOperand(0) != op->getOperand(1);
  bool isYielded = combiner.back().getOperand(0) == op->getResult(0);
  return combinesArguments && isDistinct && isYielded ? op : nullptr;
}

/// Whether `value` is one of the arguments `index` of either side, chosen by
/// selects and extrema whatever their conditions are.
static bool choosesArgument(Value value, unsigned index, unsigned count) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getArgNumber() % count == index;
  Operation *op = value.getDefiningOp();
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return choosesArgument(select.getTrueValue(), index, count) &&
           choosesArgument(select.getFalseValue(), index, count);
  if (!isa<arith::MaxNumFOp, arith::MinNumFOp, arith::MaximumFOp,
           arith::MinimumFOp, arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp,
           arith::MinUIOp, arith::AndIOp, arith::OrIOp>(op))
    return false;
  return choosesArgument(op->getOperand(0), index, count) &&
         choosesArgument(op->getOperand(1), index, count);
}

/// Whether combining a value with itself gives that value.
static bool isIdempotent(Block &combiner) {
  unsigned count = combiner.getNumArguments() / 2;
  for (auto [index, value] : llvm::enumerate(combiner.back().getOperands())) {
    if (value.getParentBlock() != &combiner ||
        !choosesArgument(value, index, count))
      return false;
  }
  return true;
}

/// Slices `from`, `from + 1`, ... of `source` along `dim`; a single one loses
/// the dimension.
static Value createSlices(OpBuilder &b, Location loc, Value source, int64_t dim,
                          int64_t from, int64_t count) {
  auto type = cast<RankedTensorType>(source.getType());
  SmallVector<OpFoldResult> sizes =
      getAsIndexOpFoldResult(b.getContext(), type.getShape());
  SmallVector<OpFoldResult> offsets(type.getRank(), b.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(type.getRank(), b.getIndexAttr(1));
  offsets[dim] = b.getIndexAttr(from);
  sizes[dim] = b.getIndexAttr(count);
  SmallVector<int64_t> shape(type.getShape());
  if (count == 1)
    shape.erase(shape.begin() + dim);
  else
    shape[dim] = count;
  auto result = RankedTensorType::get(shape, type.getElementType());
  return tensor::ExtractSliceOp::create(b, loc, result, source, offsets, sizes,
                                        strides);
}

namespace {
/// What goes into linalg.reduce.
struct Reduction {
  SmallVector<Value> inputs;
  SmallVector<Value> inits;
};
} // namespace

static Reduction createIdentityReduction(const OpConversion &c,
                                         ValueRange inputs, int64_t axis,
                                         TypedAttr identity) {
  SmallVector<int64_t> shape(
      cast<RankedTensorType>(inputs[0].getType()).getShape());
  shape.erase(shape.begin() + axis);
  Value scalar = arith::ConstantOp::create(c.rewriter, c.loc(), identity);
  auto type = RankedTensorType::get(shape, identity.getType());
  return {SmallVector<Value>(inputs),
          {createFilled(c.rewriter, c.loc(), type, scalar)}};
}

static Reduction createReduction(const OpConversion &c, ValueRange inputs,
                                 int64_t axis, Block &combiner) {
  Operation *single = getSingleCombiner(combiner);
  std::optional<TypedAttr> identity =
      single ? arith::getNeutralElement(single) : std::nullopt;
  if (identity)
    return createIdentityReduction(c, inputs, axis, *identity);
  int64_t size = cast<RankedTensorType>(inputs[0].getType()).getDimSize(axis);
  bool takesAll = size == 1 || isIdempotent(combiner);
  Reduction reduction;
  for (Value input : inputs) {
    reduction.inits.push_back(
        createSlices(c.rewriter, c.loc(), input, axis, 0, 1));
    reduction.inputs.push_back(
        takesAll ? input
                 : createSlices(c.rewriter, c.loc(), input, axis, 1, size - 1));
  }
  return reduction;
}

SmallVector<Value> kevolve::triton::cloneCombiner(OpBuilder &b, Block &combiner,
                                                  ValueRange before,
                                                  ValueRange elements) {
  IRMapping mapping;
  size_t count = elements.size();
  mapping.map(combiner.getArguments().take_front(count), before);
  mapping.map(combiner.getArguments().drop_front(count), elements);
  for (Operation &op :
       llvm::drop_end(combiner)) // the terminator is not registered as one
    b.clone(op, mapping);
  SmallVector<Value> results;
  for (Value result : combiner.back().getOperands())
    results.push_back(mapping.lookupOrDefault(result));
  return results;
}

/// Sums of f16 and bf16 are made in f32: one accumulator for a whole axis would
/// lose more than the tree of partial sums that the program expects.
static bool isNarrowSum(Block &combiner) {
  Operation *single = getSingleCombiner(combiner);
  return isa_and_nonnull<arith::AddFOp>(single) &&
         single->getResult(0).getType().getIntOrFloatBitWidth() < 32;
}

static Value createWideSum(const OpConversion &c, Value input, int64_t axis) {
  OpBuilder &b = c.rewriter;
  auto type = cast<RankedTensorType>(input.getType()).clone(b.getF32Type());
  Value wide = arith::ExtFOp::create(b, c.loc(), type, input);
  Reduction reduction =
      createIdentityReduction(c, wide, axis, b.getF32FloatAttr(0.0));
  auto body = [](OpBuilder &b, Location loc, ValueRange args) {
    linalg::YieldOp::create(
        b, loc, arith::AddFOp::create(b, loc, args[0], args[1]).getResult());
  };
  auto sum = linalg::ReduceOp::create(b, c.loc(), reduction.inputs,
                                      reduction.inits, axis, body);
  auto narrow = cast<RankedTensorType>(sum.getResult(0).getType())
                    .clone(cast<ShapedType>(input.getType()).getElementType());
  return arith::TruncFOp::create(b, c.loc(), narrow, sum.getResult(0));
}

static SmallVector<Value> createReduce(const OpConversion &c, int64_t axis,
                                       Block &combiner) {
  if (isNarrowSum(combiner))
    return {createWideSum(c, c.operands[0], axis)};
  Reduction reduction = createReduction(c, c.operands, axis, combiner);
  size_t count = c.operands.size();
  auto body = [&](OpBuilder &b, Location loc, ValueRange args) {
    ValueRange elements = args.take_front(count),
               before = args.drop_front(count);
    linalg::YieldOp::create(b, loc,
                            cloneCombiner(b, combiner, before, elements));
  };
  auto reduce = linalg::ReduceOp::create(c.rewriter, c.loc(), reduction.inputs,
                                         reduction.inits, axis, body);
  return SmallVector<Value>(reduce.getResults());
}

static LogicalResult convertReduce(const OpConversion &c) {
  if (c.op->getNumRegions() != 1 || !c.op->getRegion(0).hasOneBlock())
    return c.unsupported("the combiner must be one block");
  Block &combiner = c.op->getRegion(0).front();
  SmallVector<Value> results =
      createReduce(c, getInteger(c.op, "axis"), combiner);
  for (auto [index, result] : llvm::enumerate(results)) {
    if (!isa<RankedTensorType>(c.resultType(index)))
      result =
          tensor::ExtractOp::create(c.rewriter, c.loc(), result, ValueRange{});
  }
  return c.replaceWith(results);
}

void kevolve::triton::addReduceConversions(ConversionTable &table) {
  table["tt.reduce"] = convertReduce;
}
