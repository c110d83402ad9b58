//===- AccessForm.cpp - A scalar plus a stride for each dimension ---------===//
#include "passes/TritonToLinalg/AccessForm.h"

#include "passes/TritonToLinalg/Conversion.h"
#include "passes/TritonToLinalg/TritonOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace kevolve::triton;

std::optional<int64_t> kevolve::triton::getConstant(Value value) {
  if (!value)
    return 0;
  APInt constant;
  if (!matchPattern(value, m_ConstantInt(&constant)))
    return std::nullopt;
  return constant.getSExtValue();
}

bool kevolve::triton::isSameScalar(Value a, Value b) {
  if (a == b)
    return true;
  std::optional<int64_t> left = getConstant(a), right = getConstant(b);
  return left && right && *left == *right;
}

bool kevolve::triton::hasSameStrides(const AccessForm &a, const AccessForm &b) {
  return a.element == b.element &&
         llvm::equal(a.strides, b.strides, isSameScalar);
}

/// Null for a constant zero.
static Value normalized(Value value) {
  return getConstant(value) == std::optional<int64_t>(0) ? Value() : value;
}

Value ScalarMath::add(Value a, Value b) {
  if (!a || !b)
    return a ? a : b;
  return normalized(builder.createOrFold<arith::AddIOp>(loc, a, b));
}

Value ScalarMath::subtract(Value a, Value b) {
  if (!b)
    return a;
  return normalized(
      builder.createOrFold<arith::SubIOp>(loc, orZero(a, b.getType()), b));
}

Value ScalarMath::multiply(Value a, Value b) {
  if (!a || !b)
    return {};
  return normalized(builder.createOrFold<arith::MulIOp>(loc, a, b));
}

Value ScalarMath::multiply(Value a, int64_t factor) {
  return a ? multiply(a, constant(a.getType(), factor)) : a;
}

Value ScalarMath::resize(Value value, Type type) {
  if (!value || value.getType() == type)
    return value;
  if (value.getType().getIntOrFloatBitWidth() < type.getIntOrFloatBitWidth())
    return normalized(builder.createOrFold<arith::ExtSIOp>(loc, type, value));
  return normalized(builder.createOrFold<arith::TruncIOp>(loc, type, value));
}

Value ScalarMath::constant(Type type, int64_t value) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getIntegerAttr(type, value));
}

Value ScalarMath::orZero(Value value, Type type) {
  return value ? value : constant(type, 0);
}

OpFoldResult ScalarMath::index(Value value) {
  if (std::optional<int64_t> known = getConstant(value))
    return builder.getIndexAttr(*known);
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(), value)
      .getResult();
}

/// `base + sum of i_d * strides[d]` inside of a linalg.generic.
static Value createElement(OpBuilder &builder, Location loc,
                           const AccessForm &form) {
  ScalarMath math{builder, loc};
  Value element = form.base;
  for (auto [dim, stride] : llvm::enumerate(form.strides)) {
    if (!stride)
      continue;
    Value index = linalg::IndexOp::create(builder, loc, dim);
    Value position =
        arith::IndexCastOp::create(builder, loc, form.element, index);
    element = math.add(element, math.multiply(position, stride));
  }
  return math.orZero(element, form.element);
}

static Value createIntegers(OpBuilder &builder, Location loc,
                            const AccessForm &form, RankedTensorType type) {
  if (form.isUniform())
    return createFilled(
        builder, loc, type,
        ScalarMath{builder, loc}.orZero(form.base, form.element));
  SmallVector<AffineMap> maps = {
      builder.getMultiDimIdentityMap(type.getRank())};
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  auto body = [&](OpBuilder &b, Location loc, ValueRange) {
    linalg::YieldOp::create(b, loc, createElement(b, loc, form));
  };
  Value empty = createEmpty(builder, loc, type);
  return linalg::GenericOp::create(builder, loc, TypeRange{type}, ValueRange{},
                                   ValueRange{empty}, maps, iterators, body)
      .getResult(0);
}

Value kevolve::triton::createTensor(OpBuilder &builder, Location loc,
                                    const AccessForm &form,
                                    RankedTensorType type) {
  if (!isPointerLike(type))
    return createIntegers(builder, loc, form, type);
  Value addresses =
      createIntegers(builder, loc, form, type.clone(form.element));
  OperationState state(loc, "tt.int_to_ptr", addresses, TypeRange{type});
  return builder.create(state)->getResult(0);
}
