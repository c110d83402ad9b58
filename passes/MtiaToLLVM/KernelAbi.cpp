//===- KernelAbi.cpp - Kernels as functions of an argument block ----------===//
#include "passes/MtiaToLLVM/KernelAbi.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

/// One 8-byte slot per argument (mtia_isa.h).
static constexpr int64_t kSlotBytes = 8;

/// RVV counts scalable vectors in blocks of 64 bits; VLEN is 512 (MTIA 2i's
/// 64-byte registers, simulator/hart).
static constexpr int32_t kVscale = 512 / 64;

static bool fitsSlot(Type type) {
  return type.isIndex() ||
         (type.isIntOrFloat() && type.getIntOrFloatBitWidth() <= 64);
}

/// The value of slot `index`: the low bytes of it, as `type`.
static Value loadSlot(OpBuilder &b, Location loc, Value block, int64_t index,
                      Type type) {
  Value slot = block;
  if (index != 0)
    slot = LLVM::GEPOp::create(
        b, loc, block.getType(), b.getI8Type(), block,
        ArrayRef<LLVM::GEPArg>{int32_t(index * kSlotBytes)});
  auto load = [&](Type loaded) -> Value {
    return LLVM::LoadOp::create(b, loc, loaded, slot, kSlotBytes);
  };
  if (type.isIndex())
    return arith::IndexCastOp::create(b, loc, type, load(b.getI64Type()));
  if (type.isInteger(1))
    return arith::TruncIOp::create(b, loc, type, load(b.getI8Type()));
  return load(type);
}

static LogicalResult verifySignature(func::FuncOp kernel) {
  if (kernel.isExternal())
    return kernel.emitOpError() << "is a kernel without a body";
  if (kernel.getNumResults() != 0)
    return kernel.emitOpError() << "is a kernel and returns values";
  for (auto [index, type] : llvm::enumerate(kernel.getArgumentTypes()))
    if (!fitsSlot(type))
      return kernel.emitOpError()
             << "argument " << index << " of type " << type
             << " does not fit a slot of the argument block";
  return success();
}

LogicalResult kevolve::lowerKernelAbi(func::FuncOp kernel) {
  if (failed(verifySignature(kernel)))
    return failure();
  Location loc = kernel.getLoc();
  Block &entry = kernel.getBody().front();
  OpBuilder b = OpBuilder::atBlockBegin(&entry);
  auto pointer = LLVM::LLVMPointerType::get(kernel.getContext());
  unsigned count = entry.getNumArguments();
  Value block = entry.insertArgument(0u, pointer, loc);
  for (unsigned i = 0; i < count; ++i) {
    BlockArgument argument = entry.getArgument(1 + i);
    if (!argument.use_empty())
      argument.replaceAllUsesWith(
          loadSlot(b, loc, block, i, argument.getType()));
  }
  entry.eraseArguments(1, count);
  kernel.setArgAttrsAttr(ArrayAttr());
  // Loops stay loops: there is no memcpy or memset to call.
  kernel->setAttr("passthrough", b.getStrArrayAttr({"no-builtins"}));
  // Vector registers of 512 bits: vlenb / 8 is 8, neither more nor less.
  auto vscale = b.getI32IntegerAttr(kVscale);
  kernel->setAttr("vscale_range", LLVM::VScaleRangeAttr::get(
                                      kernel.getContext(), vscale, vscale));
  kernel.setType(FunctionType::get(kernel.getContext(), {pointer}, {}));
  return success();
}
