//===- Lowering.h - Elements at addresses ----------------------*- C++ -*-===//
#ifndef KEVOLVE_PASSES_TILETOLOOPS_LOWERING_H
#define KEVOLVE_PASSES_TILETOLOOPS_LOWERING_H

#include "mlir/IR/PatternMatch.h"

namespace kevolve::tile {

/// Patterns for loads, stores, gathers and scatters.
void populateAccessToLoopsPatterns(mlir::RewritePatternSet &patterns);

/// Patterns for atomics.
void populateAtomicToLoopsPatterns(mlir::RewritePatternSet &patterns);

/// The LLVM pointer of a byte address.
mlir::Value createPointer(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value address);

/// Loops over all elements of `memref`.
void createLoopsOver(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value memref,
                     llvm::function_ref<void(mlir::OpBuilder &, mlir::Location,
                                             mlir::ValueRange)>
                         body);

/// Runs `body` where element `indices` of `mask` is true; always without a
/// mask.
void createIfTrue(
    mlir::OpBuilder &builder, mlir::Location loc, mlir::Value mask,
    mlir::ValueRange indices,
    llvm::function_ref<void(mlir::OpBuilder &, mlir::Location)> body);

} // namespace kevolve::tile

#endif // KEVOLVE_PASSES_TILETOLOOPS_LOWERING_H
