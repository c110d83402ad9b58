//===- VectorLoops.h - A linalg operation as loops of vectors --*- C++ -*-===//
#ifndef KEVOLVE_PASSES_LINALGTOMTIA_VECTORLOOPS_H
#define KEVOLVE_PASSES_LINALGTOMTIA_VECTORLOOPS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace kevolve {
/// Emits `op` (on buffers) before itself as scf loops around vectors of at most
/// `vectorBits` bits per value. Fails, changing nothing, when the operation is
/// not of a form that has vectors; the caller erases it otherwise.
llvm::LogicalResult emitVectorLoops(mlir::OpBuilder &b,
                                    mlir::linalg::LinalgOp op,
                                    int64_t vectorBits);
} // namespace kevolve

#endif // KEVOLVE_PASSES_LINALGTOMTIA_VECTORLOOPS_H
