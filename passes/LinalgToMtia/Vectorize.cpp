//===- Vectorize.cpp - linalg on buffers to vector or scalar loops --------===//
#include "passes/LinalgToMtia/Passes.h"
#include "passes/LinalgToMtia/VectorLoops.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace kevolve {
#define GEN_PASS_DEF_MTIAVECTORIZE
#include "passes/LinalgToMtia/Passes.h.inc"
} // namespace kevolve

using namespace mlir;
using namespace kevolve;

/// VLEN of the vector core: 64-byte registers (MTIA 2i, ISCA 2025).
static constexpr int64_t kVectorRegisterBits = 512;

/// Copies that bufferization left are elementwise operations like others.
static void expandCopies(func::FuncOp func) {
  SmallVector<memref::CopyOp> copies;
  func.walk([&](memref::CopyOp op) { copies.push_back(op); });
  for (memref::CopyOp copy : copies) {
    OpBuilder b(copy);
    linalg::CopyOp::create(b, copy.getLoc(), copy.getSource(),
                           copy.getTarget());
    copy.erase();
  }
}

static LogicalResult lower(IRRewriter &rewriter, linalg::LinalgOp op,
                           int64_t vectorBits) {
  rewriter.setInsertionPoint(op);
  if (failed(emitVectorLoops(rewriter, op, vectorBits)) &&
      failed(linalg::linalgOpToLoops(rewriter, op)))
    return op.emitError("has neither a vector nor a scalar form");
  rewriter.eraseOp(op);
  return success();
}

namespace {
struct MtiaVectorizePass : kevolve::impl::MtiaVectorizeBase<MtiaVectorizePass> {
  using MtiaVectorizeBase::MtiaVectorizeBase;

  void runOnOperation() override {
    if (lmul != 1 && lmul != 2 && lmul != 4 && lmul != 8) {
      getOperation().emitError("lmul must be 1, 2, 4 or 8, not ")
          << lmul.getValue();
      return signalPassFailure();
    }
    expandCopies(getOperation());
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : ops)
      if (failed(lower(rewriter, op, lmul * kVectorRegisterBits)))
        return signalPassFailure();
  }
};
} // namespace
