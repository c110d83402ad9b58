//===- TransposedOperands.h - Transposes that cost nothing -----*- C++ -*-===//
#ifndef KEVOLVE_PASSES_LINALGTOMTIA_TRANSPOSEDOPERANDS_H
#define KEVOLVE_PASSES_LINALGTOMTIA_TRANSPOSEDOPERANDS_H

#include "mlir/IR/PatternMatch.h"

namespace kevolve {
/// Patterns that load and store tiles with the contiguous dimension of global
/// memory innermost (DMA moves contiguous rows) and fold the transposes this
/// makes, and those of the program, into the maps of linalg.matmul.
void populateTransposedOperandPatterns(mlir::RewritePatternSet &patterns);
} // namespace kevolve

#endif // KEVOLVE_PASSES_LINALGTOMTIA_TRANSPOSEDOPERANDS_H
