//===- DistributePrograms.cpp - Programs of the grid over PEs -------------===//
#include "dialects/Mtia/Mtia.h"
#include "passes/LinalgToMtia/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace kevolve {
#define GEN_PASS_DEF_MTIADISTRIBUTEPROGRAMS
#include "passes/LinalgToMtia/Passes.h.inc"
} // namespace kevolve

using namespace mlir;
using namespace kevolve;

/// Program ids x, y, z and numbers of programs x, y, z follow the arguments.
static constexpr unsigned kNumAxes = 3;

static Value toIndex(OpBuilder &b, Location loc, Value v) {
  return arith::IndexCastOp::create(b, loc, b.getIndexType(), v);
}

/// Coordinates of a linear program id, x fastest, as i32.
static SmallVector<Value> delinearize(OpBuilder &b, Location loc, Value linear,
                                      ArrayRef<Value> grid) {
  Value rows = arith::DivUIOp::create(b, loc, linear, grid[0]);
  Value ids[] = {arith::RemUIOp::create(b, loc, linear, grid[0]),
                 arith::RemUIOp::create(b, loc, rows, grid[1]),
                 arith::DivUIOp::create(b, loc, rows, grid[1])};
  return llvm::map_to_vector(ids, [&](Value id) -> Value {
    return arith::IndexCastOp::create(b, loc, b.getI32Type(), id);
  });
}

/// Moves all of the function's code into `target`, which ends in a terminator.
static void moveBodyInto(func::FuncOp func, Block *entry, Block *target) {
  OpBuilder b = OpBuilder::atBlockTerminator(target);
  if (llvm::hasSingleElement(func.getBody())) {
    entry->back().erase();
    target->getOperations().splice(target->getTerminator()->getIterator(),
                                   entry->getOperations());
    return;
  }
  auto region = scf::ExecuteRegionOp::create(b, func.getLoc(), TypeRange{});
  auto *inner = new Block;
  region.getRegion().push_back(inner);
  inner->getOperations().splice(inner->end(), entry->getOperations());
  auto &blocks = func.getBody().getBlocks();
  region.getRegion().getBlocks().splice(region.getRegion().end(), blocks,
                                        std::next(blocks.begin()),
                                        blocks.end());
  SmallVector<func::ReturnOp> returns;
  region.walk([&](func::ReturnOp op) { returns.push_back(op); });
  for (func::ReturnOp op : returns) {
    OpBuilder at(op);
    scf::YieldOp::create(at, op.getLoc());
    op.erase();
  }
}

/// The loop over the programs of this PE, empty, at the start of `entry`.
static scf::ForOp createProgramLoop(OpBuilder &b, Location loc,
                                    ArrayRef<Value> grid) {
  Value programs = arith::MulIOp::create(
      b, loc, arith::MulIOp::create(b, loc, grid[0], grid[1]), grid[2]);
  Value first = mtia::PeIdOp::create(b, loc, b.getIndexType());
  Value step = mtia::NumPesOp::create(b, loc, b.getIndexType());
  return scf::ForOp::create(b, loc, first, programs, step);
}

static void distribute(func::FuncOp func, unsigned numArguments) {
  Block *entry = &func.getBody().front();
  Location loc = func.getLoc();
  auto *body = new Block;
  body->getOperations().splice(body->end(), entry->getOperations());

  OpBuilder b = OpBuilder::atBlockBegin(entry);
  SmallVector<Value> grid;
  for (unsigned axis = 0; axis < kNumAxes; ++axis)
    grid.push_back(
        toIndex(b, loc, entry->getArgument(numArguments + kNumAxes + axis)));
  scf::ForOp loop = createProgramLoop(b, loc, grid);
  func::ReturnOp::create(b, loc);

  OpBuilder inner = OpBuilder::atBlockBegin(loop.getBody());
  auto ids = delinearize(inner, loc, loop.getInductionVar(), grid);
  for (unsigned axis = 0; axis < kNumAxes; ++axis)
    entry->getArgument(numArguments + axis).replaceAllUsesWith(ids[axis]);
  // `func` seen by moveBodyInto: its first block is the one that was emptied.
  moveBodyInto(func, body, loop.getBody());
  delete body;
}

static LogicalResult setSignature(func::FuncOp func, unsigned numArguments) {
  BitVector programIds(func.getNumArguments());
  programIds.set(numArguments, numArguments + kNumAxes);
  if (failed(func.eraseArguments(programIds)))
    return failure();
  return func.insertArgument(func.getNumArguments(),
                             IntegerType::get(func.getContext(), 64), {},
                             func.getLoc());
}

namespace {
struct MtiaDistributeProgramsPass
    : kevolve::impl::MtiaDistributeProgramsBase<MtiaDistributeProgramsPass> {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (!func->hasAttr("kevolve.kernel") || func.isExternal())
      return;
    auto count = func->getAttrOfType<IntegerAttr>("kevolve.num_arguments");
    if (!count || func.getNumArguments() != count.getInt() + 2 * kNumAxes) {
      func.emitError(
          "expects kevolve.num_arguments arguments followed by three "
          "program ids and three numbers of programs");
      return signalPassFailure();
    }
    distribute(func, count.getInt());
    if (failed(setSignature(func, count.getInt())))
      signalPassFailure();
  }
};
} // namespace
