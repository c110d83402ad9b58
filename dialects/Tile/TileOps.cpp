//===- TileOps.cpp - Verifiers, builders and effects of tile operations ---===//
#include "dialects/Tile/Tile.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace kevolve::tile;

#define GET_OP_CLASSES
#include "dialects/Tile/TileOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Memory effects
//===----------------------------------------------------------------------===//

namespace {
/// Memory behind 64-bit addresses; memrefs never alias it.
struct GlobalMemory : public SideEffects::Resource::Base<GlobalMemory> {
  StringRef getName() final { return "GlobalMemory"; }
};

using Effects =
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;
} // namespace

/// Memref operands are written if they are destinations and read otherwise;
/// tensors and scalars are plain values.
static void addMemRefEffects(Operation *op, Effects &effects) {
  auto destinationStyle = dyn_cast<DestinationStyleOpInterface>(op);
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    if (destinationStyle && destinationStyle.isDpsInit(&operand))
      effects.emplace_back(MemoryEffects::Write::get(), &operand);
    else
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
  }
}

static void addEffects(Operation *op, Effects &effects, bool reads,
                       bool writes) {
  if (reads)
    effects.emplace_back(MemoryEffects::Read::get(), GlobalMemory::get());
  if (writes)
    effects.emplace_back(MemoryEffects::Write::get(), GlobalMemory::get());
  addMemRefEffects(op, effects);
}

void LoadOp::getEffects(Effects &effects) {
  addEffects(*this, effects, true, false);
}
void StoreOp::getEffects(Effects &effects) {
  addEffects(*this, effects, false, true);
}
void GatherOp::getEffects(Effects &effects) {
  addEffects(*this, effects, true, false);
}
void ScatterOp::getEffects(Effects &effects) {
  addEffects(*this, effects, false, true);
}
void LoadScalarOp::getEffects(Effects &effects) {
  addEffects(*this, effects, true, false);
}
void StoreScalarOp::getEffects(Effects &effects) {
  addEffects(*this, effects, false, true);
}
void AtomicRMWOp::getEffects(Effects &effects) {
  addEffects(*this, effects, true, true);
}
void AtomicCASOp::getEffects(Effects &effects) {
  addEffects(*this, effects, true, true);
}

//===----------------------------------------------------------------------===//
// What destination style operations have in common
//===----------------------------------------------------------------------===//

/// A tensor destination is returned, a memref is not. (That the types agree is
/// checked by DestinationStyleOpInterface.)
static LogicalResult verifyResult(Operation *op, Value init) {
  if (init && isa<RankedTensorType>(init.getType()) && op->getNumResults() == 0)
    return op->emitOpError("with a tensor destination must have a result");
  return success();
}

/// Tensors and memrefs do not mix in one operation.
static LogicalResult verifyOneForm(Operation *op) {
  auto isTensor = [](Type type) { return isa<RankedTensorType>(type); };
  auto isMemRef = [](Type type) { return isa<MemRefType>(type); };
  if (llvm::any_of(op->getOperandTypes(), isTensor) &&
      llvm::any_of(op->getOperandTypes(), isMemRef))
    return op->emitOpError("mixes tensors and memrefs");
  return success();
}

static LogicalResult verifySameShape(Operation *op, Value value, StringRef name,
                                     ArrayRef<int64_t> shape) {
  auto type = dyn_cast<ShapedType>(value.getType());
  if (!type || failed(verifyCompatibleShape(type.getShape(), shape)))
    return op->emitOpError()
           << name << " must have the shape of the addresses, but has type "
           << value.getType();
  return success();
}

//===----------------------------------------------------------------------===//
// LoadOp and StoreOp
//===----------------------------------------------------------------------===//

template <typename BoxOp> static LogicalResult verifyBox(BoxOp op) {
  size_t rank = op.getTileType().getRank();
  auto verifyCount = [&](StringRef name, ArrayRef<int64_t> values,
                         OperandRange operands) -> LogicalResult {
    if (values.size() != rank)
      return op.emitOpError() << "has " << values.size() << " " << name
                              << " for a tile of rank " << rank;
    if (static_cast<size_t>(llvm::count(values, ShapedType::kDynamic)) !=
        operands.size())
      return op.emitOpError() << "has a wrong number of dynamic " << name;
    return success();
  };
  if (failed(verifyCount("strides", op.getStaticStrides(), op.getStrides())) ||
      failed(verifyCount("lower bounds", op.getStaticLower(), op.getLower())) ||
      failed(verifyCount("upper bounds", op.getStaticUpper(), op.getUpper())))
    return failure();
  return success();
}

template <typename BoxOp> static bool boxCoversTile(BoxOp op) {
  auto shape = op.getTileType().getShape();
  for (auto [size, lower, upper] :
       llvm::zip(shape, op.getStaticLower(), op.getStaticUpper())) {
    bool known = !ShapedType::isDynamic(size) &&
                 !ShapedType::isDynamic(lower) && !ShapedType::isDynamic(upper);
    if (!known || lower > 0 || upper < size)
      return false;
  }
  return true;
}

LogicalResult LoadOp::verify() {
  if (failed(verifyBox(*this)))
    return failure();
  return verifyResult(*this, getInit());
}

LogicalResult StoreOp::verify() { return verifyBox(*this); }

bool LoadOp::coversTile() { return boxCoversTile(*this); }
bool StoreOp::coversTile() { return boxCoversTile(*this); }

namespace {
/// A list of integers and values, split as the operations store it.
struct SplitList {
  SmallVector<int64_t> integers;
  SmallVector<Value> values;
  explicit SplitList(ArrayRef<OpFoldResult> mixed) {
    dispatchIndexOpFoldResults(mixed, values, integers);
  }
};
} // namespace

/// Type of the result of an operation whose destination is `init`: none for
/// memrefs.
static Type getResultType(Value init) {
  return init && isa<RankedTensorType>(init.getType()) ? init.getType()
                                                       : Type();
}

void LoadOp::build(OpBuilder &builder, OperationState &state, Value base,
                   ArrayRef<OpFoldResult> strides, ArrayRef<OpFoldResult> lower,
                   ArrayRef<OpFoldResult> upper, Value init) {
  SplitList splitStrides(strides), splitLower(lower), splitUpper(upper);
  build(builder, state, getResultType(init), base, splitStrides.values,
        splitLower.values, splitUpper.values, splitStrides.integers,
        splitLower.integers, splitUpper.integers, init);
}

void StoreOp::build(OpBuilder &builder, OperationState &state, Value value,
                    Value base, ArrayRef<OpFoldResult> strides,
                    ArrayRef<OpFoldResult> lower,
                    ArrayRef<OpFoldResult> upper) {
  SplitList splitStrides(strides), splitLower(lower), splitUpper(upper);
  build(builder, state, value, base, splitStrides.values, splitLower.values,
        splitUpper.values, splitStrides.integers, splitLower.integers,
        splitUpper.integers);
}

//===----------------------------------------------------------------------===//
// GatherOp and ScatterOp
//===----------------------------------------------------------------------===//

template <typename GatherOrScatter>
static LogicalResult verifyByElement(GatherOrScatter op, Value data,
                                     StringRef dataName) {
  ArrayRef<int64_t> shape =
      cast<ShapedType>(op.getAddresses().getType()).getShape();
  if (failed(verifyOneForm(op)) ||
      failed(verifySameShape(op, data, dataName, shape)))
    return failure();
  if (op.getMask())
    return verifySameShape(op, op.getMask(), "mask", shape);
  return success();
}

LogicalResult GatherOp::verify() {
  if (failed(verifyByElement(*this, getInit(), "destination")))
    return failure();
  return verifyResult(*this, getInit());
}

LogicalResult ScatterOp::verify() {
  return verifyByElement(*this, getValue(), "value");
}

void GatherOp::build(OpBuilder &builder, OperationState &state, Value addresses,
                     Value mask, Value init) {
  build(builder, state, getResultType(init), addresses, mask, init);
}

//===----------------------------------------------------------------------===//
// AtomicRMWOp and AtomicCASOp
//===----------------------------------------------------------------------===//

template <typename AtomicOp>
static LogicalResult verifyScalarAtomic(AtomicOp op) {
  if (!op.getValue().getType().isIntOrFloat())
    return op.emitOpError("on one address needs an integer or float value");
  if (op.getMask() && !op.getMask().getType().isInteger(1))
    return op.emitOpError("on one address needs a mask of type i1");
  if (op.getInit())
    return op.emitOpError("on one address has no destination");
  if (op.getResult() && op.getResult().getType() != op.getValue().getType())
    return op.emitOpError("result must have the type of the value");
  return success();
}

template <typename AtomicOp>
static LogicalResult verifyTensorAtomic(AtomicOp op) {
  ArrayRef<int64_t> shape =
      cast<ShapedType>(op.getAddress().getType()).getShape();
  if (failed(verifyOneForm(op)) ||
      failed(verifySameShape(op, op.getValue(), "value", shape)))
    return failure();
  if (op.getMask() && failed(verifySameShape(op, op.getMask(), "mask", shape)))
    return failure();
  if (!op.getInit())
    return op.getResult() ? op.emitOpError("with a result needs a destination")
                          : success();
  if (failed(verifySameShape(op, op.getInit(), "destination", shape)))
    return failure();
  if (getElementTypeOrSelf(op.getInit()) != getElementTypeOrSelf(op.getValue()))
    return op.emitOpError(
        "destination must have the element type of the value");
  return verifyResult(op, op.getInit());
}

template <typename AtomicOp> static LogicalResult verifyAtomic(AtomicOp op) {
  return op.isScalar() ? verifyScalarAtomic(op) : verifyTensorAtomic(op);
}

LogicalResult AtomicRMWOp::verify() {
  if (failed(verifyAtomic(*this)))
    return failure();
  bool isFloat = isa<FloatType>(getElementTypeOrSelf(getValue()));
  if (getKind() == AtomicKind::Xchg ||
      isFloat == (getKind() == AtomicKind::FAdd))
    return success();
  return emitOpError() << "kind '" << stringifyAtomicKind(getKind())
                       << "' does not fit " << getElementTypeOrSelf(getValue());
}

LogicalResult AtomicCASOp::verify() {
  if (getExpected().getType() != getValue().getType())
    return emitOpError("expected and new value must have the same type");
  return verifyAtomic(*this);
}
