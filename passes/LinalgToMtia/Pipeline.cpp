//===- Pipeline.cpp - Data movement beside computation --------------------===//
#include "dialects/Mtia/Mtia.h"
#include "passes/LinalgToMtia/BufferRoots.h"
#include "passes/LinalgToMtia/CircularBuffers.h"
#include "passes/LinalgToMtia/Inductions.h"
#include "passes/LinalgToMtia/Passes.h"
#include "passes/LinalgToMtia/Tickets.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

namespace kevolve {
#define GEN_PASS_DEF_MTIAPIPELINE
#include "passes/LinalgToMtia/Passes.h.inc"
} // namespace kevolve

using namespace mlir;
using namespace kevolve;
using namespace kevolve::mtia;

namespace {
/// A loop whose buffers have `slots` slots. Iteration i uses slot i % slots,
/// issues the loads of iteration i + slots - 1 and waits for the store of
/// iteration i - slots.
class PipelinedLoop {
public:
  PipelinedLoop(scf::ForOp loop, CircularBuffers buffers, int64_t slots)
      : loop(loop), buffers(std::move(buffers)), slots(slots),
        loc(loop.getLoc()) {}

  void rewrite();

private:
  using Tickets = SmallVector<Value>;

  void splitLoads();
  void allocateSlots();
  Value slotOf(OpBuilder &b, memref::AllocOp alloc, Value slot);
  Value index(OpBuilder &b, int64_t value);
  Value iterations(OpBuilder &b, int64_t count);
  Value indexAhead(OpBuilder &b, Value from, int64_t count);
  Tickets issue(OpBuilder &b, const CircularBuffer &load, Value index,
                Value slot);
  Tickets issueIfInRange(OpBuilder &b, Value index, Value slot);
  Tickets noTickets(OpBuilder &b, size_t count);
  size_t ticketsPerIteration() const;
  void widenLoop();
  void rewriteLoads(Tickets current);
  void rewriteStores();
  void useSlots();

  scf::ForOp loop;
  CircularBuffers buffers;
  /// Loads that stay where they are: only commands use them.
  SmallVector<CircularBuffer> inPlace;
  int64_t slots;
  Location loc;
  /// Bytes of all slots, by the buffer they stand for.
  llvm::MapVector<Operation *, Value> storage;
  Value slot;
  SmallVector<Value> loadTickets, storeTickets;
};
} // namespace

//===----------------------------------------------------------------------===//
// Slots
//===----------------------------------------------------------------------===//

Value PipelinedLoop::index(OpBuilder &b, int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

/// A number of iterations, of the induction variable's type.
Value PipelinedLoop::iterations(OpBuilder &b, int64_t count) {
  Type type = loop.getInductionVar().getType();
  return arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, count));
}

Value PipelinedLoop::indexAhead(OpBuilder &b, Value from, int64_t count) {
  Value distance =
      arith::MulIOp::create(b, loc, loop.getStep(), iterations(b, count));
  return arith::AddIOp::create(b, loc, from, distance);
}

static int64_t sizeBytes(MemRefType type) {
  return type.getNumElements() * elementBytes(type.getElementType());
}

/// Slots start on the boundaries the planner places buffers on.
static int64_t slotBytes(MemRefType type) {
  return llvm::alignTo(sizeBytes(type), 64);
}

void PipelinedLoop::allocateSlots() {
  OpBuilder b(loop);
  auto allocate = [&](ArrayRef<CircularBuffer> group) {
    for (const CircularBuffer &buffer : group) {
      memref::AllocOp alloc = buffer.alloc;
      auto type =
          MemRefType::get({slots * slotBytes(alloc.getType())}, b.getI8Type());
      storage[alloc] = memref::AllocOp::create(b, alloc.getLoc(), type);
    }
  };
  allocate(buffers.loads);
  allocate(inPlace);
  allocate(buffers.stores);
}

Value PipelinedLoop::slotOf(OpBuilder &b, memref::AllocOp alloc, Value slot) {
  Value shift =
      arith::MulIOp::create(b, loc, slot, index(b, slotBytes(alloc.getType())));
  return memref::ViewOp::create(b, alloc.getLoc(), alloc.getType(),
                                storage[alloc], shift, ValueRange());
}

//===----------------------------------------------------------------------===//
// Loads ahead
//===----------------------------------------------------------------------===//

void PipelinedLoop::splitLoads() {
  auto mid = llvm::partition(
      buffers.loads, [](const CircularBuffer &load) { return load.ahead; });
  for (auto it = mid; it != buffers.loads.end(); ++it)
    inPlace.push_back(std::move(*it));
  buffers.loads.erase(mid, buffers.loads.end());
}

/// Tickets of a command, or of the commands of a conditional (it is replaced).
/// All are marked: this loop does the waiting.
static SmallVector<Value> ticketsOf(Operation *op) {
  SmallVector<std::pair<Block *, Value>> tickets;
  op->walk([&](Operation *nested) {
    if (!isCommand(nested))
      return;
    nested->setAttr(kPipelinedAttr, UnitAttr::get(op->getContext()));
    tickets.push_back({nested->getBlock(), nested->getResult(0)});
  });
  if (auto conditional = dyn_cast<scf::IfOp>(op))
    return carryOut(conditional, tickets);
  return {op->getResult(0)};
}

/// The load's commands for another iteration.
PipelinedLoop::Tickets PipelinedLoop::issue(OpBuilder &b,
                                            const CircularBuffer &load,
                                            Value index, Value slot) {
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), index);
  memref::AllocOp alloc = load.alloc;
  mapping.map(alloc.getResult(), slotOf(b, alloc, slot));
  for (Operation *op : load.slice)
    b.clone(*op, mapping);
  Tickets tickets;
  for (Operation *command : load.commands)
    llvm::append_range(tickets, ticketsOf(b.clone(*command, mapping)));
  return tickets;
}

PipelinedLoop::Tickets PipelinedLoop::noTickets(OpBuilder &b, size_t count) {
  if (count == 0)
    return {};
  return Tickets(count,
                 NoTicketOp::create(b, loc, TicketType::get(b.getContext())));
}

size_t PipelinedLoop::ticketsPerIteration() const {
  size_t count = 0;
  for (const CircularBuffer &load : buffers.loads)
    count += load.numTickets();
  return count;
}

PipelinedLoop::Tickets PipelinedLoop::issueIfInRange(OpBuilder &b, Value index,
                                                     Value slot) {
  Value inRange = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                                        index, loop.getUpperBound());
  SmallVector<Type> types(ticketsPerIteration(),
                          TicketType::get(b.getContext()));
  auto conditional = scf::IfOp::create(b, loc, types, inRange,
                                       /*withElseRegion=*/true);
  OpBuilder then = OpBuilder::atBlockEnd(conditional.thenBlock());
  Tickets tickets;
  for (const CircularBuffer &load : buffers.loads)
    llvm::append_range(tickets, issue(then, load, index, slot));
  scf::YieldOp::create(then, loc, tickets);
  OpBuilder otherwise = OpBuilder::atBlockEnd(conditional.elseBlock());
  scf::YieldOp::create(otherwise, loc, noTickets(otherwise, types.size()));
  return llvm::to_vector_of<Value>(conditional.getResults());
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

/// Carries the slot, the tickets of loads in flight (oldest first) and those of
/// the last `slots` stores.
void PipelinedLoop::widenLoop() {
  IRRewriter rewriter(loop);
  SmallVector<Value> inits = {index(rewriter, 0)};
  if (!buffers.loads.empty())
    for (int64_t ahead = 0; ahead < slots - 1; ++ahead)
      llvm::append_range(
          inits,
          issueIfInRange(rewriter,
                         indexAhead(rewriter, loop.getLowerBound(), ahead),
                         index(rewriter, ahead)));
  size_t numLoadTickets = inits.size() - 1;
  size_t numStoreTickets = slots * buffers.stores.size();
  llvm::append_range(inits, noTickets(rewriter, numStoreTickets));

  unsigned before = loop.getNumRegionIterArgs();
  // What is yielded is set when the body is rewritten.
  auto yieldArguments = [](OpBuilder &, Location,
                           ArrayRef<BlockArgument> arguments) {
    return llvm::to_vector_of<Value>(arguments);
  };
  auto wider =
      loop.replaceWithAdditionalYields(rewriter, inits, false, yieldArguments);
  loop = cast<scf::ForOp>(wider->getOperation());
  SmallVector<Value> arguments =
      llvm::to_vector_of<Value>(loop.getRegionIterArgs().drop_front(before));
  slot = arguments.front();
  ArrayRef<Value> tickets = ArrayRef<Value>(arguments).drop_front();
  loadTickets = llvm::to_vector(tickets.take_front(numLoadTickets));
  storeTickets = llvm::to_vector(tickets.drop_front(numLoadTickets));
}

static void waitFor(OpBuilder &b, Location loc, ValueRange tickets) {
  for (Value ticket : tickets)
    WaitOp::create(b, loc, ticket);
}

void PipelinedLoop::rewriteLoads(Tickets current) {
  for (CircularBuffer &load : buffers.loads) {
    size_t count = load.numTickets();
    if (load.firstTouch) {
      OpBuilder b(load.firstTouch);
      waitFor(b, load.commands.back()->getLoc(),
              ArrayRef<Value>(current).take_front(count));
    }
    current.erase(current.begin(), current.begin() + count);
    for (Operation *command : llvm::reverse(load.commands))
      command->erase();
  }
}

/// Waits for the store that used this slot last before a hart writes it again.
void PipelinedLoop::rewriteStores() {
  for (auto [i, store] : llvm::enumerate(buffers.stores)) {
    Operation *command = store.commands.back();
    Value oldest = storeTickets[i];
    if (!store.firstTouch)
      continue;
    command->setAttr(kPipelinedAttr, UnitAttr::get(command->getContext()));
    OpBuilder b(store.firstTouch);
    waitFor(b, command->getLoc(), oldest);
  }
}

void PipelinedLoop::useSlots() {
  for (auto [alloc, bytes] : storage) {
    OpBuilder b(alloc);
    alloc->getResult(0).replaceAllUsesWith(
        slotOf(b, cast<memref::AllocOp>(alloc), slot));
    alloc->erase();
  }
}

/// The next iteration's value of the extra arguments, in their order.
static void setYielded(scf::ForOp loop, ArrayRef<Value> values) {
  Operation *yield = loop.getBody()->getTerminator();
  unsigned first = yield->getNumOperands() - values.size();
  for (auto [i, value] : llvm::enumerate(values))
    yield->setOperand(first + i, value);
}

void PipelinedLoop::rewrite() {
  splitLoads();
  allocateSlots();
  widenLoop();

  OpBuilder b = OpBuilder::atBlockBegin(loop.getBody());
  Value isFirst = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, slot,
                                        index(b, 0));
  Value previous =
      arith::SelectOp::create(b, loc, isFirst, index(b, slots - 1),
                              arith::SubIOp::create(b, loc, slot, index(b, 1)));
  size_t perIteration = ticketsPerIteration();
  Tickets inFlight = loadTickets;
  if (perIteration > 0)
    llvm::append_range(
        inFlight,
        issueIfInRange(b, indexAhead(b, loop.getInductionVar(), slots - 1),
                       previous));
  rewriteLoads(Tickets(ArrayRef<Value>(inFlight).take_front(perIteration)));
  rewriteStores();
  useSlots();

  b.setInsertionPoint(loop.getBody()->getTerminator());
  Value next = arith::AddIOp::create(b, loc, slot, index(b, 1));
  Value wraps = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, next,
                                      index(b, slots));
  SmallVector<Value> yielded = {
      arith::SelectOp::create(b, loc, wraps, index(b, 0), next)};
  llvm::append_range(yielded,
                     ArrayRef<Value>(inFlight).drop_front(perIteration));
  llvm::append_range(
      yielded, ArrayRef<Value>(storeTickets).drop_front(buffers.stores.size()));
  for (const CircularBuffer &store : buffers.stores)
    yielded.push_back(store.commands.back()->getResult(0));
  setYielded(loop, yielded);

  b.setInsertionPointAfter(loop);
  waitFor(b, loc, loop.getResults().take_back(storeTickets.size()));
}

namespace {
struct MtiaPipelinePass : kevolve::impl::MtiaPipelineBase<MtiaPipelinePass> {
  using MtiaPipelineBase::MtiaPipelineBase;

  void runOnOperation() override {
    if (cbMultiplier < 1) {
      getOperation().emitError("cb-multiplier must be at least 1, not ")
          << cbMultiplier.getValue();
      return signalPassFailure();
    }
    if (cbMultiplier == 1)
      return;
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops) {
      closeInductions(loop);
      CircularBuffers buffers = findCircularBuffers(loop);
      if (!buffers.empty())
        PipelinedLoop(loop, std::move(buffers), cbMultiplier).rewrite();
    }
  }
};
} // namespace
