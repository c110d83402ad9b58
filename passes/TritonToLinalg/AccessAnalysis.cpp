//===- AccessAnalysis.cpp - The form of integer and pointer tensors -------===//
#include "passes/TritonToLinalg/AccessAnalysis.h"

#include "passes/TritonToLinalg/TritonOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace kevolve::triton;

// Elements of a tile are taken not to wrap around in integers of at least this
// width; narrower ones (i8, i16) are expected to.
static constexpr unsigned kMinIndexBits = 32;

/// Type of the scalars of a form; null if tensors of `type` have none.
static Type getFormElement(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return {};
  if (isPointerLike(tensor))
    return IntegerType::get(type.getContext(), 64);
  return isa<IntegerType>(tensor.getElementType()) ? tensor.getElementType()
                                                   : Type();
}

static bool mayWrapInTile(const AccessForm &form) {
  return !form.isUniform() &&
         form.element.getIntOrFloatBitWidth() < kMinIndexBits;
}

std::optional<AccessForm> AccessAnalysis::getForm(Value tensor) {
  auto known = forms.find(tensor);
  if (known != forms.end())
    return known->second;
  Result form;
  if (getFormElement(tensor.getType()))
    form = computeForm(tensor);
  if (form && mayWrapInTile(*form))
    form = std::nullopt;
  return forms[tensor] = form;
}

ScalarMath AccessAnalysis::mathAfter(Operation *op) {
  builder.setInsertionPointAfter(op);
  return {builder, op->getLoc()};
}

std::optional<AccessForm> AccessAnalysis::computeForm(Value tensor) {
  Operation *op = tensor.getDefiningOp();
  auto loop = dyn_cast_or_null<scf::ForOp>(
      op ? op : tensor.getParentBlock()->getParentOp());
  if (loop) {
    resolveAround(loop);
    auto known = forms.find(tensor);
    return known == forms.end() ? Result() : known->second;
  }
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!op)
    return std::nullopt;
  return isTritonOp(op) ? computeTritonForm(op, type)
                        : computeArithForm(op, type);
}

std::optional<AccessForm>
AccessAnalysis::computeTritonForm(Operation *op, RankedTensorType type) {
  StringRef name = op->getName().getStringRef();
  if (name == "tt.splat")
    return computeSplat(op, type);
  if (name == "tt.make_range")
    return computeRange(op, type);
  if (name == "tt.broadcast")
    return computeBroadcast(op, type);
  if (name == "tt.expand_dims" || name == "tt.reshape")
    return computeReshape(op, type);
  if (name == "tt.trans")
    return computeTrans(op, type);
  if (name == "tt.addptr")
    return computeAddPtr(op);
  bool changesOnlyType = name == "tt.int_to_ptr" || name == "tt.ptr_to_int" ||
                         (name == "tt.bitcast" && isPointerLike(type));
  return changesOnlyType ? getForm(op->getOperand(0)) : Result();
}

std::optional<AccessForm>
AccessAnalysis::computeArithForm(Operation *op, RankedTensorType type) {
  Result form =
      TypeSwitch<Operation *, Result>(op)
          .Case([&](arith::AddIOp) { return computeSum(op, false); })
          .Case([&](arith::SubIOp) { return computeSum(op, true); })
          .Case([&](arith::MulIOp) { return computeProduct(op); })
          .Case([&](arith::ShLIOp) { return computeShift(op); })
          .Case<arith::ExtSIOp, arith::TruncIOp>(
              [&](auto) { return computeResize(op, type); })
          .Case([&](arith::ExtUIOp) { return computeZeroExtension(op, type); })
          .Default(Result());
  return form ? form : computeUniform(op, type);
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

std::optional<AccessForm> AccessAnalysis::computeSplat(Operation *op,
                                                       RankedTensorType type) {
  Value scalar = op->getOperand(0);
  if (isPointer(scalar.getType())) {
    builder.setInsertionPointAfter(op);
    OperationState state(op->getLoc(), "tt.ptr_to_int", scalar,
                         TypeRange{builder.getI64Type()});
    scalar = builder.create(state)->getResult(0);
  }
  return AccessForm{scalar.getType(), scalar,
                    SmallVector<Value>(type.getRank())};
}

std::optional<AccessForm> AccessAnalysis::computeRange(Operation *op,
                                                       RankedTensorType type) {
  ScalarMath math = mathAfter(op);
  Type element = type.getElementType();
  int64_t start = getInteger(op, "start");
  Value base = start ? math.constant(element, start) : Value();
  Value stride = type.getDimSize(0) > 1 ? math.constant(element, 1) : Value();
  return AccessForm{element, base, {stride}};
}

std::optional<AccessForm> AccessAnalysis::computeBroadcast(Operation *op,
                                                           RankedTensorType) {
  // Dimensions of size one have no stride, so they are the same when they grow.
  return getForm(op->getOperand(0));
}

std::optional<SmallVector<int64_t>>
kevolve::triton::matchDimensions(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  SmallVector<int64_t> matches;
  size_t next = 0;
  auto skipOnes = [&] {
    while (next < from.size() && from[next] == 1)
      ++next;
  };
  for (int64_t size : to) {
    skipOnes();
    if (size == 1) {
      matches.push_back(-1);
      continue;
    }
    if (next == from.size() || from[next] != size)
      return std::nullopt;
    matches.push_back(next++);
  }
  skipOnes();
  if (next != from.size())
    return std::nullopt;
  return matches;
}

/// Dimensions of size one come and go; one dimension may become several.
std::optional<AccessForm>
AccessAnalysis::computeReshape(Operation *op, RankedTensorType type) {
  Result source = getForm(op->getOperand(0));
  if (!source)
    return std::nullopt;
  SmallVector<Value> strides(type.getRank());
  auto from = cast<RankedTensorType>(op->getOperand(0).getType());
  if (auto matches = matchDimensions(from.getShape(), type.getShape())) {
    for (auto [stride, match] : llvm::zip(strides, *matches))
      stride = match < 0 ? Value() : source->strides[match];
    return AccessForm{source->element, source->base, strides};
  }
  if (source->isUniform())
    return AccessForm{source->element, source->base, strides};
  if (from.getRank() != 1)
    return std::nullopt;
  ScalarMath math = mathAfter(op);
  int64_t elements = 1;
  for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
    if (type.getDimSize(dim) > 1)
      strides[dim] = math.multiply(source->strides[0], elements);
    elements *= type.getDimSize(dim);
  }
  return AccessForm{source->element, source->base, strides};
}

std::optional<AccessForm> AccessAnalysis::computeTrans(Operation *op,
                                                       RankedTensorType) {
  Result source = getForm(op->getOperand(0));
  auto order =
      dyn_cast_or_null<DenseI32ArrayAttr>(getInherentAttr(op, "order"));
  if (!source || !order)
    return std::nullopt;
  SmallVector<Value> strides;
  for (int32_t dim : order.asArrayRef())
    strides.push_back(source->strides[dim]);
  return AccessForm{source->element, source->base, strides};
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

std::optional<AccessForm> AccessAnalysis::computeAddPtr(Operation *op) {
  Result pointers = getForm(op->getOperand(0));
  Result offsets = getForm(op->getOperand(1));
  if (!pointers || !offsets)
    return std::nullopt;
  ScalarMath math = mathAfter(op);
  int64_t elementBytes = getSizeInBytes(getPointee(op->getResult(0).getType()));
  auto advance = [&](Value address, Value offset) {
    Value wide = math.resize(offset, pointers->element);
    return math.add(address, math.multiply(wide, elementBytes));
  };
  AccessForm form{
      pointers->element, advance(pointers->base, offsets->base), {}};
  for (auto [address, offset] : llvm::zip(pointers->strides, offsets->strides))
    form.strides.push_back(advance(address, offset));
  return form;
}

std::optional<AccessForm> AccessAnalysis::computeSum(Operation *op,
                                                     bool subtracts) {
  Result left = getForm(op->getOperand(0));
  Result right = getForm(op->getOperand(1));
  if (!left || !right)
    return std::nullopt;
  ScalarMath math = mathAfter(op);
  auto combine = [&](Value a, Value b) {
    return subtracts ? math.subtract(a, b) : math.add(a, b);
  };
  AccessForm form{left->element, combine(left->base, right->base), {}};
  for (auto [a, b] : llvm::zip(left->strides, right->strides))
    form.strides.push_back(combine(a, b));
  return form;
}

std::optional<AccessForm> AccessAnalysis::computeProduct(Operation *op) {
  Result left = getForm(op->getOperand(0));
  Result right = getForm(op->getOperand(1));
  if (!left || !right || (!left->isUniform() && !right->isUniform()))
    return std::nullopt;
  const AccessForm &varying = left->isUniform() ? *right : *left;
  Value factor = left->isUniform() ? left->base : right->base;
  ScalarMath math = mathAfter(op);
  AccessForm form{varying.element, math.multiply(varying.base, factor), {}};
  for (Value stride : varying.strides)
    form.strides.push_back(math.multiply(stride, factor));
  return form;
}

std::optional<AccessForm> AccessAnalysis::computeShift(Operation *op) {
  Result left = getForm(op->getOperand(0));
  Result right = getForm(op->getOperand(1));
  std::optional<int64_t> amount =
      right && right->isUniform() ? getConstant(right->base) : std::nullopt;
  if (!left || !amount || *amount < 0 || *amount >= kMinIndexBits - 1)
    return std::nullopt;
  ScalarMath math = mathAfter(op);
  int64_t factor = int64_t(1) << *amount;
  AccessForm form{left->element, math.multiply(left->base, factor), {}};
  for (Value stride : left->strides)
    form.strides.push_back(math.multiply(stride, factor));
  return form;
}

std::optional<AccessForm> AccessAnalysis::computeResize(Operation *op,
                                                        RankedTensorType type) {
  Result source = getForm(op->getOperand(0));
  if (!source)
    return std::nullopt;
  ScalarMath math = mathAfter(op);
  AccessForm form{type.getElementType(),
                  math.resize(source->base, type.getElementType()),
                  {}};
  for (Value stride : source->strides)
    form.strides.push_back(math.resize(stride, type.getElementType()));
  return form;
}

/// Zero extension keeps a form only where nothing is negative.
std::optional<AccessForm>
AccessAnalysis::computeZeroExtension(Operation *op, RankedTensorType type) {
  Result source = getForm(op->getOperand(0));
  auto isNatural = [](Value value) {
    std::optional<int64_t> constant = getConstant(value);
    return constant && *constant >= 0;
  };
  if (!source || source->isUniform() || !isNatural(source->base) ||
      !llvm::all_of(source->strides, isNatural))
    return std::nullopt;
  return computeResize(op, type);
}

/// One scalar operation for an elementwise operation on tensors that hold the
/// same value everywhere.
std::optional<AccessForm>
AccessAnalysis::computeUniform(Operation *op, RankedTensorType type) {
  SmallVector<Value> unused(type.getRank());
  DenseIntElementsAttr constant;
  if (matchPattern(op, m_Constant(&constant)) && constant.isSplat()) {
    int64_t value = constant.getSplatValue<APInt>().getSExtValue();
    ScalarMath math = mathAfter(op);
    return AccessForm{
        type.getElementType(),
        value ? math.constant(type.getElementType(), value) : Value(), unused};
  }
  if (!OpTrait::hasElementwiseMappableTraits(op) || op->getNumResults() != 1)
    return std::nullopt;
  SmallVector<AccessForm> operands;
  for (Value operand : op->getOperands()) {
    Result form = getForm(operand);
    if (!form || !form->isUniform() || isPointerLike(operand.getType()))
      return std::nullopt;
    operands.push_back(*form);
  }
  ScalarMath math = mathAfter(op);
  SmallVector<Value> scalars =
      llvm::map_to_vector(operands, [&](const AccessForm &form) {
        return math.orZero(form.base, form.element);
      });
  OperationState state(op->getLoc(), op->getName(), scalars,
                       TypeRange{type.getElementType()}, op->getAttrs());
  return AccessForm{type.getElementType(), builder.create(state)->getResult(0),
                    unused};
}
