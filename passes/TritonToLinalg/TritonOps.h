//===- TritonOps.h - Reading Triton operations by name ---------*- C++ -*-===//
//
// Triton's dialect is not registered: its operations are known by their name,
// their inherent attributes are the properties of an unregistered operation,
// and its pointer type is an opaque type.
//
//===----------------------------------------------------------------------===//
#ifndef KEVOLVE_PASSES_TRITONTOLINALG_TRITONOPS_H
#define KEVOLVE_PASSES_TRITONTOLINALG_TRITONOPS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

namespace kevolve::triton {

/// Whether `op` belongs to a dialect of Triton's: that of its language, or that
/// of its GPUs, from which the language takes its barrier.
bool isTritonOp(mlir::Operation *op);

/// Whether `op` is the operation `name`, as in "tt.load".
bool isOp(mlir::Operation *op, llvm::StringRef name);

/// The inherent attribute `name`, or null.
mlir::Attribute getInherentAttr(mlir::Operation *op, llvm::StringRef name);

/// The inherent integer attribute `name`, or `absent`.
int64_t getInteger(mlir::Operation *op, llvm::StringRef name,
                   int64_t absent = 0);

/// The inherent string attribute `name`, or the empty string.
llvm::StringRef getString(mlir::Operation *op, llvm::StringRef name);

/// Whether `type` is a Triton pointer.
bool isPointer(mlir::Type type);

/// Whether `type` is a pointer or a tensor of pointers.
bool isPointerLike(mlir::Type type);

/// What a pointer (or the pointers of a tensor) points to; null if unknown.
mlir::Type getPointee(mlir::Type type);

/// Bytes that a value of `type` takes in memory (an i1 takes one, a pointer
/// eight).
int64_t getSizeInBytes(mlir::Type type);

} // namespace kevolve::triton

#endif // KEVOLVE_PASSES_TRITONTOLINALG_TRITONOPS_H
