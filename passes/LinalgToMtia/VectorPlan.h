//===- VectorPlan.h - Which loop of an operation becomes vectors -*- C++
//-*-===//
#ifndef KEVOLVE_PASSES_LINALGTOMTIA_VECTORPLAN_H
#define KEVOLVE_PASSES_LINALGTOMTIA_VECTORPLAN_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <optional>

namespace kevolve {
/// How an operand varies along the loop that becomes vectors.
enum class Access { Uniform, Contiguous, Strided };

/// A linalg operation with the choices of its vector form.
struct VectorPlan {
  /// (A handle, whose accessors are not const.)
  mutable mlir::linalg::LinalgOp op;
  /// Buffers (flattened where possible), scalars, and their maps.
  llvm::SmallVector<mlir::Value> operands;
  llvm::SmallVector<mlir::AffineMap> maps;
  llvm::SmallVector<int64_t> extents;
  llvm::SmallVector<mlir::utils::IteratorType> iterators;
  /// The loop that becomes vectors, and their number of elements.
  unsigned vectorDim = 0;
  int64_t width = 1;
  /// A parallel loop of which `rows` iterations run side by side inside of the
  /// reductions, so that they share what they load.
  std::optional<unsigned> rowDim;
  int64_t rows = 1;
  /// What combines the lanes of each result; empty unless that loop reduces.
  llvm::SmallVector<mlir::vector::CombiningKind> combiners;

  bool isReduction(unsigned dim) const {
    return iterators[dim] == mlir::utils::IteratorType::reduction;
  }
  bool reducesLanes() const { return isReduction(vectorDim); }
  unsigned numInputs() const { return op.getNumDpsInputs(); }
  Access access(unsigned operand, unsigned dim) const;
  /// Elements from one index of the vector loop to the next.
  int64_t stride(unsigned operand, unsigned dim) const;
};

/// Chooses, or finds that the operation has no vector form. Flattening inserts
/// views before the operation.
std::optional<VectorPlan>
planVectors(mlir::OpBuilder &b, mlir::linalg::LinalgOp op, int64_t vectorBits);
} // namespace kevolve

#endif // KEVOLVE_PASSES_LINALGTOMTIA_VECTORPLAN_H
