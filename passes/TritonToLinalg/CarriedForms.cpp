//===- CarriedForms.cpp - The form of tensors that loops carry ------------===//
//
// A carried tensor is assumed to have the strides of its start value, with the
// carried scalar as its base. The assumption holds if the tensor that the loop
// yields then has the same strides. Tensors may depend on each other, so what
// rests on a wrong assumption is computed again without it.
//
//===----------------------------------------------------------------------===//
#include "passes/TritonToLinalg/AccessAnalysis.h"

#include "passes/TritonToLinalg/TritonOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace kevolve::triton;

AccessAnalysis::AccessAnalysis(func::FuncOp func) : builder(func.getContext()) {
  SmallVector<scf::ForOp> loops;
  func.walk([&](scf::ForOp loop) { loops.push_back(loop); });
  for (scf::ForOp loop : loops)
    addScalars(loop);
}

/// Type of the scalar that goes with a carried tensor; null for other values.
static IntegerType getScalarType(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return {};
  if (isPointerLike(tensor))
    return IntegerType::get(type.getContext(), 64);
  return dyn_cast<IntegerType>(tensor.getElementType());
}

/// Makes the loop carry one more scalar for each tensor that may have a form;
/// at first it starts as zero and never changes.
void AccessAnalysis::addScalars(scf::ForOp loop) {
  SmallVector<Carried> carried;
  SmallVector<Value> zeros;
  builder.setInsertionPoint(loop);
  for (auto [index, init] : llvm::enumerate(loop.getInitArgs())) {
    IntegerType type = getScalarType(init.getType());
    if (!type)
      continue;
    carried.push_back(
        {static_cast<unsigned>(index),
         static_cast<unsigned>(loop.getNumRegionIterArgs() + zeros.size())});
    zeros.push_back(arith::ConstantOp::create(builder, loop.getLoc(),
                                              builder.getIntegerAttr(type, 0)));
  }
  if (carried.empty())
    return;
  IRRewriter rewriter(builder);
  auto wider = *cast<LoopLikeOpInterface>(loop.getOperation())
                    .replaceWithAdditionalIterOperands(rewriter, zeros, false);
  carriedByLoop[wider] = carried;
}

/// Loops are resolved from the outside in: the start values of an inner loop
/// may be carried by an outer one.
void AccessAnalysis::resolveAround(Operation *op) {
  if (auto parent = op->getParentOfType<scf::ForOp>())
    resolveAround(parent);
  if (resolvedOrInProgress.insert(op).second)
    resolveLoop(cast<scf::ForOp>(op));
}

void AccessAnalysis::resolveLoop(scf::ForOp loop) {
  SmallVector<Carried> candidates = assumeForms(loop);
  while (dropWrongAssumptions(loop, candidates))
    forgetInside(loop);
  confirmForms(loop, candidates);
}

SmallVector<AccessAnalysis::Carried>
AccessAnalysis::assumeForms(scf::ForOp loop) {
  SmallVector<Carried> candidates;
  for (Carried carried : carriedByLoop.lookup(loop)) {
    Result start = getForm(loop.getInitArgs()[carried.tensor]);
    Result &assumed = forms[loop.getRegionIterArg(carried.tensor)];
    assumed = std::nullopt;
    if (!start)
      continue;
    assumed = AccessForm{start->element, loop.getRegionIterArg(carried.scalar),
                         start->strides};
    candidates.push_back(carried);
  }
  return candidates;
}

/// Drops candidates that the loop yields with other strides; true if there were
/// any.
bool AccessAnalysis::dropWrongAssumptions(
    scf::ForOp loop, SmallVectorImpl<Carried> &candidates) {
  SmallVector<Carried> kept;
  for (Carried carried : candidates) {
    Result yielded = getForm(loop.getYieldedValues()[carried.tensor]);
    if (yielded &&
        hasSameStrides(*yielded, *forms[loop.getRegionIterArg(carried.tensor)]))
      kept.push_back(carried);
  }
  bool droppedAny = kept.size() < candidates.size();
  for (Carried carried : candidates) {
    bool isKept = llvm::any_of(
        kept, [&](Carried k) { return k.tensor == carried.tensor; });
    if (!isKept)
      forms[loop.getRegionIterArg(carried.tensor)] = std::nullopt;
  }
  candidates = kept;
  return droppedAny;
}

/// Forgets what was computed inside of the loop, but not what is said of the
/// values that it carries.
void AccessAnalysis::forgetInside(scf::ForOp loop) {
  SmallVector<Value> stale;
  for (auto &entry : forms) {
    Value value = entry.first;
    Region *region = value.getParentRegion();
    bool isCarried = llvm::is_contained(loop.getRegionIterArgs(), value);
    if (!isCarried && loop.getRegion().isAncestor(region))
      stale.push_back(value);
  }
  for (Value value : stale)
    forms.erase(value);
  loop.getBody()->walk([&](scf::ForOp inner) {
    resolvedOrInProgress.erase(inner);
    confirmed.erase(inner);
  });
}

/// Lets the loop carry the bases, and gives its results their forms.
void AccessAnalysis::confirmForms(scf::ForOp loop,
                                  ArrayRef<Carried> candidates) {
  auto orZero = [&](Operation *before, Value scalar, Type type) -> Value {
    builder.setInsertionPoint(before);
    return ScalarMath{builder, loop.getLoc()}.orZero(scalar, type);
  };
  Operation *yield = loop.getBody()->getTerminator();
  for (Carried carried : carriedByLoop.lookup(loop))
    forms[loop.getResult(carried.tensor)] = std::nullopt;
  for (Carried carried : candidates) {
    AccessForm start = *getForm(loop.getInitArgs()[carried.tensor]);
    AccessForm yielded = *getForm(loop.getYieldedValues()[carried.tensor]);
    loop.getInitArgsMutable()[carried.scalar].set(
        orZero(loop, start.base, start.element));
    yield->setOperand(carried.scalar,
                      orZero(yield, yielded.base, yielded.element));
    forms[loop.getResult(carried.tensor)] = AccessForm{
        start.element, loop.getResult(carried.scalar), start.strides};
  }
  confirmed[loop] = SmallVector<Carried>(candidates);
}

void AccessAnalysis::replaceCarriedTensor(scf::ForOp loop, Carried carried) {
  BlockArgument argument = loop.getRegionIterArg(carried.tensor);
  Value result = loop.getResult(carried.tensor);
  auto type = cast<RankedTensorType>(argument.getType());
  builder.setInsertionPointToStart(loop.getBody());
  argument.replaceAllUsesWith(
      createTensor(builder, loop.getLoc(), *forms[argument], type));
  loop.getBody()->getTerminator()->setOperand(carried.tensor, argument);
  builder.setInsertionPointAfter(loop);
  result.replaceAllUsesWith(
      createTensor(builder, loop.getLoc(), *forms[result], type));
}

void AccessAnalysis::replaceCarriedTensors() {
  for (const auto &entry : carriedByLoop)
    resolveAround(entry.first);
  for (const auto &entry : confirmed)
    for (Carried carried : entry.second)
      replaceCarriedTensor(cast<scf::ForOp>(entry.first), carried);
}
