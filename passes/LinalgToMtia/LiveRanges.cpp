//===- LiveRanges.cpp - When local buffers are in use ---------------------===//
#include "passes/LinalgToMtia/LiveRanges.h"
#include "passes/LinalgToMtia/BufferRoots.h"

#include "dialects/Mtia/Mtia.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace kevolve::mtia;

/// An operation that uses a buffer.
struct LiveRanges::Use {
  Operation *op;
  bool command, writes;
};

//===----------------------------------------------------------------------===//
// Where values go
//===----------------------------------------------------------------------===//

/// Values that a use hands its operand on to.
static SmallVector<Value> handedTo(OpOperand &use) {
  Operation *op = use.getOwner();
  if (isa<ViewLikeOpInterface, arith::SelectOp>(op))
    return {op->getResult(0)};
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    if (use.getOperandNumber() < loop.getNumControlOperands())
      return {};
    return {loop.getTiedLoopRegionIterArg(&use), loop.getTiedLoopResult(&use)};
  }
  if (!isa<scf::YieldOp>(op))
    return {};
  unsigned number = use.getOperandNumber();
  if (auto loop = dyn_cast<scf::ForOp>(op->getParentOp()))
    return {loop.getRegionIterArg(number), loop.getResult(number)};
  return {op->getParentOp()->getResult(number)};
}

/// Every value that may be `start`, by another name.
static llvm::SetVector<Value> namesOf(Value start) {
  llvm::SetVector<Value> names;
  names.insert(start);
  for (unsigned i = 0; i < names.size(); ++i)
    for (OpOperand &use : names[i].getUses()) {
      SmallVector<Value> next = handedTo(use);
      names.insert(next.begin(), next.end());
    }
  return names;
}

static bool writes(Operation *op, Value buffer) {
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface)
    return true;
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffectsOnValue(buffer, effects);
  return llvm::any_of(effects, [](const auto &effect) {
    return isa<MemoryEffects::Write>(effect.getEffect());
  });
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

static void number(Operation *op, int64_t &next,
                   DenseMap<Operation *, LiveRange> &positions) {
  int64_t begin = next++;
  for (Region &region : op->getRegions())
    for (Operation &nested : region.getOps())
      number(&nested, next, positions);
  positions[op] = {begin, next++};
}

LiveRanges::LiveRanges(FunctionOpInterface func) : func(func) {
  int64_t next = 0;
  number(func, next, positions);
}

/// The first wait in `scope`, after the command, that its ticket reaches.
std::optional<int64_t> LiveRanges::waitedFor(Block *scope,
                                             Operation *command) const {
  Operation *issued = scope->findAncestorOpInBlock(*command);
  std::optional<int64_t> first;
  auto consider = [&](Operation *wait) {
    if (wait->getBlock() != scope || !issued->isBeforeInBlock(wait))
      return;
    int64_t at = positions.lookup(wait).end;
    first = first ? std::min(*first, at) : at;
  };
  for (Value ticket : namesOf(command->getResult(0)))
    for (Operation *user : ticket.getUsers())
      if (isa<WaitOp>(user))
        consider(user);
  for (auto waitAll : scope->getOps<WaitAllOp>())
    consider(waitAll);
  return first;
}

std::optional<int64_t> LiveRanges::retired(Block *scope, const Use &command,
                                           ArrayRef<Use> uses) const {
  std::optional<int64_t> done = waitedFor(scope, command.op);
  int64_t issued = positions.lookup(command.op).begin;
  for (const Use &later : uses) {
    if (!later.command || !(later.writes || command.writes) ||
        positions.lookup(later.op).begin <= issued)
      continue;
    std::optional<int64_t> laterDone = retired(scope, later, uses);
    if (laterDone && (!done || *laterDone < *done))
      done = laterDone;
  }
  return done;
}

/// The range of a buffer that nothing of an earlier run of `scope` outlives, or
/// nothing when a command may.
std::optional<LiveRange> LiveRanges::within(Block *scope,
                                            ArrayRef<Use> uses) const {
  std::optional<LiveRange> range;
  auto extend = [&](LiveRange other) {
    if (!range)
      range = other;
    range->begin = std::min(range->begin, other.begin);
    range->end = std::max(range->end, other.end);
  };
  for (const Use &use : uses) {
    Operation *op = scope->findAncestorOpInBlock(*use.op);
    if (!op)
      return std::nullopt;
    extend(positions.lookup(op));
    if (!use.command)
      continue;
    std::optional<int64_t> done = retired(scope, use, uses);
    if (!done)
      return std::nullopt;
    extend({*done, *done});
  }
  return range;
}

LiveRange LiveRanges::of(memref::AllocOp alloc) const {
  SmallVector<Use> uses;
  bool carried = false;
  for (Value name : namesOf(alloc.getResult())) {
    if (auto arg = dyn_cast<BlockArgument>(name))
      carried |= arg.getOwner()->getParentOp()->isProperAncestor(alloc);
    for (Operation *user : name.getUsers())
      uses.push_back({user, isCommand(user), writes(user, name)});
  }
  Operation *whole = func;
  for (Block *scope = carried ? nullptr : alloc->getBlock(); scope;
       scope = scope->getParentOp()->getBlock()) {
    if (std::optional<LiveRange> range = within(scope, uses))
      return *range;
    if (scope->getParentOp() == whole)
      break;
  }
  return positions.lookup(whole);
}
