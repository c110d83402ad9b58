//===- SeFunctions.h - What the SE can take over ---------------*- C++ -*-===//
#ifndef KEVOLVE_PASSES_LINALGTOMTIA_SEFUNCTIONS_H
#define KEVOLVE_PASSES_LINALGTOMTIA_SEFUNCTIONS_H

#include "dialects/Mtia/Mtia.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>

namespace kevolve::mtia {
/// The SE's function that computes the scalar operation, if there is one and
/// the vector core is slow at it (divisions and roots) or has no instruction
/// for it.
std::optional<SeFunction> seFunctionOf(mlir::Operation *scalarOp);

/// The SE's function that computes all of `op`: one elementwise function of one
/// operand of the same shape and type, on at least `minElements` elements.
std::optional<SeFunction> seFunctionOf(mlir::linalg::LinalgOp op,
                                       int64_t minElements);
} // namespace kevolve::mtia

#endif // KEVOLVE_PASSES_LINALGTOMTIA_SEFUNCTIONS_H
