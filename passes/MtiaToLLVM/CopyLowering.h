//===- CopyLowering.h - memref.copy as loops --------------------*- C++ -*-===//
#ifndef KEVOLVE_PASSES_MTIATOLLVM_COPYLOWERING_H
#define KEVOLVE_PASSES_MTIATOLLVM_COPYLOWERING_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace kevolve {

/// Replaces a copy by loops of loads and stores, which the code generator
/// vectorises: a PE has no memcpy to call.
void lowerCopy(mlir::memref::CopyOp copy);

} // namespace kevolve

#endif // KEVOLVE_PASSES_MTIATOLLVM_COPYLOWERING_H
