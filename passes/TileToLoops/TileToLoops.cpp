//===- TileToLoops.cpp - The pass -----------------------------------------===//
#include "passes/TileToLoops/Lowering.h"
#include "passes/TileToLoops/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace kevolve {
#define GEN_PASS_DEF_TILETOLOOPS
#include "passes/TileToLoops/Passes.h.inc"
} // namespace kevolve

using namespace mlir;

namespace {
struct TileToLoopsPass
    : public kevolve::impl::TileToLoopsBase<TileToLoopsPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    kevolve::tile::populateAccessToLoopsPatterns(patterns);
    kevolve::tile::populateAtomicToLoopsPatterns(patterns);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace
