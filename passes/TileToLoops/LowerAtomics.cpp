//===- LowerAtomics.cpp - Atomics as loops --------------------------------===//
#include "passes/TileToLoops/Lowering.h"

#include "dialects/Tile/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace kevolve::tile;

static LLVM::AtomicOrdering getOrdering(Ordering ordering) {
  switch (ordering) {
  case Ordering::Relaxed:
    return LLVM::AtomicOrdering::monotonic;
  case Ordering::Acquire:
    return LLVM::AtomicOrdering::acquire;
  case Ordering::Release:
    return LLVM::AtomicOrdering::release;
  case Ordering::AcqRel:
    return LLVM::AtomicOrdering::acq_rel;
  }
  llvm_unreachable("unknown ordering");
}

static LLVM::AtomicBinOp getBinaryOp(AtomicKind kind) {
  switch (kind) {
  case AtomicKind::And:
    return LLVM::AtomicBinOp::_and;
  case AtomicKind::Or:
    return LLVM::AtomicBinOp::_or;
  case AtomicKind::Xor:
    return LLVM::AtomicBinOp::_xor;
  case AtomicKind::Add:
    return LLVM::AtomicBinOp::add;
  case AtomicKind::FAdd:
    return LLVM::AtomicBinOp::fadd;
  case AtomicKind::Max:
    return LLVM::AtomicBinOp::max;
  case AtomicKind::Min:
    return LLVM::AtomicBinOp::min;
  case AtomicKind::UMax:
    return LLVM::AtomicBinOp::umax;
  case AtomicKind::UMin:
    return LLVM::AtomicBinOp::umin;
  case AtomicKind::Xchg:
    return LLVM::AtomicBinOp::xchg;
  }
  llvm_unreachable("unknown kind");
}

/// Ordering when the comparison fails: nothing is released then.
static LLVM::AtomicOrdering getFailureOrdering(Ordering ordering) {
  bool acquires = ordering == Ordering::Acquire || ordering == Ordering::AcqRel;
  return acquires ? LLVM::AtomicOrdering::acquire
                  : LLVM::AtomicOrdering::monotonic;
}

/// `value` as integer bits, or integer bits as `type`.
static Value createBits(OpBuilder &b, Location loc, Value value, Type type) {
  return value.getType() == type
             ? value
             : arith::BitcastOp::create(b, loc, type, value);
}

namespace {
/// The operands of one element of an atomic: its values first, in order.
using CreateOne = function_ref<Value(OpBuilder &, Location, ValueRange values,
                                     Value address)>;
} // namespace

/// old + value, rounded to bf16 as arith does.
static Value createBf16Sum(OpBuilder &b, Location loc, Value old, Value value) {
  Value sum = arith::AddFOp::create(
      b, loc, arith::ExtFOp::create(b, loc, b.getF32Type(), old),
      arith::ExtFOp::create(b, loc, b.getF32Type(), value));
  return arith::TruncFOp::create(b, loc, b.getBF16Type(), sum);
}

/// Sums of bf16 are exchanged until nobody came between: LLVM would call a
/// library to round them.
static Value createBf16Add(OpBuilder &b, Location loc, AtomicRMWOp op,
                           Value value, Value address) {
  Type bits = b.getI16Type(), bf16 = b.getBF16Type();
  Value pointer = createPointer(b, loc, address);
  Value first = LLVM::LoadOp::create(b, loc, bits, pointer);
  auto exchange = [&](OpBuilder &b, Location loc, ValueRange seen) {
    Value sum = createBf16Sum(b, loc, createBits(b, loc, seen[0], bf16), value);
    Value pair = LLVM::AtomicCmpXchgOp::create(
        b, loc, pointer, seen[0], createBits(b, loc, sum, bits),
        getOrdering(op.getOrdering()), getFailureOrdering(op.getOrdering()));
    Value done = LLVM::ExtractValueOp::create(b, loc, pair, 1);
    Value yes = arith::ConstantIntOp::create(b, loc, b.getI1Type(), 1);
    Value again = arith::XOrIOp::create(b, loc, done, yes);
    Value old = LLVM::ExtractValueOp::create(b, loc, pair, 0);
    scf::ConditionOp::create(b, loc, again, old);
  };
  auto retry = [](OpBuilder &b, Location loc, ValueRange seen) {
    scf::YieldOp::create(b, loc, seen);
  };
  auto loop = scf::WhileOp::create(b, loc, TypeRange{bits}, ValueRange{first},
                                   exchange, retry);
  return createBits(b, loc, loop.getResult(0), bf16);
}

static Value createOneRMW(OpBuilder &b, Location loc, AtomicRMWOp op,
                          ValueRange values, Value address) {
  if (op.getKind() == AtomicKind::FAdd && values[0].getType().isBF16())
    return createBf16Add(b, loc, op, values[0], address);
  return LLVM::AtomicRMWOp::create(b, loc, getBinaryOp(op.getKind()),
                                   createPointer(b, loc, address), values[0],
                                   getOrdering(op.getOrdering()));
}

static Value createOneCAS(OpBuilder &b, Location loc, AtomicCASOp op,
                          ValueRange values, Value address) {
  Type type = values[0].getType();
  Type bits = b.getIntegerType(type.getIntOrFloatBitWidth());
  Value pair = LLVM::AtomicCmpXchgOp::create(
      b, loc, createPointer(b, loc, address),
      createBits(b, loc, values[0], bits), createBits(b, loc, values[1], bits),
      getOrdering(op.getOrdering()), getFailureOrdering(op.getOrdering()));
  return createBits(b, loc, LLVM::ExtractValueOp::create(b, loc, pair, 0),
                    type);
}

/// One address; where the mask is false nothing happens and the result is zero.
template <typename AtomicOp>
static void lowerScalar(AtomicOp op, ValueRange values,
                        PatternRewriter &rewriter, CreateOne createOne) {
  Location loc = op.getLoc();
  if (!op.getMask())
    return rewriter.replaceOp(
        op, createOne(rewriter, loc, values, op.getAddress()));
  auto update = [&](OpBuilder &b, Location loc) {
    scf::YieldOp::create(b, loc, createOne(b, loc, values, op.getAddress()));
  };
  auto skip = [&](OpBuilder &b, Location loc) {
    Value zero =
        arith::ConstantOp::create(b, loc, b.getZeroAttr(values[0].getType()));
    scf::YieldOp::create(b, loc, zero);
  };
  auto ifOp = scf::IfOp::create(rewriter, loc, op.getMask(), update, skip);
  rewriter.replaceOp(op, ifOp.getResults());
}

template <typename AtomicOp>
static void lowerElements(AtomicOp op, ValueRange values,
                          PatternRewriter &rewriter, CreateOne createOne) {
  auto update = [&](OpBuilder &b, Location loc, ValueRange indices) {
    createIfTrue(
        b, loc, op.getMask(), indices, [&](OpBuilder &b, Location loc) {
          SmallVector<Value> elements;
          for (Value value : values)
            elements.push_back(memref::LoadOp::create(b, loc, value, indices));
          Value address =
              memref::LoadOp::create(b, loc, op.getAddress(), indices);
          Value old = createOne(b, loc, elements, address);
          if (op.getInit())
            memref::StoreOp::create(b, loc, old, op.getInit(), indices);
        });
  };
  createLoopsOver(rewriter, op.getLoc(), op.getAddress(), update);
  rewriter.eraseOp(op);
}

template <typename AtomicOp>
static LogicalResult lowerAtomic(AtomicOp op, ValueRange values,
                                 PatternRewriter &rewriter,
                                 CreateOne createOne) {
  if (isa<RankedTensorType>(op.getAddress().getType()))
    return failure();
  if (!op.isScalar())
    lowerElements(op, values, rewriter, createOne);
  else if (op.getResult())
    lowerScalar(op, values, rewriter, createOne);
  else {
    createIfTrue(rewriter, op.getLoc(), op.getMask(), {},
                 [&](OpBuilder &b, Location loc) {
                   createOne(b, loc, values, op.getAddress());
                 });
    rewriter.eraseOp(op);
  }
  return success();
}

static LogicalResult lowerRMW(AtomicRMWOp op, PatternRewriter &rewriter) {
  auto createOne = [&](OpBuilder &b, Location loc, ValueRange values,
                       Value address) {
    return createOneRMW(b, loc, op, values, address);
  };
  return lowerAtomic(op, op.getValue(), rewriter, createOne);
}

static LogicalResult lowerCAS(AtomicCASOp op, PatternRewriter &rewriter) {
  auto createOne = [&](OpBuilder &b, Location loc, ValueRange values,
                       Value address) {
    return createOneCAS(b, loc, op, values, address);
  };
  SmallVector<Value> values = {op.getExpected(), op.getValue()};
  return lowerAtomic(op, values, rewriter, createOne);
}

void kevolve::tile::populateAtomicToLoopsPatterns(RewritePatternSet &patterns) {
  patterns.add(lowerRMW).add(lowerCAS);
}
