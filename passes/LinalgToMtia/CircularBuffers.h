//===- CircularBuffers.h - Buffers a loop can keep in slots ----*- C++ -*-===//
#ifndef KEVOLVE_PASSES_LINALGTOMTIA_CIRCULARBUFFERS_H
#define KEVOLVE_PASSES_LINALGTOMTIA_CIRCULARBUFFERS_H

#include "dialects/Mtia/Mtia.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

namespace kevolve::mtia {
/// A buffer that a loop's body allocates and moves by one DMA command.
struct CircularBuffer {
  mlir::memref::AllocOp alloc;
  /// The load or store, and before a load, the fills of what it leaves out.
  llvm::SmallVector<mlir::Operation *> commands;
  /// Pure operations of the body that the load's operands are computed by.
  llvm::SetVector<mlir::Operation *> slice;
  /// First operation of the body in which a hart touches the buffer, or null:
  /// only commands do, and the command processor orders them.
  mlir::Operation *firstTouch = nullptr;
  /// Whether the load can, and should, be issued in an earlier iteration.
  bool ahead = false;

  /// Tickets the commands make, those in conditionals included.
  unsigned numTickets() const;
};

struct CircularBuffers {
  llvm::SmallVector<CircularBuffer> loads, stores;
  bool empty() const { return loads.empty() && stores.empty(); }
};

/// The buffers of a loop that may be loaded in earlier iterations, or stored
/// while later ones run.
CircularBuffers findCircularBuffers(mlir::scf::ForOp loop);
} // namespace kevolve::mtia

#endif // KEVOLVE_PASSES_LINALGTOMTIA_CIRCULARBUFFERS_H
