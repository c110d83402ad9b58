//===- LiveRanges.h - When local buffers are in use ------------*- C++ -*-===//
#ifndef KEVOLVE_PASSES_LINALGTOMTIA_LIVERANGES_H
#define KEVOLVE_PASSES_LINALGTOMTIA_LIVERANGES_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <optional>

namespace kevolve::mtia {
/// Positions of operations in program order, both ends included.
struct LiveRange {
  int64_t begin = 0, end = 0;
  bool overlaps(const LiveRange &other) const {
    return begin <= other.end && other.begin <= end;
  }
};

/// Live ranges of a function's buffers. A buffer is live from its first use to
/// its last, and until each command on it is known to be done: by a wait for
/// its ticket, or for that of a later command the command processor orders
/// after it.
class LiveRanges {
public:
  explicit LiveRanges(mlir::FunctionOpInterface func);
  LiveRange of(mlir::memref::AllocOp alloc) const;

private:
  struct Use;
  std::optional<LiveRange> within(mlir::Block *scope,
                                  llvm::ArrayRef<Use> uses) const;
  std::optional<int64_t> retired(mlir::Block *scope, const Use &command,
                                 llvm::ArrayRef<Use> uses) const;
  std::optional<int64_t> waitedFor(mlir::Block *scope,
                                   mlir::Operation *command) const;

  llvm::DenseMap<mlir::Operation *, LiveRange> positions;
  mlir::FunctionOpInterface func;
};
} // namespace kevolve::mtia

#endif // KEVOLVE_PASSES_LINALGTOMTIA_LIVERANGES_H
