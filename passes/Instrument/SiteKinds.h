//===- SiteKinds.h - Which operations are worth a site ----------*- C++ -*-===//
#ifndef KEVOLVE_PASSES_INSTRUMENT_SITEKINDS_H
#define KEVOLVE_PASSES_INSTRUMENT_SITEKINDS_H

#include "dialects/Probe/Probe.h"

#include <optional>

namespace kevolve {
/// The kind of site that `op` makes, judged by its name (Triton's dialects are
/// not registered here); none for operations that get no site of their own.
std::optional<probe::SiteKind> siteKindOf(mlir::Operation *op);

/// Whether `op` repeats its region: `scf.for`, `scf.while` and their like.
bool isLoop(mlir::Operation *op);

/// The block that one iteration of the loop `op` runs, if there is just one.
mlir::Block *iterationBody(mlir::Operation *op);

/// The command whose ticket the `mtia.wait` `op` waits for, through the
/// iterations of loops; null when it is another operation or not known.
mlir::Operation *findAwaited(mlir::Operation *op);

/// Whether `op` is a function that is launched, as opposed to called.
bool isKernel(mlir::Operation *op);

/// An inherent attribute, whether `op` is registered (a member) or not (an
/// entry of its properties).
mlir::Attribute getInherent(mlir::Operation *op, llvm::StringRef name);
} // namespace kevolve

#endif // KEVOLVE_PASSES_INSTRUMENT_SITEKINDS_H
