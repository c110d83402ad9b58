//===- MaskAnalysis.cpp - Masks that are boxes ----------------------------===//
#include "passes/TritonToLinalg/AccessAnalysis.h"

#include "passes/TritonToLinalg/TritonOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kevolve::triton;

using Box = std::optional<MaskBox>;

static MaskBox getWholeBox(int64_t rank) {
  return {SmallVector<Value>(rank), SmallVector<Value>(rank), Value()};
}

std::optional<MaskBox> MaskAnalysis::getBox(Value mask) {
  auto type = dyn_cast<RankedTensorType>(mask.getType());
  if (!type || !type.getElementType().isInteger(1))
    return std::nullopt;
  Operation *op = mask.getDefiningOp();
  Box box = op ? computeBox(op, type) : std::nullopt;
  if (box)
    return box;
  std::optional<AccessForm> form = accesses.getForm(mask);
  if (!form || !form->isUniform())
    return std::nullopt;
  MaskBox whole = getWholeBox(type.getRank());
  builder.setInsertionPointAfterValue(mask);
  whole.condition =
      ScalarMath{builder, mask.getLoc()}.orZero(form->base, form->element);
  return whole;
}

std::optional<MaskBox> MaskAnalysis::computeBox(Operation *op,
                                                RankedTensorType type) {
  if (isa<arith::AndIOp>(op))
    return computeIntersection(op);
  if (isa<arith::CmpIOp>(op))
    return computeComparison(op, type.getRank());
  if (isOp(op, "tt.broadcast"))
    return getBox(op->getOperand(0)); // dimensions that grow are not restricted
  if (isOp(op, "tt.expand_dims") || isOp(op, "tt.reshape"))
    return computeReshape(op, type);
  if (isOp(op, "tt.trans"))
    return computeTrans(op);
  return std::nullopt;
}

template <typename Choose>
static Value chooseBound(OpBuilder &builder, Location loc, Value a, Value b) {
  if (!a || !b)
    return a ? a : b;
  return builder.createOrFold<Choose>(loc, a, b);
}

std::optional<MaskBox> MaskAnalysis::computeIntersection(Operation *op) {
  Box a = getBox(op->getOperand(0)), b = getBox(op->getOperand(1));
  if (!a || !b)
    return std::nullopt;
  builder.setInsertionPointAfter(op);
  Location loc = op->getLoc();
  MaskBox both = getWholeBox(a->lower.size());
  for (size_t dim = 0; dim < both.lower.size(); ++dim) {
    both.lower[dim] =
        chooseBound<arith::MaxSIOp>(builder, loc, a->lower[dim], b->lower[dim]);
    both.upper[dim] =
        chooseBound<arith::MinSIOp>(builder, loc, a->upper[dim], b->upper[dim]);
  }
  both.condition =
      chooseBound<arith::AndIOp>(builder, loc, a->condition, b->condition);
  return both;
}

namespace {
/// `stride * i <predicate> threshold` along one dimension; `threshold` is i64.
struct Comparison {
  arith::CmpIPredicate predicate;
  int64_t dim;
  int64_t stride;
  Value threshold;
};
} // namespace

/// The dimension in which two forms differ and by how much, if it is one and a
/// constant.
static std::optional<std::pair<int64_t, int64_t>>
getDifference(const AccessForm &left, const AccessForm &right) {
  std::optional<std::pair<int64_t, int64_t>> found;
  for (auto [dim, pair] :
       llvm::enumerate(llvm::zip(left.strides, right.strides))) {
    auto [a, b] = pair;
    if (isSameScalar(a, b))
      continue;
    std::optional<int64_t> leftStride = getConstant(a),
                           rightStride = getConstant(b);
    if (found || !leftStride || !rightStride)
      return std::nullopt;
    found = {static_cast<int64_t>(dim), *leftStride - *rightStride};
  }
  return found;
}

/// `-a < b` is `a > -b`.
static void makeStridePositive(ScalarMath math, Comparison &comparison) {
  if (comparison.stride > 0)
    return;
  comparison.stride = -comparison.stride;
  comparison.threshold = math.subtract(Value(), comparison.threshold);
  switch (comparison.predicate) {
  case arith::CmpIPredicate::slt:
    comparison.predicate = arith::CmpIPredicate::sgt;
    break;
  case arith::CmpIPredicate::sle:
    comparison.predicate = arith::CmpIPredicate::sge;
    break;
  case arith::CmpIPredicate::sgt:
    comparison.predicate = arith::CmpIPredicate::slt;
    break;
  case arith::CmpIPredicate::sge:
    comparison.predicate = arith::CmpIPredicate::sle;
    break;
  default:
    break;
  }
}

/// floor(value / stride) for a power of two.
static Value divideDown(ScalarMath math, Value value, int64_t stride) {
  if (!value || stride == 1)
    return value;
  Value amount = math.constant(value.getType(), llvm::Log2_64(stride));
  return math.builder.createOrFold<arith::ShRSIOp>(math.loc, value, amount);
}

/// First index with `stride * i >= threshold`.
static Value firstNotBelow(ScalarMath math, const Comparison &c, Type type) {
  Value raised = math.add(c.threshold, math.constant(type, c.stride - 1));
  return math.orZero(divideDown(math, raised, c.stride), type);
}

/// First index with `stride * i > threshold`.
static Value firstAbove(ScalarMath math, const Comparison &c, Type type) {
  Value floor = divideDown(math, c.threshold, c.stride);
  return math.orZero(math.add(floor, math.constant(type, 1)), type);
}

static Box getComparisonBox(ScalarMath math, const Comparison &c,
                            int64_t rank) {
  Type type = math.builder.getI64Type();
  MaskBox box = getWholeBox(rank);
  switch (c.predicate) {
  case arith::CmpIPredicate::slt:
    box.upper[c.dim] = firstNotBelow(math, c, type);
    return box;
  case arith::CmpIPredicate::sle:
    box.upper[c.dim] = firstAbove(math, c, type);
    return box;
  case arith::CmpIPredicate::sge:
    box.lower[c.dim] = firstNotBelow(math, c, type);
    return box;
  case arith::CmpIPredicate::sgt:
    box.lower[c.dim] = firstAbove(math, c, type);
    return box;
  case arith::CmpIPredicate::eq:
    box.lower[c.dim] = firstNotBelow(math, c, type);
    box.upper[c.dim] = firstAbove(math, c, type);
    return box;
  default: // `!=` is two boxes; unsigned comparisons may wrap around
    return std::nullopt;
  }
}

/// Comparisons of forms that differ along one dimension, by a constant stride
/// that is a power of two (nearly always one).
std::optional<MaskBox> MaskAnalysis::computeComparison(Operation *op,
                                                       int64_t rank) {
  std::optional<AccessForm> left = accesses.getForm(op->getOperand(0));
  std::optional<AccessForm> right = accesses.getForm(op->getOperand(1));
  if (!left || !right)
    return std::nullopt;
  auto difference = getDifference(*left, *right);
  if (!difference || !llvm::isPowerOf2_64(std::abs(difference->second)))
    return std::nullopt;
  builder.setInsertionPointAfter(op);
  ScalarMath math{builder, op->getLoc()};
  Type wide = builder.getI64Type();
  Value threshold = math.subtract(math.resize(right->base, wide),
                                  math.resize(left->base, wide));
  Comparison comparison = {cast<arith::CmpIOp>(op).getPredicate(),
                           difference->first, difference->second, threshold};
  makeStridePositive(math, comparison);
  return getComparisonBox(math, comparison, rank);
}

std::optional<MaskBox> MaskAnalysis::computeReshape(Operation *op,
                                                    RankedTensorType type) {
  auto from = cast<RankedTensorType>(op->getOperand(0).getType());
  auto matches = matchDimensions(from.getShape(), type.getShape());
  Box source = getBox(op->getOperand(0));
  if (!source || !matches)
    return std::nullopt;
  MaskBox box = getWholeBox(type.getRank());
  box.condition = source->condition;
  for (auto [dim, match] : llvm::enumerate(*matches)) {
    if (match < 0)
      continue;
    box.lower[dim] = source->lower[match];
    box.upper[dim] = source->upper[match];
  }
  return box;
}

std::optional<MaskBox> MaskAnalysis::computeTrans(Operation *op) {
  Box source = getBox(op->getOperand(0));
  auto order =
      dyn_cast_or_null<DenseI32ArrayAttr>(getInherentAttr(op, "order"));
  if (!source || !order)
    return std::nullopt;
  MaskBox box = getWholeBox(source->lower.size());
  box.condition = source->condition;
  for (auto [dim, from] : llvm::enumerate(order.asArrayRef())) {
    box.lower[dim] = source->lower[from];
    box.upper[dim] = source->upper[from];
  }
  return box;
}
