//===- LowerAccesses.cpp - Loads, stores, gathers and scatters as loops ---===//
#include "passes/TileToLoops/Lowering.h"

#include "dialects/Tile/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace kevolve::tile;

using ElementBody = function_ref<void(OpBuilder &, Location, ValueRange)>;

Value kevolve::tile::createPointer(OpBuilder &builder, Location loc,
                                   Value address) {
  auto type = LLVM::LLVMPointerType::get(builder.getContext());
  return LLVM::IntToPtrOp::create(builder, loc, type, address);
}

/// What a value of `type` is in memory: an i1 is a byte, a type that LLVM does
/// not know (f8) an integer.
static Type getStorageType(Type type) {
  if (type.isInteger(1))
    return IntegerType::get(type.getContext(), 8);
  bool isKnown =
      isa<IntegerType, Float16Type, BFloat16Type, Float32Type, Float64Type>(
          type);
  return isKnown ? type
                 : IntegerType::get(type.getContext(),
                                    type.getIntOrFloatBitWidth());
}

static Value createLoad(OpBuilder &b, Location loc, Type type, Value pointer) {
  Type storage = getStorageType(type);
  Value stored = LLVM::LoadOp::create(b, loc, storage, pointer);
  if (storage == type)
    return stored;
  if (type.isInteger(1))
    return arith::TruncIOp::create(b, loc, type, stored);
  return arith::BitcastOp::create(b, loc, type, stored);
}

static void createStore(OpBuilder &b, Location loc, Value value,
                        Value pointer) {
  Type storage = getStorageType(value.getType());
  if (value.getType().isInteger(1))
    value = arith::ExtUIOp::create(b, loc, storage, value);
  else if (storage != value.getType())
    value = arith::BitcastOp::create(b, loc, storage, value);
  LLVM::StoreOp::create(b, loc, value, pointer);
}

void kevolve::tile::createLoopsOver(OpBuilder &builder, Location loc,
                                    Value memref, ElementBody body) {
  int64_t rank = cast<MemRefType>(memref.getType()).getRank();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  SmallVector<Value> ends;
  for (int64_t dim = 0; dim < rank; ++dim)
    ends.push_back(builder.createOrFold<memref::DimOp>(loc, memref, dim));
  SmallVector<Value> starts(rank, zero), steps(rank, one);
  scf::buildLoopNest(builder, loc, starts, ends, steps, body);
}

void kevolve::tile::createIfTrue(
    OpBuilder &builder, Location loc, Value mask, ValueRange indices,
    function_ref<void(OpBuilder &, Location)> body) {
  if (!mask)
    return body(builder, loc);
  Value flag = mask;
  if (isa<MemRefType>(mask.getType()))
    flag = memref::LoadOp::create(builder, loc, mask, indices);
  scf::IfOp::create(builder, loc, flag, [&](OpBuilder &b, Location loc) {
    body(b, loc);
    scf::YieldOp::create(b, loc);
  });
}

/// Pointer to an element: the base and a stride in bytes for each index. LLVM
/// follows pointers through a loop, but not integers that become pointers in
/// it.
template <typename BoxOp>
static Value createElementPointer(OpBuilder &b, Location loc, BoxOp op,
                                  ValueRange indices) {
  Value base = createPointer(b, loc, op.getBase());
  Value offset;
  for (auto [index, stride] : llvm::zip(indices, op.getMixedStrides())) {
    Value bytes = b.createOrFold<arith::MulIOp>(
        loc, index, getValueOrCreateConstantIndexOp(b, loc, stride));
    Value wide = b.createOrFold<arith::IndexCastOp>(loc, b.getI64Type(), bytes);
    offset = offset ? b.createOrFold<arith::AddIOp>(loc, offset, wide) : wide;
  }
  if (!offset)
    return base;
  return LLVM::GEPOp::create(b, loc, base.getType(), b.getI8Type(), base,
                             ArrayRef<LLVM::GEPArg>{offset});
}

/// Loops over the part of the box that lies in the tile.
template <typename BoxOp>
static void createLoopsOverBox(OpBuilder &b, BoxOp op, Value tile,
                               ElementBody body) {
  Location loc = op.getLoc();
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  SmallVector<Value> starts, ends;
  for (OpFoldResult lower : op.getMixedLower())
    starts.push_back(b.createOrFold<arith::MaxSIOp>(
        loc, getValueOrCreateConstantIndexOp(b, loc, lower), zero));
  for (auto [dim, upper] : llvm::enumerate(op.getMixedUpper()))
    ends.push_back(b.createOrFold<arith::MinSIOp>(
        loc, getValueOrCreateConstantIndexOp(b, loc, upper),
        b.createOrFold<memref::DimOp>(loc, tile, static_cast<int64_t>(dim))));
  SmallVector<Value> steps(starts.size(), one);
  scf::buildLoopNest(b, loc, starts, ends, steps, body);
}

/// The memref that an operation works on; null if it still works on a tensor.
static Value asMemRef(Value value) {
  return isa<MemRefType>(value.getType()) ? value : Value();
}

static LogicalResult lowerLoad(LoadOp op, PatternRewriter &rewriter) {
  Value buffer = asMemRef(op.getInit());
  if (!buffer)
    return failure();
  Type type = op.getTileType().getElementType();
  createLoopsOverBox(
      rewriter, op, buffer,
      [&](OpBuilder &b, Location loc, ValueRange indices) {
        Value element =
            createLoad(b, loc, type, createElementPointer(b, loc, op, indices));
        memref::StoreOp::create(b, loc, element, buffer, indices);
      });
  rewriter.eraseOp(op);
  return success();
}

static LogicalResult lowerStore(StoreOp op, PatternRewriter &rewriter) {
  Value buffer = asMemRef(op.getValue());
  if (!buffer)
    return failure();
  createLoopsOverBox(
      rewriter, op, buffer,
      [&](OpBuilder &b, Location loc, ValueRange indices) {
        Value element = memref::LoadOp::create(b, loc, buffer, indices);
        createStore(b, loc, element, createElementPointer(b, loc, op, indices));
      });
  rewriter.eraseOp(op);
  return success();
}

static LogicalResult lowerGather(GatherOp op, PatternRewriter &rewriter) {
  Value buffer = asMemRef(op.getInit());
  if (!buffer)
    return failure();
  Type type = cast<MemRefType>(buffer.getType()).getElementType();
  auto load = [&](OpBuilder &b, Location loc, ValueRange indices) {
    createIfTrue(
        b, loc, op.getMask(), indices, [&](OpBuilder &b, Location loc) {
          Value address =
              memref::LoadOp::create(b, loc, op.getAddresses(), indices);
          Value element =
              createLoad(b, loc, type, createPointer(b, loc, address));
          memref::StoreOp::create(b, loc, element, buffer, indices);
        });
  };
  createLoopsOver(rewriter, op.getLoc(), buffer, load);
  rewriter.eraseOp(op);
  return success();
}

static LogicalResult lowerScatter(ScatterOp op, PatternRewriter &rewriter) {
  Value buffer = asMemRef(op.getValue());
  if (!buffer)
    return failure();
  auto store = [&](OpBuilder &b, Location loc, ValueRange indices) {
    createIfTrue(
        b, loc, op.getMask(), indices, [&](OpBuilder &b, Location loc) {
          Value address =
              memref::LoadOp::create(b, loc, op.getAddresses(), indices);
          createStore(b, loc, memref::LoadOp::create(b, loc, buffer, indices),
                      createPointer(b, loc, address));
        });
  };
  createLoopsOver(rewriter, op.getLoc(), buffer, store);
  rewriter.eraseOp(op);
  return success();
}

static LogicalResult lowerLoadScalar(LoadScalarOp op,
                                     PatternRewriter &rewriter) {
  Value pointer = createPointer(rewriter, op.getLoc(), op.getAddress());
  rewriter.replaceOp(op,
                     createLoad(rewriter, op.getLoc(), op.getType(), pointer));
  return success();
}

static LogicalResult lowerStoreScalar(StoreScalarOp op,
                                      PatternRewriter &rewriter) {
  createStore(rewriter, op.getLoc(), op.getValue(),
              createPointer(rewriter, op.getLoc(), op.getAddress()));
  rewriter.eraseOp(op);
  return success();
}

void kevolve::tile::populateAccessToLoopsPatterns(RewritePatternSet &patterns) {
  patterns.add(lowerLoad).add(lowerStore).add(lowerGather).add(lowerScatter);
  patterns.add(lowerLoadScalar).add(lowerStoreScalar);
}
