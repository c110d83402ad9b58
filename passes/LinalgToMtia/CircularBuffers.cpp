//===- CircularBuffers.cpp - Buffers a loop can keep in slots -------------===//
#include "passes/LinalgToMtia/CircularBuffers.h"
#include "passes/LinalgToMtia/BufferRoots.h"

using namespace mlir;
using namespace kevolve::mtia;

/// Collects the operations of the body that `v` is computed by. Fails when one
/// has effects, or depends on what earlier iterations computed.
static bool addSlice(scf::ForOp loop, Value v,
                     llvm::SetVector<Operation *> &slice) {
  if (v == loop.getInductionVar() || loop.isDefinedOutsideOfLoop(v))
    return true;
  Operation *op = v.getDefiningOp();
  if (!op || op->getBlock() != loop.getBody() || !isPure(op) ||
      op->getNumRegions() > 0)
    return false;
  if (slice.contains(op))
    return true;
  for (Value operand : op->getOperands())
    if (!addSlice(loop, operand, slice))
      return false;
  return slice.insert(op);
}

/// Likewise for everything an operation, nested ones included, uses but
/// `buffer`.
static bool addSliceOf(scf::ForOp loop, Operation *op, Value buffer,
                       llvm::SetVector<Operation *> &slice) {
  return !op->walk([&](Operation *nested) {
              for (Value operand : nested->getOperands()) {
                Operation *definition = operand.getDefiningOp();
                bool inside = definition && op->isAncestor(definition);
                if (operand != buffer && !inside &&
                    !addSlice(loop, operand, slice))
                  return WalkResult::interrupt();
              }
              return WalkResult::advance();
            }).wasInterrupted();
}

/// Whether an operation only fills: a command, or a conditional around some.
static bool onlyFills(Operation *op) {
  if (isa<FillOp>(op))
    return true;
  if (!isa<scf::IfOp>(op) || op->getNumResults() > 0)
    return false;
  return llvm::all_of(op->getRegions(), [](Region &region) {
    return llvm::all_of(region.getOps(), [](Operation &nested) {
      return isa<FillOp, scf::YieldOp>(nested);
    });
  });
}

unsigned CircularBuffer::numTickets() const {
  unsigned count = 0;
  for (Operation *command : commands)
    command->walk([&](Operation *nested) { count += isCommand(nested); });
  return count;
}

static bool touchesBuffer(Operation *op, Value buffer) {
  Touches touches = hartTouches(op);
  return touches.unknown || touches.reads.contains(buffer) ||
         touches.writes.contains(buffer);
}

static Operation *firstTouch(scf::ForOp loop, Value buffer) {
  for (Operation &op : loop.getBody()->without_terminator())
    if (touchesBuffer(&op, buffer))
      return &op;
  return nullptr;
}

/// Whether the operation, or one nested in it, names the buffer.
static bool usesBuffer(Operation *op, Value buffer) {
  return llvm::any_of(buffer.getUsers(),
                      [&](Operation *user) { return op->isAncestor(user); });
}

static memref::AllocOp allocInBody(scf::ForOp loop, Value buffer) {
  auto alloc = buffer.getDefiningOp<memref::AllocOp>();
  return alloc && alloc->getBlock() == loop.getBody() ? alloc
                                                      : memref::AllocOp();
}

/// Whether the buffer is handed to another iteration.
static bool leavesIteration(Value buffer) {
  return llvm::any_of(buffer.getUsers(), [](Operation *user) {
    return isa<scf::YieldOp, scf::ForOp>(user);
  });
}

/// Whether a hart works on tiles in the loop. If not, it does nothing but issue
/// commands, and runs ahead of them by itself.
static bool hartWorks(scf::ForOp loop) {
  Touches touches = hartTouches(loop);
  return touches.unknown || !touches.reads.empty() || !touches.writes.empty();
}

static bool canMove(scf::ForOp loop, CircularBuffer &load) {
  return llvm::all_of(load.commands, [&](Operation *command) {
    return addSliceOf(loop, command, load.alloc, load.slice);
  });
}

/// A program's own stores must reach its later loads: those before the load,
/// and in a loop of the program, those of earlier iterations.
static bool mayPassStores(scf::ForOp loop, DmaLoadOp load) {
  ValueSet roots = addressRoots(load.getBase());
  if (!isProgramLoop(loop))
    return !writesGlobal(loop, roots);
  return llvm::none_of(*loop.getBody(), [&](Operation &op) {
    return op.isBeforeInBlock(load) && writesGlobal(&op, roots);
  });
}

static bool findLoad(scf::ForOp loop, DmaLoadOp load, CircularBuffer &found) {
  found.alloc = allocInBody(loop, load.getBuffer());
  if (!found.alloc || leavesIteration(found.alloc))
    return false;
  for (Operation &op : *loop.getBody()) {
    if (&op == load)
      break;
    if (&op == found.alloc || !usesBuffer(&op, found.alloc))
      continue;
    if (!onlyFills(&op))
      return false;
    found.commands.push_back(&op);
  }
  found.commands.push_back(load);
  found.firstTouch = firstTouch(loop, found.alloc);
  found.ahead = (found.firstTouch || hartWorks(loop)) && canMove(loop, found) &&
                mayPassStores(loop, load);
  return found.ahead || !found.firstTouch;
}

static bool findStore(scf::ForOp loop, DmaStoreOp store,
                      CircularBuffer &found) {
  found.alloc = allocInBody(loop, store.getBuffer());
  if (!found.alloc || leavesIteration(found.alloc))
    return false;
  found.commands.push_back(store);
  found.firstTouch = firstTouch(loop, found.alloc);
  return true;
}

CircularBuffers kevolve::mtia::findCircularBuffers(scf::ForOp loop) {
  CircularBuffers buffers;
  llvm::SmallPtrSet<Operation *, 4> moved;
  for (Operation &op : *loop.getBody()) {
    CircularBuffer found;
    if (auto load = dyn_cast<DmaLoadOp>(op)) {
      if (findLoad(loop, load, found) && moved.insert(found.alloc).second)
        buffers.loads.push_back(std::move(found));
    } else if (auto store = dyn_cast<DmaStoreOp>(op)) {
      if (findStore(loop, store, found) && moved.insert(found.alloc).second)
        buffers.stores.push_back(std::move(found));
    }
  }
  return buffers;
}
