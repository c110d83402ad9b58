//===- VectorBody.h - A linalg body on vectors -----------------*- C++ -*-===//
#ifndef KEVOLVE_PASSES_LINALGTOMTIA_VECTORBODY_H
#define KEVOLVE_PASSES_LINALGTOMTIA_VECTORBODY_H

#include "passes/LinalgToMtia/VectorPlan.h"

namespace kevolve {
/// Elements of operands at the current loop indices, and the body on them.
class VectorBody {
public:
  VectorBody(const VectorPlan &plan, llvm::ArrayRef<mlir::Value> indices)
      : plan(plan), indices(indices) {}

  /// `width` elements of an operand from the current indices on; one scalar if
  /// it does not vary along them.
  mlir::Value load(mlir::OpBuilder &b, unsigned operand, int64_t width) const;
  void store(mlir::OpBuilder &b, unsigned operand, mlir::Value value) const;

  /// What the body yields for vectors of `width` elements, given the results so
  /// far (null where the body does not use them).
  llvm::SmallVector<mlir::Value> evaluate(mlir::OpBuilder &b, int64_t width,
                                          mlir::ValueRange soFar) const;

private:
  llvm::SmallVector<mlir::Value> position(mlir::OpBuilder &b,
                                          unsigned operand) const;
  mlir::Value laneOffsets(mlir::OpBuilder &b, unsigned operand,
                          int64_t width) const;
  mlir::Value indexLanes(mlir::OpBuilder &b, mlir::Type element,
                         int64_t width) const;
  void evaluate(mlir::OpBuilder &b, int64_t width, mlir::Operation &op,
                mlir::IRMapping &values) const;

  const VectorPlan &plan;
  llvm::ArrayRef<mlir::Value> indices;
};

/// `value` in each of `width` lanes, unless it is a vector already.
mlir::Value toVector(mlir::OpBuilder &b, mlir::Value value, int64_t width);
} // namespace kevolve

#endif // KEVOLVE_PASSES_LINALGTOMTIA_VECTORBODY_H
