//===- TritonBuilder.h - Scalar Triton operations by name -------*- C++ -*-===//
#ifndef KEVOLVE_PASSES_INSTRUMENT_TRITONBUILDER_H
#define KEVOLVE_PASSES_INSTRUMENT_TRITONBUILDER_H

#include "mlir/IR/Builders.h"

namespace kevolve {
/// Builds the few scalar operations of Triton that probes need, as unregistered
/// operations. Triton gives scalar stores to one thread of the program.
class TritonBuilder {
public:
  TritonBuilder(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}

  /// `text` as inline assembly with side effects that gives an i64.
  mlir::Value inlineAssembly(llvm::StringRef text, llvm::StringRef constraints);
  /// The index of this program among all of the launch, x fastest.
  mlir::Value linearProgramId();
  mlir::Value addPointer(mlir::Value pointer, mlir::Value elements);
  mlir::Value load(mlir::Value pointer);
  void store(mlir::Value pointer, mlir::Value value);

  mlir::Value constant(int64_t value);
  mlir::Value add(mlir::Value left, mlir::Value right);
  mlir::Value subtract(mlir::Value left, mlir::Value right);
  /// `first` if `count` is 0, else `other`.
  mlir::Value selectIfZero(mlir::Value count, mlir::Value first,
                           mlir::Value other);

  static mlir::Type i64Pointer(mlir::MLIRContext *context);

private:
  mlir::Value create(llvm::StringRef name, mlir::ValueRange operands,
                     mlir::Type result,
                     llvm::ArrayRef<mlir::NamedAttribute> properties);
  mlir::Value perAxis(llvm::StringRef name, int32_t axis);

  mlir::OpBuilder &builder;
  mlir::Location loc;
};

/// Appends an argument to a `tt.func`, named `name`.
mlir::Value appendArgument(mlir::Operation *function, mlir::Type type,
                           llvm::StringRef name);
} // namespace kevolve

#endif // KEVOLVE_PASSES_INSTRUMENT_TRITONBUILDER_H
