//===- StaticCost.h - Bytes, flops and trips that IR tells ------*- C++ -*-===//
#ifndef KEVOLVE_PASSES_INSTRUMENT_STATICCOST_H
#define KEVOLVE_PASSES_INSTRUMENT_STATICCOST_H

#include "dialects/Probe/Probe.h"

namespace kevolve {
/// Iterations of a loop with constant bounds, else -1.
int64_t tripCountOf(mlir::Operation *op);

/// Bytes that one execution of `op` moves to or from global memory, as far as
/// its types tell (masks are taken to be all true); 0 for kinds that move none.
int64_t bytesOf(mlir::Operation *op, probe::SiteKind kind);

/// Floating-point operations of one execution of `op`: 2MNK of a dot; else
/// those of its region times its elements; 0 where a trip count or shape is not
/// constant.
int64_t flopsOf(mlir::Operation *op, probe::SiteKind kind);
} // namespace kevolve

#endif // KEVOLVE_PASSES_INSTRUMENT_STATICCOST_H
