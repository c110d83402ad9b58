//===- RaiseAccesses.cpp - Structured loads and stores to strided boxes ---===//
#include "passes/TritonToLinalg/AccessAnalysis.h"
#include "passes/TritonToLinalg/Conversion.h"
#include "passes/TritonToLinalg/Passes.h"
#include "passes/TritonToLinalg/Stages.h"
#include "passes/TritonToLinalg/TritonOps.h"

#include "dialects/Tile/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace kevolve {
#define GEN_PASS_DEF_TRITONRAISEACCESSES
#include "passes/TritonToLinalg/Passes.h.inc"
} // namespace kevolve

using namespace mlir;
using namespace kevolve;
using namespace kevolve::triton;

namespace {
/// The operands of a tile.load or tile.store.
struct BoxAccess {
  Value base;
  SmallVector<OpFoldResult> strides, lower, upper;
};
} // namespace

/// An upper bound of dimension 0 that is zero where the condition does not
/// hold.
static Value applyCondition(ScalarMath math, Value condition, Value upper,
                            int64_t size) {
  Type type = math.builder.getI64Type();
  Value whole = upper ? upper : math.constant(type, size);
  return math.builder.createOrFold<arith::SelectOp>(math.loc, condition, whole,
                                                    math.constant(type, 0));
}

static BoxAccess createBoxAccess(ScalarMath math, const AccessForm &form,
                                 MaskBox box, RankedTensorType type) {
  if (box.condition)
    box.upper[0] =
        applyCondition(math, box.condition, box.upper[0], type.getDimSize(0));
  BoxAccess access;
  access.base = math.orZero(form.base, form.element);
  for (auto [dim, stride] : llvm::enumerate(form.strides)) {
    Attribute size = math.builder.getIndexAttr(type.getDimSize(dim));
    access.strides.push_back(math.index(stride));
    access.lower.push_back(math.index(box.lower[dim]));
    access.upper.push_back(box.upper[dim] ? math.index(box.upper[dim])
                                          : OpFoldResult(size));
  }
  return access;
}

/// The pointers and the mask of an access, if both have a structure.
static std::optional<BoxAccess> getBoxAccess(Operation *op, Value mask,
                                             AccessAnalysis &accesses,
                                             MaskAnalysis &masks) {
  auto type = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  std::optional<AccessForm> form = accesses.getForm(op->getOperand(0));
  if (!type || type.getRank() == 0 || !form)
    return std::nullopt;
  MaskBox whole = {SmallVector<Value>(type.getRank()),
                   SmallVector<Value>(type.getRank()),
                   {}};
  std::optional<MaskBox> box = mask ? masks.getBox(mask) : whole;
  if (!box)
    return std::nullopt;
  OpBuilder builder(op);
  return createBoxAccess({builder, op->getLoc()}, *form, *box, type);
}

/// Reinterprets pointers as addresses, or addresses as pointers; others stay.
static Value createRetyped(OpBuilder &builder, Location loc, Value value,
                           StringRef cast, Type type) {
  if (value.getType() == type)
    return value;
  OperationState state(loc, cast, value, TypeRange{type});
  return builder.create(state)->getResult(0);
}

static bool raiseLoad(Operation *op, AccessAnalysis &accesses,
                      MaskAnalysis &masks) {
  Value mask = op->getNumOperands() > 1 ? op->getOperand(1) : Value();
  std::optional<BoxAccess> access = getBoxAccess(op, mask, accesses, masks);
  if (!access)
    return false;
  OpBuilder builder(op);
  Location loc = op->getLoc();
  Type resultType = op->getResult(0).getType();
  auto type =
      cast<RankedTensorType>(AddressTypeConverter().convertType(resultType));
  Value init;
  if (op->getNumOperands() > 2)
    init = createRetyped(builder, loc,
                         createDestination(builder, loc, op->getOperand(2)),
                         "tt.ptr_to_int", type);
  else
    init = createEmpty(builder, loc, type);
  Value loaded =
      tile::LoadOp::create(builder, loc, access->base, access->strides,
                           access->lower, access->upper, init)
          .getResult();
  op->getResult(0).replaceAllUsesWith(
      createRetyped(builder, loc, loaded, "tt.int_to_ptr", resultType));
  return true;
}

static bool raiseStore(Operation *op, AccessAnalysis &accesses,
                       MaskAnalysis &masks) {
  Value mask = op->getNumOperands() > 2 ? op->getOperand(2) : Value();
  std::optional<BoxAccess> access = getBoxAccess(op, mask, accesses, masks);
  if (!access)
    return false;
  OpBuilder builder(op);
  Value value = op->getOperand(1);
  Type type = AddressTypeConverter().convertType(value.getType());
  value = createRetyped(builder, op->getLoc(), value, "tt.ptr_to_int", type);
  tile::StoreOp::create(builder, op->getLoc(), value, access->base,
                        access->strides, access->lower, access->upper);
  return true;
}

void kevolve::triton::raiseAccesses(func::FuncOp func) {
  AccessAnalysis accesses(func);
  MaskAnalysis masks(accesses, func.getContext());
  SmallVector<Operation *> found, raised;
  func.walk([&](Operation *op) {
    if (isOp(op, "tt.load") || isOp(op, "tt.store"))
      found.push_back(op);
  });
  for (Operation *op : found) {
    bool isRaised = isOp(op, "tt.load") ? raiseLoad(op, accesses, masks)
                                        : raiseStore(op, accesses, masks);
    if (isRaised)
      raised.push_back(op);
  }
  accesses.replaceCarriedTensors();
  // Only now: the analyses remember values by their address.
  for (Operation *op : raised)
    op->erase();
}

namespace {
struct TritonRaiseAccessesPass
    : public kevolve::impl::TritonRaiseAccessesBase<TritonRaiseAccessesPass> {
  void runOnOperation() override { raiseAccesses(getOperation()); }
};
} // namespace
