//===- BufferRoots.h - What memory a value stands for ----------*- C++ -*-===//
#ifndef KEVOLVE_PASSES_LINALGTOMTIA_BUFFERROOTS_H
#define KEVOLVE_PASSES_LINALGTOMTIA_BUFFERROOTS_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/SetVector.h"

namespace kevolve::mtia {
using ValueSet = llvm::SmallSetVector<mlir::Value, 2>;

/// The allocations a memref may point into: views, loop-carried buffers and
/// conditionals are looked through.
ValueSet bufferRoots(mlir::Value memref);

/// The function arguments an i64 address may be computed from by additions;
/// empty when nothing is known.
ValueSet addressRoots(mlir::Value address);

/// Whether global memory at two sets of roots may overlap. Different pointer
/// arguments are taken not to, as a kernel that depended on it would race on
/// every other target, too.
bool mayOverlap(const ValueSet &a, const ValueSet &b);

/// Whether this is a command to a unit; its only result is the ticket.
bool isCommand(mlir::Operation *op);

/// Whether this is the loop over the programs of the grid.
bool isProgramLoop(mlir::scf::ForOp loop);

/// How an operation of the hart, nested ones included, touches local memory.
struct Touches {
  ValueSet reads, writes;
  /// Set when an operation's effects are not known.
  bool unknown = false;
};
Touches hartTouches(mlir::Operation *op);

/// Whether the operation, nested ones included, is a hart or DMA access that
/// reads (writes) global memory at any of `roots`; no roots: anywhere.
bool readsGlobal(mlir::Operation *op, const ValueSet &roots);
bool writesGlobal(mlir::Operation *op, const ValueSet &roots);
} // namespace kevolve::mtia

#endif // KEVOLVE_PASSES_LINALGTOMTIA_BUFFERROOTS_H
