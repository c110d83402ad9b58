//===- BufferRoots.cpp - What memory a value stands for -------------------===//
#include "passes/LinalgToMtia/BufferRoots.h"

#include "dialects/Mtia/Mtia.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace kevolve;
using namespace kevolve::mtia;

/// Values that `v` is one of, or nothing when `v` is where the trace ends.
static SmallVector<Value> throughControlFlow(Value v) {
  if (auto arg = dyn_cast<BlockArgument>(v)) {
    auto loop = dyn_cast<scf::ForOp>(arg.getOwner()->getParentOp());
    if (!loop || arg == loop.getInductionVar())
      return {};
    return {loop.getTiedLoopInit(arg)->get(),
            loop.getTiedLoopYieldedValue(arg)->get()};
  }
  auto result = cast<OpResult>(v);
  Operation *op = result.getOwner();
  unsigned number = result.getResultNumber();
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return {loop.getInits()[number], loop.getYieldedValues()[number]};
  if (auto conditional = dyn_cast<scf::IfOp>(op))
    return {conditional.thenYield().getOperand(number),
            conditional.elseYield().getOperand(number)};
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return {select.getTrueValue(), select.getFalseValue()};
  return {};
}

/// Follows `step` from `start`; values without a step are the roots.
static ValueSet trace(Value start,
                      llvm::function_ref<SmallVector<Value>(Value)> step) {
  llvm::SmallSetVector<Value, 8> seen;
  ValueSet roots;
  seen.insert(start);
  for (unsigned i = 0; i < seen.size(); ++i) {
    SmallVector<Value> next = step(seen[i]);
    if (next.empty())
      roots.insert(seen[i]);
    seen.insert(next.begin(), next.end());
  }
  return roots;
}

ValueSet mtia::bufferRoots(Value memref) {
  return trace(memref, [](Value v) -> SmallVector<Value> {
    if (auto view = v.getDefiningOp<ViewLikeOpInterface>())
      return {view.getViewSource()};
    return throughControlFlow(v);
  });
}

ValueSet mtia::addressRoots(Value address) {
  ValueSet leaves = trace(address, [](Value v) -> SmallVector<Value> {
    if (auto add = v.getDefiningOp<arith::AddIOp>())
      return {add.getLhs(), add.getRhs()};
    if (auto sub = v.getDefiningOp<arith::SubIOp>())
      return {sub.getLhs()};
    return throughControlFlow(v);
  });
  ValueSet arguments;
  for (Value leaf : leaves)
    if (auto arg = dyn_cast<BlockArgument>(leaf);
        arg && isa<FunctionOpInterface>(arg.getOwner()->getParentOp()) &&
        arg.getType().isInteger(64))
      arguments.insert(leaf);
  return arguments;
}

bool mtia::mayOverlap(const ValueSet &a, const ValueSet &b) {
  if (a.empty() || b.empty())
    return true;
  return llvm::any_of(a, [&](Value v) { return b.contains(v); });
}

bool mtia::isCommand(Operation *op) {
  return isa<DmaLoadOp, DmaStoreOp, FillOp, DpeMatmulOp, SeUnaryOp>(op);
}

bool mtia::isProgramLoop(scf::ForOp loop) {
  return loop.getStep().getDefiningOp<NumPesOp>() != nullptr;
}

static void addTouches(Operation *op, Touches &touches) {
  if (isCommand(op) || isa<WaitOp, WaitAllOp>(op))
    return;
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface) {
    touches.unknown |= !op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() &&
                       !op->hasTrait<OpTrait::IsTerminator>();
    return;
  }
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  for (const auto &effect : effects) {
    Value value = effect.getValue();
    if (!value || !isa<MemRefType>(value.getType()))
      continue;
    ValueSet roots = bufferRoots(value);
    if (isa<MemoryEffects::Read>(effect.getEffect()))
      touches.reads.insert(roots.begin(), roots.end());
    if (isa<MemoryEffects::Write>(effect.getEffect()))
      touches.writes.insert(roots.begin(), roots.end());
  }
}

Touches mtia::hartTouches(Operation *op) {
  Touches touches;
  op->walk([&](Operation *nested) { addTouches(nested, touches); });
  return touches;
}

bool mtia::readsGlobal(Operation *op, const ValueSet &roots) {
  return op
      ->walk([&](Operation *nested) {
        if (auto load = dyn_cast<DmaLoadOp>(nested))
          return mayOverlap(addressRoots(load.getBase()), roots)
                     ? WalkResult::interrupt()
                     : WalkResult::advance();
        return isa<LLVM::LoadOp, LLVM::AtomicRMWOp, LLVM::AtomicCmpXchgOp>(
                   nested)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

bool mtia::writesGlobal(Operation *op, const ValueSet &roots) {
  return op
      ->walk([&](Operation *nested) {
        if (auto store = dyn_cast<DmaStoreOp>(nested))
          return mayOverlap(addressRoots(store.getBase()), roots)
                     ? WalkResult::interrupt()
                     : WalkResult::advance();
        return isa<LLVM::StoreOp, LLVM::AtomicRMWOp, LLVM::AtomicCmpXchgOp>(
                   nested)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}
