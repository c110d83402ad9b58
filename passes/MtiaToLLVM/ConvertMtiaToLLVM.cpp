//===- ConvertMtiaToLLVM.cpp - mtia to custom instructions ----------------===//
#include "passes/MtiaToLLVM/Passes.h"

#include "passes/MtiaToLLVM/BoxLowering.h"
#include "passes/MtiaToLLVM/CopyLowering.h"
#include "passes/MtiaToLLVM/KernelAbi.h"

#include "simulator/isa/mtia_isa.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/TypeSwitch.h"

namespace kevolve {
#define GEN_PASS_DEF_CONVERTMTIATOLLVM
#include "passes/MtiaToLLVM/Passes.h.inc"
} // namespace kevolve

using namespace mlir;
using namespace kevolve;

static constexpr llvm::StringLiteral kKernelAttribute = "kevolve.kernel";

/// What clang uses for riscv64-unknown-elf.
static constexpr llvm::StringLiteral kDataLayout =
    "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128";
static constexpr llvm::StringLiteral kTriple = "riscv64-unknown-elf";

//===----------------------------------------------------------------------===//
// DPE and SE
//===----------------------------------------------------------------------===//

static int64_t rowStrideBytes(Value matrix) {
  auto type = cast<MemRefType>(matrix.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  (void)type.getStridesAndOffset(strides, offset);
  return strides.front() * mtia::elementBytes(type.getElementType());
}

static int64_t matmulFlags(mtia::DpeMatmulOp op) {
  Type element = cast<MemRefType>(op.getA().getType()).getElementType();
  int64_t flags = element.isF16()    ? MTIA_DPE_FP16
                  : element.isBF16() ? MTIA_DPE_BF16
                                     : MTIA_DPE_INT8;
  flags |= op.getAccumulate() ? MTIA_DPE_ACCUMULATE : 0;
  flags |= op.getTransposeA() ? MTIA_DPE_TRANSPOSE_A : 0;
  flags |= op.getTransposeB() ? MTIA_DPE_TRANSPOSE_B : 0;
  return flags;
}

static Value lowerMatmul(CommandBuilder &cb, mtia::DpeMatmulOp op) {
  CommandBuilder::Parameters p{};
  p[0] = cb.address(op.getB());
  p[1] = cb.constant(op.getM() | op.getN() << 16 | op.getK() << 32);
  p[2] =
      cb.constant(rowStrideBytes(op.getA()) | rowStrideBytes(op.getB()) << 32);
  p[3] = cb.constant(rowStrideBytes(op.getC()) | matmulFlags(op) << 32);
  return cb.issue(MTIA_CMD_DPE_MATMUL, p, cb.address(op.getC()),
                  cb.address(op.getA()));
}

static Value lowerUnary(CommandBuilder &cb, mtia::SeUnaryOp op) {
  auto type = cast<MemRefType>(op.getSrc().getType());
  Type element = type.getElementType();
  int64_t elementType = element.isF32()   ? MTIA_SE_FP32
                        : element.isF16() ? MTIA_SE_FP16
                                          : MTIA_SE_BF16;
  CommandBuilder::Parameters p{};
  p[0] = cb.constant(type.getNumElements());
  // SeFunction's values are MTIA_SE_*.
  p[1] = cb.constant(int64_t(op.getFunction()) | elementType << 8);
  return cb.issue(MTIA_CMD_SE_UNARY, p, cb.address(op.getDst()),
                  cb.address(op.getSrc()));
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

static Value lowerIndexCsr(CommandBuilder &cb, unsigned csr) {
  return arith::IndexCastOp::create(cb.b, cb.loc, cb.b.getIndexType(),
                                    cb.readCsr(csr));
}

/// A memref descriptor of constant memory, which the conversion of memref to
/// LLVM meets through a cast.
static Value lowerLocalBuffer(CommandBuilder &cb, mtia::LocalBufferOp op) {
  auto type = cast<MemRefType>(op.getBuffer().getType());
  LLVMTypeConverter converter(op.getContext());
  Value address = LLVM::ConstantOp::create(
      cb.b, cb.loc, cb.b.getI64IntegerAttr(MTIA_LS_BASE + op.getOffset()));
  Value pointer = LLVM::IntToPtrOp::create(
      cb.b, cb.loc, LLVM::LLVMPointerType::get(op.getContext()), address);
  Value descriptor =
      MemRefDescriptor::fromStaticShape(cb.b, cb.loc, converter, type, pointer);
  return UnrealizedConversionCastOp::create(cb.b, cb.loc, type, descriptor)
      .getResult(0);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// What replaces the result of `op`; null for other dialects' operations.
static Value lowerValue(CommandBuilder &cb, Operation *op) {
  return TypeSwitch<Operation *, Value>(op)
      .Case([&](mtia::DmaLoadOp dma) { return lowerDmaLoad(cb, dma); })
      .Case([&](mtia::DmaStoreOp dma) { return lowerDmaStore(cb, dma); })
      .Case([&](mtia::FillOp fill) { return lowerFill(cb, fill); })
      .Case([&](mtia::DpeMatmulOp matmul) { return lowerMatmul(cb, matmul); })
      .Case([&](mtia::SeUnaryOp unary) { return lowerUnary(cb, unary); })
      .Case([&](mtia::NoTicketOp) { return cb.constant(0); })
      .Case([&](mtia::PeIdOp) { return lowerIndexCsr(cb, MTIA_CSR_PE); })
      .Case([&](mtia::NumPesOp) { return lowerIndexCsr(cb, MTIA_CSR_NUM_PES); })
      .Case([&](mtia::LocalBufferOp buffer) {
        return lowerLocalBuffer(cb, buffer);
      })
      .Default([](Operation *) { return Value(); });
}

static void lowerOperation(Operation *op) {
  OpBuilder b(op);
  CommandBuilder cb(b, op->getLoc());
  if (auto wait = dyn_cast<mtia::WaitOp>(op))
    cb.wait(wait.getTicket());
  else if (isa<mtia::WaitAllOp>(op))
    cb.waitAll();
  else
    op->getResult(0).replaceAllUsesWith(lowerValue(cb, op));
  op->erase();
}

/// Tickets travel through the structured control flow of other dialects; there
/// only their type changes.
static void retypeTickets(Operation *root) {
  Type i64 = IntegerType::get(root->getContext(), 64);
  auto retype = [&](ValueRange values) {
    for (Value value : values)
      if (isa<mtia::TicketType>(value.getType()))
        value.setType(i64);
  };
  root->walk([&](Operation *op) {
    retype(op->getResults());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        retype(block.getArguments());
  });
}

static void setTarget(ModuleOp module) {
  Builder b(module.getContext());
  module->setAttr(LLVM::LLVMDialect::getDataLayoutAttrName(),
                  b.getStringAttr(kDataLayout));
  module->setAttr(LLVM::LLVMDialect::getTargetTripleAttrName(),
                  b.getStringAttr(kTriple));
}

namespace {
struct ConvertMtiaToLLVMPass
    : public kevolve::impl::ConvertMtiaToLLVMBase<ConvertMtiaToLLVMPass> {
  void runOnOperation() override {
    setTarget(getOperation());
    retypeTickets(getOperation());
    getOperation()->walk([](memref::CopyOp copy) { lowerCopy(copy); });
    SmallVector<Operation *> operations;
    getOperation()->walk([&](Operation *op) {
      if (isa_and_nonnull<mtia::MtiaDialect>(op->getDialect()))
        operations.push_back(op);
    });
    llvm::for_each(operations, lowerOperation);
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function->hasAttr(kKernelAttribute) &&
          failed(lowerKernelAbi(function)))
        return signalPassFailure();
  }
};
} // namespace
