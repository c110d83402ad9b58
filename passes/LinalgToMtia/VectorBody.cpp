//===- VectorBody.cpp - A linalg body on vectors --------------------------===//
#include "passes/LinalgToMtia/VectorBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace kevolve;

Value kevolve::toVector(OpBuilder &b, Value value, int64_t width) {
  if (isa<VectorType>(value.getType()))
    return value;
  return vector::BroadcastOp::create(
      b, value.getLoc(), VectorType::get({width}, value.getType()), value);
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

SmallVector<Value> VectorBody::position(OpBuilder &b, unsigned operand) const {
  SmallVector<Value> at;
  for (AffineExpr expr : plan.maps[operand].getResults()) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      at.push_back(indices[dim.getPosition()]);
    else
      at.push_back(arith::ConstantIndexOp::create(b, plan.op.getLoc(), 0));
  }
  return at;
}

/// 0, stride, 2 * stride, ..: where lanes lie from the first one, in elements.
Value VectorBody::laneOffsets(OpBuilder &b, unsigned operand,
                              int64_t width) const {
  SmallVector<int32_t> offsets;
  for (int64_t lane = 0; lane < width; ++lane)
    offsets.push_back(lane * plan.stride(operand, plan.vectorDim));
  return arith::ConstantOp::create(
      b, plan.op.getLoc(),
      DenseElementsAttr::get(VectorType::get({width}, b.getI32Type()),
                             ArrayRef<int32_t>(offsets)));
}

static Value allLanes(OpBuilder &b, Location loc, int64_t width) {
  return arith::ConstantOp::create(
      b, loc,
      DenseElementsAttr::get(VectorType::get({width}, b.getI1Type()), true));
}

Value VectorBody::load(OpBuilder &b, unsigned operand, int64_t width) const {
  Location loc = plan.op.getLoc();
  Value buffer = plan.operands[operand];
  auto type = dyn_cast<MemRefType>(buffer.getType());
  if (!type)
    return buffer;
  SmallVector<Value> at = position(b, operand);
  Access access = plan.access(operand, plan.vectorDim);
  if (access == Access::Uniform)
    return memref::LoadOp::create(b, loc, buffer, at);
  auto lanes = VectorType::get({width}, type.getElementType());
  if (access == Access::Contiguous)
    return vector::LoadOp::create(b, loc, lanes, buffer, at);
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(lanes));
  return vector::GatherOp::create(b, loc, lanes, buffer, at,
                                  laneOffsets(b, operand, width),
                                  allLanes(b, loc, width), zero);
}

void VectorBody::store(OpBuilder &b, unsigned operand, Value value) const {
  Location loc = plan.op.getLoc();
  Value buffer = plan.operands[operand];
  SmallVector<Value> at = position(b, operand);
  auto lanes = dyn_cast<VectorType>(value.getType());
  if (!lanes) {
    memref::StoreOp::create(b, loc, value, buffer, at);
    return;
  }
  if (plan.access(operand, plan.vectorDim) == Access::Contiguous) {
    vector::StoreOp::create(b, loc, value, buffer, at);
    return;
  }
  int64_t width = lanes.getDimSize(0);
  vector::ScatterOp::create(b, loc, TypeRange{}, buffer, at,
                            laneOffsets(b, operand, width),
                            allLanes(b, loc, width), value, IntegerAttr());
}

//===----------------------------------------------------------------------===//
// The body
//===----------------------------------------------------------------------===//

/// The loop index in every lane, as integers of type `element` or as indices.
Value VectorBody::indexLanes(OpBuilder &b, Type element, int64_t width) const {
  Location loc = plan.op.getLoc();
  Value first = indices[plan.vectorDim];
  if (!element.isIndex())
    first = arith::IndexCastOp::create(b, loc, element, first);
  auto type = VectorType::get({width}, element);
  SmallVector<Attribute> lanes;
  for (int64_t lane = 0; lane < width; ++lane)
    lanes.push_back(b.getIntegerAttr(element, lane));
  Value steps =
      arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, lanes));
  return arith::AddIOp::create(b, loc, toVector(b, first, width), steps);
}

/// Whether `op` is the index of the loop that became vectors.
static bool isLaneIndex(Operation *op, const VectorPlan &plan) {
  auto index = dyn_cast_or_null<linalg::IndexOp>(op);
  return index && index.getDim() == plan.vectorDim;
}

/// Lets multiplications and additions become one instruction, as Triton does by
/// default on every target.
static void allowContraction(Operation *op) {
  auto math = dyn_cast<arith::ArithFastMathInterface>(op);
  if (!math || !isa<arith::MulFOp, arith::AddFOp, arith::SubFOp>(op))
    return;
  arith::FastMathFlags flags = math.getFastMathFlagsAttr().getValue();
  op->setAttr(math.getFastMathAttrName(),
              arith::FastMathFlagsAttr::get(
                  op->getContext(), flags | arith::FastMathFlags::contract));
}

/// A vector divided by a number that all lanes share is multiplied by its
/// reciprocal: a division takes the vector unit as long as eight products.
/// (GPUs divide approximately, too: Triton's `/` is div.full.f32 there.)
static Value divideByScalar(OpBuilder &b, Operation &op, int64_t width,
                            const IRMapping &values) {
  auto division = dyn_cast<arith::DivFOp>(op);
  if (!division || !division.getType().isF32())
    return {};
  Value dividend = values.lookupOrDefault(division.getLhs());
  Value divisor = values.lookupOrDefault(division.getRhs());
  if (!isa<VectorType>(dividend.getType()) ||
      isa<VectorType>(divisor.getType()))
    return {};
  Location loc = division.getLoc();
  Value one = arith::ConstantOp::create(b, loc, b.getF32FloatAttr(1));
  Value reciprocal = arith::DivFOp::create(b, loc, one, divisor);
  return arith::MulFOp::create(b, loc, dividend,
                               toVector(b, reciprocal, width));
}

void VectorBody::evaluate(OpBuilder &b, int64_t width, Operation &op,
                          IRMapping &values) const {
  if (auto index = dyn_cast<linalg::IndexOp>(op)) {
    values.map(index.getResult(), isLaneIndex(&op, plan)
                                      ? indexLanes(b, b.getIndexType(), width)
                                      : indices[index.getDim()]);
    return;
  }
  // 32-bit lanes are half as wide as indices: make them directly.
  if (isa<arith::IndexCastOp>(op) &&
      isLaneIndex(op.getOperand(0).getDefiningOp(), plan)) {
    values.map(op.getResult(0),
               indexLanes(b, op.getResult(0).getType(), width));
    return;
  }
  if (Value quotient = divideByScalar(b, op, width, values)) {
    values.map(op.getResult(0), quotient);
    return;
  }
  bool uniform = llvm::none_of(op.getOperands(), [&](Value v) {
    return isa<VectorType>(values.lookupOrDefault(v).getType());
  });
  IRMapping local = values;
  if (!uniform)
    for (Value v : op.getOperands())
      local.map(v, toVector(b, values.lookupOrDefault(v), width));
  Operation *copy = b.clone(op, local);
  allowContraction(copy);
  for (auto [old, result] : llvm::zip(op.getResults(), copy->getResults())) {
    if (!uniform)
      result.setType(VectorType::get({width}, result.getType()));
    values.map(old, result);
  }
}

SmallVector<Value> VectorBody::evaluate(OpBuilder &b, int64_t width,
                                        ValueRange soFar) const {
  linalg::LinalgOp op = plan.op;
  Block *body = op.getBlock();
  IRMapping values;
  for (unsigned i = 0, e = plan.numInputs(); i < e; ++i)
    if (!body->getArgument(i).use_empty())
      values.map(body->getArgument(i), load(b, i, width));
  for (auto [arg, value] : llvm::zip(op.getRegionOutputArgs(), soFar))
    if (value)
      values.map(arg, value);
  for (Operation &nested : body->without_terminator())
    evaluate(b, width, nested, values);
  return llvm::map_to_vector(
      body->getTerminator()->getOperands(),
      [&](Value v) { return toVector(b, values.lookupOrDefault(v), width); });
}
