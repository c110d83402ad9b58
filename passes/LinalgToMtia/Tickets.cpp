//===- Tickets.cpp - Tickets across loops and conditionals ----------------===//
#include "passes/LinalgToMtia/Tickets.h"

#include "dialects/Mtia/Mtia.h"

using namespace mlir;
using namespace kevolve::mtia;

static Value noTicket(OpBuilder &b, Location loc) {
  return NoTicketOp::create(b, loc, TicketType::get(b.getContext()));
}

SmallVector<Value> kevolve::mtia::carryOut(scf::ForOp &loop,
                                           ArrayRef<Value> tickets) {
  if (tickets.empty())
    return {};
  IRRewriter rewriter(loop);
  SmallVector<Value> inits(tickets.size(), noTicket(rewriter, loop.getLoc()));
  auto yieldTickets = [&](OpBuilder &, Location, ArrayRef<BlockArgument>) {
    return llvm::to_vector(tickets);
  };
  unsigned before = loop.getNumResults();
  FailureOr<LoopLikeOpInterface> wider = loop.replaceWithAdditionalYields(
      rewriter, inits, /*replaceInitOperandUsesInLoop=*/false, yieldTickets);
  if (failed(wider))
    llvm_unreachable("scf.for takes additional yields");
  loop = cast<scf::ForOp>(wider->getOperation());
  return llvm::to_vector_of<Value>(loop.getResults().drop_front(before));
}

/// Extends what a branch yields by its own tickets, and by none in the place of
/// the other branch's.
static void yieldTickets(Block *branch, Location loc,
                         ArrayRef<std::pair<Block *, Value>> tickets) {
  if (branch->empty() || !branch->back().hasTrait<OpTrait::IsTerminator>()) {
    OpBuilder b = OpBuilder::atBlockEnd(branch);
    scf::YieldOp::create(b, loc);
  }
  OpBuilder b(branch->getTerminator());
  SmallVector<Value> yielded =
      llvm::to_vector(branch->getTerminator()->getOperands());
  for (auto [block, ticket] : tickets)
    yielded.push_back(block == branch ? ticket : noTicket(b, loc));
  branch->getTerminator()->setOperands(yielded);
}

SmallVector<Value>
kevolve::mtia::carryOut(scf::IfOp conditional,
                        ArrayRef<std::pair<Block *, Value>> tickets) {
  if (tickets.empty())
    return {};
  Location loc = conditional.getLoc();
  OpBuilder b(conditional);
  unsigned before = conditional.getNumResults();
  SmallVector<Type> types = llvm::to_vector(conditional.getResultTypes());
  types.append(tickets.size(), TicketType::get(b.getContext()));
  if (conditional.getElseRegion().empty())
    conditional.getElseRegion().emplaceBlock();
  for (Region *region : conditional.getRegions())
    yieldTickets(&region->front(), loc, tickets);
  auto wider =
      scf::IfOp::create(b, loc, types, conditional.getCondition(),
                        /*addThenBlock=*/false, /*addElseBlock=*/false);
  wider->setDiscardableAttrs(conditional->getDiscardableAttrDictionary());
  wider.getThenRegion().takeBody(conditional.getThenRegion());
  wider.getElseRegion().takeBody(conditional.getElseRegion());
  conditional->replaceAllUsesWith(wider.getResults().take_front(before));
  conditional.erase();
  return llvm::to_vector_of<Value>(wider.getResults().drop_front(before));
}
