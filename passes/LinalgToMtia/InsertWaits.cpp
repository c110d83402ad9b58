//===- InsertWaits.cpp - Wait where a hart touches a command's data -------===//
#include "dialects/Mtia/Mtia.h"
#include "passes/LinalgToMtia/BufferRoots.h"
#include "passes/LinalgToMtia/Passes.h"
#include "passes/LinalgToMtia/Tickets.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace kevolve {
#define GEN_PASS_DEF_MTIAINSERTWAITS
#include "passes/LinalgToMtia/Passes.h.inc"
} // namespace kevolve

using namespace mlir;
using namespace kevolve;
using namespace kevolve::mtia;

namespace {
/// A command that may not be done yet.
struct Pending {
  Value ticket;
  ValueSet reads, writes;
  /// Where a store goes to in global memory.
  bool storesGlobal = false;
  ValueSet global;
};
using State = SmallVector<Pending>;

class WaitInserter {
public:
  void visit(Block &block, State &state);

private:
  void visitLoop(scf::ForOp loop, State &state);
  void visitConditional(scf::IfOp conditional, State &state);
  void visitOtherRegions(Operation *op, State &state);
  void visitCommand(Operation *op, State &state);
  void waitBefore(Operation *op, State &state,
                  llvm::function_ref<bool(const Pending &)> conflicts);
};
} // namespace

static bool meet(const ValueSet &a, const ValueSet &b) {
  return llvm::any_of(a, [&](Value v) { return b.contains(v); });
}

/// Whether a hart's accesses must come after the command.
static bool conflict(const Pending &pending, const Touches &touches) {
  return touches.unknown || meet(pending.writes, touches.reads) ||
         meet(pending.writes, touches.writes) ||
         meet(pending.reads, touches.writes);
}

static Pending pendingOf(Operation *command) {
  Pending pending;
  pending.ticket = command->getResult(0);
  for (Value operand : command->getOperands()) {
    if (!isa<MemRefType>(operand.getType()))
      continue;
    ValueSet roots = bufferRoots(operand);
    SmallVector<MemoryEffects::EffectInstance> effects;
    cast<MemoryEffectOpInterface>(command).getEffectsOnValue(operand, effects);
    for (const auto &effect : effects) {
      ValueSet &set = isa<MemoryEffects::Write>(effect.getEffect())
                          ? pending.writes
                          : pending.reads;
      set.insert(roots.begin(), roots.end());
    }
  }
  if (auto store = dyn_cast<DmaStoreOp>(command)) {
    pending.storesGlobal = true;
    pending.global = addressRoots(store.getBase());
  }
  return pending;
}

void WaitInserter::waitBefore(
    Operation *op, State &state,
    llvm::function_ref<bool(const Pending &)> conflicts) {
  OpBuilder b(op);
  llvm::erase_if(state, [&](const Pending &pending) {
    if (!conflicts(pending))
      return false;
    WaitOp::create(b, op->getLoc(), pending.ticket);
    return true;
  });
}

void WaitInserter::visitCommand(Operation *op, State &state) {
  if (isa<DmaLoadOp>(op))
    waitBefore(op, state, [&](const Pending &pending) {
      return pending.storesGlobal && readsGlobal(op, pending.global);
    });
  // Waits of pipelined commands are part of their loop already.
  if (!op->hasAttr(kPipelinedAttr))
    state.push_back(pendingOf(op));
}

/// Before the loop, waits for what its harts touch; at the end of its body, for
/// what the next iteration's touch. Other tickets leave the loop.
void WaitInserter::visitLoop(scf::ForOp loop, State &state) {
  Touches touches = hartTouches(loop);
  auto conflicts = [&](const Pending &pending) {
    return conflict(pending, touches) ||
           (pending.storesGlobal && !isProgramLoop(loop) &&
            readsGlobal(loop, pending.global));
  };
  waitBefore(loop, state, conflicts);
  State inner;
  visit(*loop.getBody(), inner);
  waitBefore(loop.getBody()->getTerminator(), inner, conflicts);
  SmallVector<Value> tickets;
  for (Pending &pending : inner)
    tickets.push_back(pending.ticket);
  SmallVector<Value> results = carryOut(loop, tickets);
  for (auto [pending, result] : llvm::zip(inner, results)) {
    pending.ticket = result;
    state.push_back(pending);
  }
}

void WaitInserter::visitConditional(scf::IfOp conditional, State &state) {
  SmallVector<Pending> issued;
  State remaining = state;
  SmallVector<std::pair<Block *, Value>> tickets;
  for (Region *region : conditional.getRegions()) {
    if (region->empty())
      continue;
    State branch = state;
    visit(region->front(), branch);
    for (const Pending &pending : branch) {
      bool before = llvm::any_of(state, [&](const Pending &other) {
        return other.ticket == pending.ticket;
      });
      if (before)
        continue;
      issued.push_back(pending);
      tickets.push_back({&region->front(), pending.ticket});
    }
  }
  // One waited for in a single branch may still be running after the other.
  SmallVector<Value> results = carryOut(conditional, tickets);
  for (auto [pending, result] : llvm::zip(issued, results)) {
    pending.ticket = result;
    remaining.push_back(pending);
  }
  state = std::move(remaining);
}

/// Regions of no known control flow start and end with nothing pending.
void WaitInserter::visitOtherRegions(Operation *op, State &state) {
  waitBefore(op, state, [](const Pending &) { return true; });
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      State inner;
      visit(block, inner);
      waitBefore(block.getTerminator(), inner,
                 [](const Pending &) { return true; });
    }
}

void WaitInserter::visit(Block &block, State &state) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (auto wait = dyn_cast<WaitOp>(op)) {
      llvm::erase_if(state, [&](const Pending &pending) {
        return pending.ticket == wait.getTicket();
      });
    } else if (isa<WaitAllOp>(op)) {
      state.clear();
    } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
      visitLoop(loop, state);
    } else if (auto conditional = dyn_cast<scf::IfOp>(op)) {
      visitConditional(conditional, state);
    } else if (isCommand(&op)) {
      visitCommand(&op, state);
    } else if (op.getNumRegions() > 0) {
      visitOtherRegions(&op, state);
    } else {
      Touches touches = hartTouches(&op);
      waitBefore(&op, state, [&](const Pending &pending) {
        return conflict(pending, touches) ||
               (pending.storesGlobal && readsGlobal(&op, pending.global));
      });
    }
  }
}

namespace {
struct MtiaInsertWaitsPass
    : kevolve::impl::MtiaInsertWaitsBase<MtiaInsertWaitsPass> {
  void runOnOperation() override {
    for (Block &block : getOperation().getBody()) {
      State state;
      WaitInserter().visit(block, state);
    }
    // Nothing may run on when the kernel is done.
    getOperation().walk([](func::ReturnOp op) {
      OpBuilder b(op);
      WaitAllOp::create(b, op.getLoc());
    });
  }
};
} // namespace
