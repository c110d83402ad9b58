//===- Tickets.h - Tickets across loops and conditionals -------*- C++ -*-===//
#ifndef KEVOLVE_PASSES_LINALGTOMTIA_TICKETS_H
#define KEVOLVE_PASSES_LINALGTOMTIA_TICKETS_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace kevolve::mtia {
/// Marks commands whose loop waits for them in a later iteration.
inline constexpr llvm::StringLiteral kPipelinedAttr = "mtia.pipelined";

/// Makes tickets of the loop's body results of the loop: that of the last
/// iteration, or none. `loop` is replaced.
llvm::SmallVector<mlir::Value> carryOut(mlir::scf::ForOp &loop,
                                        llvm::ArrayRef<mlir::Value> tickets);

/// Likewise for tickets, each of one branch (named by its block).
llvm::SmallVector<mlir::Value>
carryOut(mlir::scf::IfOp conditional,
         llvm::ArrayRef<std::pair<mlir::Block *, mlir::Value>> tickets);
} // namespace kevolve::mtia

#endif // KEVOLVE_PASSES_LINALGTOMTIA_TICKETS_H
