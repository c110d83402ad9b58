//===- ConvertElementwise.cpp - One value at a time, on scalars and tensors
//===//
//
// Results are arith and math operations on the same scalars or tensors; tensors
// become linalg.generic by upstream's convert-elementwise-to-linalg.
//
//===----------------------------------------------------------------------===//
#include "passes/TritonToLinalg/Conversion.h"

#include "passes/TritonToLinalg/TritonOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace kevolve::triton;

// Triton's numbers (TritonAttrDefs.td): RoundingMode and PropagateNan.
static constexpr int64_t kRoundTowardsZero = 0;
static constexpr int64_t kPropagateNanAll = 0xFFFF;

/// Pointers are addresses already: nothing is left to do.
static LogicalResult convertToNothing(const OpConversion &c) {
  return c.replaceWith(c.operands);
}

static LogicalResult convertBitcast(const OpConversion &c) {
  if (c.operands[0].getType() == c.resultType())
    return c.replaceWith(c.operands);
  return c.replaceWith(arith::BitcastOp::create(c.rewriter, c.loc(),
                                                c.resultType(), c.operands[0])
                           .getResult());
}

/// Adds `offset` elements to an address: offsets are signed.
static LogicalResult convertAddPtr(const OpConversion &c) {
  OpBuilder &b = c.rewriter;
  Type type = c.resultType();
  Value offset = c.operands[1];
  if (offset.getType() != type)
    offset = arith::ExtSIOp::create(b, c.loc(), type, offset);
  int64_t elementBytes =
      getSizeInBytes(getPointee(c.op->getResult(0).getType()));
  if (elementBytes != 1)
    offset = b.createOrFold<arith::MulIOp>(
        c.loc(), offset, createConstant(b, c.loc(), type, elementBytes));
  return c.replaceWith(
      b.createOrFold<arith::AddIOp>(c.loc(), c.operands[0], offset));
}

/// `type` with another element type.
static Type withElement(Type type, Type element) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped ? Type(shaped.clone(element)) : element;
}

static arith::RoundingModeAttr getRounding(const OpConversion &c) {
  bool towardsZero = getInherentAttr(c.op, "rounding") &&
                     getInteger(c.op, "rounding") == kRoundTowardsZero;
  if (!towardsZero)
    return {};
  return arith::RoundingModeAttr::get(c.op->getContext(),
                                      arith::RoundingMode::toward_zero);
}

/// bf16 is the high half of f32: rounding towards zero drops the low one, but
/// keeps a NaN whose payload is all there.
static Value createTruncatedBf16(const OpConversion &c, Value value) {
  OpBuilder &b = c.rewriter;
  Location loc = c.loc();
  Type wide = withElement(value.getType(), b.getI32Type());
  Value bits = arith::BitcastOp::create(b, loc, wide, value);
  Value isNan =
      arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, value, value);
  Value quiet = arith::OrIOp::create(b, loc, bits,
                                     createConstant(b, loc, wide, 0x400000));
  Value kept = arith::SelectOp::create(b, loc, isNan, quiet, bits);
  Value high =
      arith::ShRUIOp::create(b, loc, kept, createConstant(b, loc, wide, 16));
  Value half = arith::TruncIOp::create(
      b, loc, withElement(value.getType(), b.getI16Type()), high);
  return arith::BitcastOp::create(b, loc, c.resultType(), half);
}

/// Types of the same width (f16 and bf16, two kinds of f8) meet in f32.
static LogicalResult convertFpToFp(const OpConversion &c) {
  OpBuilder &b = c.rewriter;
  Value value = c.operands[0];
  Type type = c.resultType();
  unsigned from = getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth();
  unsigned to = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  if (value.getType() == type)
    return c.replaceWith(value);
  if (from < to)
    return c.replaceWith(
        arith::ExtFOp::create(b, c.loc(), type, value).getResult());
  if (getRounding(c) && getElementTypeOrSelf(value).isF32() &&
      getElementTypeOrSelf(type).isBF16())
    return c.replaceWith(createTruncatedBf16(c, value));
  if (from == to)
    value = arith::ExtFOp::create(b, c.loc(), withElement(type, b.getF32Type()),
                                  value);
  return c.replaceWith(
      arith::TruncFOp::create(b, c.loc(), type, value, getRounding(c), nullptr)
          .getResult());
}

static LogicalResult convertClampF(const OpConversion &c) {
  OpBuilder &b = c.rewriter;
  Value x = c.operands[0], low = c.operands[1], high = c.operands[2];
  if (getInteger(c.op, "propagateNan") == kPropagateNanAll) {
    Value raised = arith::MaximumFOp::create(b, c.loc(), x, low);
    return c.replaceWith(
        arith::MinimumFOp::create(b, c.loc(), raised, high).getResult());
  }
  Value raised = arith::MaxNumFOp::create(b, c.loc(), x, low);
  return c.replaceWith(
      arith::MinNumFOp::create(b, c.loc(), raised, high).getResult());
}

static LogicalResult convertSqrt(const OpConversion &c) {
  return c.replaceWith(
      math::SqrtOp::create(c.rewriter, c.loc(), c.operands[0]).getResult());
}

static LogicalResult convertDivF(const OpConversion &c) {
  return c.replaceWith(
      arith::DivFOp::create(c.rewriter, c.loc(), c.operands[0], c.operands[1])
          .getResult());
}

/// The high half of the product, by way of integers of twice the width.
static LogicalResult convertMulHi(const OpConversion &c) {
  OpBuilder &b = c.rewriter;
  Type type = c.resultType();
  unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  if (width > 32) {
    auto product = arith::MulUIExtendedOp::create(b, c.loc(), c.operands[0],
                                                  c.operands[1]);
    return c.replaceWith(product.getHigh());
  }
  Type wide = withElement(type, b.getIntegerType(2 * width));
  Value x = arith::ExtUIOp::create(b, c.loc(), wide, c.operands[0]);
  Value y = arith::ExtUIOp::create(b, c.loc(), wide, c.operands[1]);
  Value product = arith::MulIOp::create(b, c.loc(), x, y);
  Value high = arith::ShRUIOp::create(b, c.loc(), product,
                                      createConstant(b, c.loc(), wide, width));
  return c.replaceWith(
      arith::TruncIOp::create(b, c.loc(), type, high).getResult());
}

void kevolve::triton::addElementwiseConversions(ConversionTable &table) {
  table["tt.int_to_ptr"] = convertToNothing;
  table["tt.ptr_to_int"] = convertToNothing;
  table["tt.bitcast"] = convertBitcast;
  table["tt.addptr"] = convertAddPtr;
  table["tt.fp_to_fp"] = convertFpToFp;
  table["tt.clampf"] = convertClampF;
  table["tt.precise_sqrt"] = convertSqrt;
  table["tt.precise_divf"] = convertDivF;
  table["tt.approx_divf"] = convertDivF;
  table["tt.mulhiui"] = convertMulHi;
}
