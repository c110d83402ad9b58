//===- CheckLowered.cpp - What a PE has no instruction for ----------------===//
#include "passes/MtiaToLLVM/Passes.h"

#include "llvm/ADT/StringSet.h"

namespace kevolve {
#define GEN_PASS_DEF_MTIACHECKLOWERED
#include "passes/MtiaToLLVM/Passes.h.inc"
} // namespace kevolve

using namespace mlir;

/// Intrinsics that LLVM's RISC-V code generator turns into calls of libm or
/// libc.
static bool becomesCall(StringRef name) {
  static const llvm::StringSet<> names = {
      "llvm.frem",        "llvm.intr.acos",    "llvm.intr.asin",
      "llvm.intr.atan",   "llvm.intr.atan2",   "llvm.intr.cos",
      "llvm.intr.cosh",   "llvm.intr.exp",     "llvm.intr.exp10",
      "llvm.intr.exp2",   "llvm.intr.frexp",   "llvm.intr.ldexp",
      "llvm.intr.log",    "llvm.intr.log10",   "llvm.intr.log2",
      "llvm.intr.memcpy", "llvm.intr.memmove", "llvm.intr.memset",
      "llvm.intr.pow",    "llvm.intr.powi",    "llvm.intr.sin",
      "llvm.intr.sincos", "llvm.intr.sinh",    "llvm.intr.tan",
      "llvm.intr.tanh",
  };
  return names.contains(name);
}

static bool isLowered(Operation *op) {
  return isa<ModuleOp>(op) ||
         isa_and_nonnull<LLVM::LLVMDialect>(op->getDialect());
}

static LogicalResult check(Operation *op) {
  if (!isLowered(op))
    return op->emitError() << op->getName()
                           << " has no lowering to the instructions of a PE";
  if (becomesCall(op->getName().getStringRef()))
    return op->emitError() << op->getName()
                           << " needs a C library, which a PE does not have";
  auto call = dyn_cast<LLVM::CallOp>(op);
  if (call && call.getCallee() &&
      SymbolTable::lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(
          op, call.getCalleeAttr())
          .isExternal())
    return op->emitError() << "calls " << *call.getCallee()
                           << ", which a PE does not have";
  return success();
}

namespace {
struct MtiaCheckLoweredPass
    : public kevolve::impl::MtiaCheckLoweredBase<MtiaCheckLoweredPass> {
  void runOnOperation() override {
    WalkResult result = getOperation()->walk([](Operation *op) {
      return failed(check(op)) ? WalkResult::interrupt()
                               : WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
