//===- CopyLowering.cpp - memref.copy as loops ----------------------------===//
#include "passes/MtiaToLLVM/CopyLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/Utils/MemRefUtils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

static bool isContiguous(Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  return memref::isStaticShapeAndContiguousRowMajor(type);
}

/// All dimensions as one.
static Value flatten(OpBuilder &b, Location loc, Value memref) {
  int64_t rank = cast<MemRefType>(memref.getType()).getRank();
  ReassociationIndices all;
  llvm::append_range(all, llvm::seq<int64_t>(0, rank));
  SmallVector<ReassociationIndices> groups{all};
  return memref::CollapseShapeOp::create(b, loc, memref, groups);
}

void kevolve::lowerCopy(memref::CopyOp copy) {
  OpBuilder b(copy);
  Location loc = copy.getLoc();
  Value source = copy.getSource(), target = copy.getTarget();
  int64_t rank = cast<MemRefType>(source.getType()).getRank();
  if (rank > 1 && isContiguous(source) && isContiguous(target)) {
    source = flatten(b, loc, source);
    target = flatten(b, loc, target);
    rank = 1;
  }
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  SmallVector<Value> indices;
  for (int64_t d = 0; d < rank; ++d) {
    Value extent = b.createOrFold<memref::DimOp>(loc, source, d);
    auto loop = scf::ForOp::create(b, loc, index(0), extent, index(1));
    indices.push_back(loop.getInductionVar());
    b.setInsertionPointToStart(loop.getBody());
  }
  Value element = memref::LoadOp::create(b, loc, source, indices);
  memref::StoreOp::create(b, loc, element, target, indices);
  copy.erase();
}
