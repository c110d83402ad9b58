//===- CommandBuilder.h - Custom instructions as inline assembly -*- C++
//-*-===//
//
// The encodings of simulator/isa/mtia_isa.h, and folded i64 arithmetic for the
// operands of commands.
//
//===----------------------------------------------------------------------===//
#ifndef KEVOLVE_PASSES_MTIATOLLVM_COMMANDBUILDER_H
#define KEVOLVE_PASSES_MTIATOLLVM_COMMANDBUILDER_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

#include <array>
#include <optional>

namespace kevolve {

/// Builds at the insertion point of its OpBuilder. All values are i64.
class CommandBuilder {
public:
  CommandBuilder(mlir::OpBuilder &b, mlir::Location loc) : b(b), loc(loc) {}

  //--- Arithmetic ------------------------------------------------------------
  mlir::Value constant(int64_t value);
  /// An index or any integer as i64 (integers are sign-extended).
  mlir::Value toI64(mlir::Value value);
  mlir::Value toI64(mlir::OpFoldResult value);
  mlir::Value add(mlir::Value lhs, mlir::Value rhs);
  mlir::Value sub(mlir::Value lhs, mlir::Value rhs);
  mlir::Value mul(mlir::Value lhs, mlir::Value rhs);
  /// `value` limited to [low, high].
  mlir::Value clamp(mlir::Value value, int64_t low, int64_t high);
  mlir::Value maximum(mlir::Value lhs, mlir::Value rhs);
  mlir::Value minimum(mlir::Value lhs, mlir::Value rhs);
  mlir::Value isEqual(mlir::Value lhs, mlir::Value rhs);
  mlir::Value select(mlir::Value condition, mlir::Value yes, mlir::Value no);
  /// The bits of a scalar, zero-extended.
  mlir::Value bits(mlir::Value scalar);
  /// Address of the first element of a local buffer.
  mlir::Value address(mlir::Value memref);

  //--- Instructions ----------------------------------------------------------
  /// Parameters p0 .. p7; those without a value keep what they hold.
  using Parameters = std::array<mlir::Value, 8>;
  /// Sets parameters and issues a command; the ticket.
  mlir::Value issue(unsigned command, const Parameters &parameters,
                    mlir::Value rs1, mlir::Value rs2);
  void wait(mlir::Value ticket);
  void waitAll();
  mlir::Value readCsr(unsigned csr);

  mlir::OpBuilder &b;
  mlir::Location loc;

private:
  void set(unsigned pair, mlir::Value even, mlir::Value odd);
  mlir::Value assembly(const llvm::Twine &text, llvm::StringRef constraints,
                       mlir::ValueRange operands, bool result,
                       bool sideEffects = true);
};

/// If `op` is a `cp.set`: the pair of parameters that it sets.
std::optional<unsigned> getSetPair(mlir::Operation *op);

/// The compile-time value of an i64, if it has one.
std::optional<int64_t> getConstant(mlir::Value value);

} // namespace kevolve

#endif // KEVOLVE_PASSES_MTIATOLLVM_COMMANDBUILDER_H
