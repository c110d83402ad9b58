//===- AccessAnalysis.h - The structure of pointers and masks --*- C++ -*-===//
#ifndef KEVOLVE_PASSES_TRITONTOLINALG_ACCESSANALYSIS_H
#define KEVOLVE_PASSES_TRITONTOLINALG_ACCESSANALYSIS_H

#include "passes/TritonToLinalg/AccessForm.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

namespace kevolve::triton {

/// Finds the form of integer and pointer tensors, from their definitions. The
/// scalars of a form are made right after the tensor that they describe.
///
/// Tensors carried by scf.for have a form if each iteration only changes their
/// base: the loop then carries the base too. Room for it is made by the
/// constructor; `replaceCarriedTensors` makes the loops carry nothing else.
class AccessAnalysis {
public:
  explicit AccessAnalysis(mlir::func::FuncOp func);

  /// The form of a tensor, if it has one.
  std::optional<AccessForm> getForm(mlir::Value tensor);

  /// Rebuilds carried tensors that have a form from their bases.
  void replaceCarriedTensors();

private:
  using Result = std::optional<AccessForm>;

  /// A tensor that a loop carries, and the scalar that it carries beside it;
  /// both are positions among the loop's carried values.
  struct Carried {
    unsigned tensor;
    unsigned scalar;
  };

  void addScalars(mlir::scf::ForOp loop);
  void resolveLoop(mlir::scf::ForOp loop);
  void resolveAround(mlir::Operation *op);
  llvm::SmallVector<Carried> assumeForms(mlir::scf::ForOp loop);
  bool dropWrongAssumptions(mlir::scf::ForOp loop,
                            llvm::SmallVectorImpl<Carried> &candidates);
  void confirmForms(mlir::scf::ForOp loop, llvm::ArrayRef<Carried> candidates);
  void forgetInside(mlir::scf::ForOp loop);
  void replaceCarriedTensor(mlir::scf::ForOp loop, Carried carried);

  Result computeForm(mlir::Value tensor);
  Result computeTritonForm(mlir::Operation *op, mlir::RankedTensorType type);
  Result computeArithForm(mlir::Operation *op, mlir::RankedTensorType type);
  Result computeSplat(mlir::Operation *op, mlir::RankedTensorType type);
  Result computeRange(mlir::Operation *op, mlir::RankedTensorType type);
  Result computeBroadcast(mlir::Operation *op, mlir::RankedTensorType type);
  Result computeReshape(mlir::Operation *op, mlir::RankedTensorType type);
  Result computeTrans(mlir::Operation *op, mlir::RankedTensorType type);
  Result computeAddPtr(mlir::Operation *op);
  Result computeSum(mlir::Operation *op, bool subtracts);
  Result computeProduct(mlir::Operation *op);
  Result computeShift(mlir::Operation *op);
  Result computeResize(mlir::Operation *op, mlir::RankedTensorType type);
  Result computeZeroExtension(mlir::Operation *op, mlir::RankedTensorType type);
  Result computeUniform(mlir::Operation *op, mlir::RankedTensorType type);

  ScalarMath mathAfter(mlir::Operation *op);

  mlir::OpBuilder builder;
  llvm::DenseMap<mlir::Value, Result> forms;
  llvm::MapVector<mlir::Operation *, llvm::SmallVector<Carried>> carriedByLoop;
  llvm::MapVector<mlir::Operation *, llvm::SmallVector<Carried>> confirmed;
  llvm::DenseSet<mlir::Operation *> resolvedOrInProgress;
};

/// Where a mask is true: `lower[d] <= i_d < upper[d]` in every dimension, and
/// `condition`. Bounds are i64; a null value does not restrict.
struct MaskBox {
  llvm::SmallVector<mlir::Value> lower;
  llvm::SmallVector<mlir::Value> upper;
  mlir::Value condition;
};

/// Finds masks that are boxes.
class MaskAnalysis {
public:
  MaskAnalysis(AccessAnalysis &accesses, mlir::MLIRContext *context)
      : accesses(accesses), builder(context) {}

  /// The box of a mask, if it is one.
  std::optional<MaskBox> getBox(mlir::Value mask);

private:
  std::optional<MaskBox> computeBox(mlir::Operation *op,
                                    mlir::RankedTensorType type);
  std::optional<MaskBox> computeIntersection(mlir::Operation *op);
  std::optional<MaskBox> computeComparison(mlir::Operation *op, int64_t rank);
  std::optional<MaskBox> computeReshape(mlir::Operation *op,
                                        mlir::RankedTensorType type);
  std::optional<MaskBox> computeTrans(mlir::Operation *op);

  AccessAnalysis &accesses;
  mlir::OpBuilder builder;
};

/// For each dimension of `to`, the dimension of `from` with the same place if
/// dimensions of size one are left out, or -1 for those of size one; nothing if
/// the shapes differ otherwise.
std::optional<llvm::SmallVector<int64_t>>
matchDimensions(llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int64_t> to);

} // namespace kevolve::triton

#endif // KEVOLVE_PASSES_TRITONTOLINALG_ACCESSANALYSIS_H
