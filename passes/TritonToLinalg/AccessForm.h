//===- AccessForm.h - A scalar plus a stride for each dimension -*- C++ -*-===//
#ifndef KEVOLVE_PASSES_TRITONTOLINALG_ACCESSFORM_H
#define KEVOLVE_PASSES_TRITONTOLINALG_ACCESSFORM_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace kevolve::triton {

/// What a tensor of integers or pointers holds: `base + sum of i_d *
/// strides[d]` at (i_0, i_1, ...). Base and strides are scalars of `element`,
/// which is i64 (and counts bytes) for pointers; a null value is zero.
struct AccessForm {
  mlir::Type element;
  mlir::Value base;
  llvm::SmallVector<mlir::Value> strides;

  bool isUniform() const {
    return llvm::none_of(strides,
                         [](mlir::Value stride) { return bool(stride); });
  }
};

/// The constant that `value` is known to be, if any; a null value is zero.
std::optional<int64_t> getConstant(mlir::Value value);

/// Whether two scalars are the same value or the same constant.
bool isSameScalar(mlir::Value a, mlir::Value b);

/// Whether two forms have the same strides.
bool hasSameStrides(const AccessForm &a, const AccessForm &b);

/// Arithmetic on scalars where null is zero; folds what is constant.
struct ScalarMath {
  mlir::OpBuilder &builder;
  mlir::Location loc;

  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value subtract(mlir::Value a, mlir::Value b);
  mlir::Value multiply(mlir::Value a, mlir::Value b);
  mlir::Value multiply(mlir::Value a, int64_t constant);
  /// Sign-extends or truncates to another integer type.
  mlir::Value resize(mlir::Value value, mlir::Type type);
  mlir::Value constant(mlir::Type type, int64_t value);
  /// `value`, or the zero that null stands for.
  mlir::Value orZero(mlir::Value value, mlir::Type type);
  /// `value` as an index: an attribute if it is constant.
  mlir::OpFoldResult index(mlir::Value value);
};

/// The tensor that `form` says, of type `type` (pointers go through i64).
mlir::Value createTensor(mlir::OpBuilder &builder, mlir::Location loc,
                         const AccessForm &form, mlir::RankedTensorType type);

} // namespace kevolve::triton

#endif // KEVOLVE_PASSES_TRITONTOLINALG_ACCESSFORM_H
