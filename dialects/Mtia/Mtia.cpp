//===- Mtia.cpp - The mtia dialect
//-------------------------------------------===//
#include "dialects/Mtia/Mtia.h"

#include "mlir/Dialect/MemRef/Utils/MemRefUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

#include "dialects/Mtia/MtiaDialect.cpp.inc"
#include "dialects/Mtia/MtiaEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Mtia/MtiaAttrs.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "dialects/Mtia/MtiaTypes.cpp.inc"

#define GET_OP_CLASSES
#include "dialects/Mtia/MtiaOps.cpp.inc"

using namespace mlir;
using namespace kevolve::mtia;

/// The CP takes three levels of loops in one command and the lowering adds the
/// rest; five is what Triton's block pointers reach.
static constexpr int64_t kMaxRank = 5;

void MtiaDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/Mtia/MtiaTypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/Mtia/MtiaAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Mtia/MtiaOps.cpp.inc"
      >();
}

int64_t kevolve::mtia::elementBytes(Type element) {
  return (element.getIntOrFloatBitWidth() + 7) / 8;
}

/// A local buffer: default memory space, and strides known at compile time (the
/// offset may depend on the program).
static LogicalResult verifyLocal(Operation *op, StringRef name,
                                 MemRefType type) {
  if (type.getMemorySpace())
    return op->emitOpError()
           << name
           << " must be in local memory (the default memory space), got "
           << type;
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)) ||
      llvm::any_of(strides, ShapedType::isDynamic))
    return op->emitOpError()
           << name << " must have a static strided layout, got " << type;
  return success();
}

/// Rows of the innermost dimension have no gaps.
static bool hasContiguousRows(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return false;
  return strides.empty() || strides.back() == 1 || type.getShape().back() == 1;
}

//===----------------------------------------------------------------------===//
// DMA
//===----------------------------------------------------------------------===//

template <typename DmaOp> static LogicalResult verifyDma(DmaOp op) {
  MemRefType type = op.getBufferType();
  if (type.getRank() > kMaxRank)
    return op.emitOpError()
           << "moves buffers of rank 0 to " << kMaxRank << ", got " << type;
  if (failed(verifyLocal(op, "buffer", type)))
    return failure();
  auto verifyCount = [&](StringRef list,
                         ArrayRef<int64_t> values) -> LogicalResult {
    if (static_cast<int64_t>(values.size()) == type.getRank())
      return success();
    return op.emitOpError() << "needs one of " << list << " per dimension of "
                            << type << ", got " << values.size();
  };
  if (failed(verifyCount("strides", op.getStaticStrides())) ||
      failed(verifyCount("lower", op.getStaticLower())) ||
      failed(verifyCount("upper", op.getStaticUpper())))
    return failure();
  return success();
}

LogicalResult DmaLoadOp::verify() { return verifyDma(*this); }
LogicalResult DmaStoreOp::verify() { return verifyDma(*this); }

namespace {
/// A mixed list split into its dynamic values and its static integers.
struct SplitList {
  explicit SplitList(ArrayRef<OpFoldResult> mixed) {
    dispatchIndexOpFoldResults(mixed, dynamic, fixed);
  }
  SmallVector<Value> dynamic;
  SmallVector<int64_t> fixed;
};
} // namespace

void DmaLoadOp::build(OpBuilder &b, OperationState &state, Value base,
                      ArrayRef<OpFoldResult> strides,
                      ArrayRef<OpFoldResult> lower,
                      ArrayRef<OpFoldResult> upper, Value buffer) {
  SplitList s(strides), l(lower), u(upper);
  build(b, state, base, s.dynamic, l.dynamic, u.dynamic, s.fixed, l.fixed,
        u.fixed, buffer);
}

void DmaStoreOp::build(OpBuilder &b, OperationState &state, Value buffer,
                       Value base, ArrayRef<OpFoldResult> strides,
                       ArrayRef<OpFoldResult> lower,
                       ArrayRef<OpFoldResult> upper) {
  SplitList s(strides), l(lower), u(upper);
  build(b, state, buffer, base, s.dynamic, l.dynamic, u.dynamic, s.fixed,
        l.fixed, u.fixed);
}

LogicalResult FillOp::verify() {
  auto type = cast<MemRefType>(getBuffer().getType());
  if (type.getElementType() != getValue().getType())
    return emitOpError() << "fills " << type << " with a value of type "
                         << getValue().getType();
  return verifyLocal(*this, "buffer", type);
}

//===----------------------------------------------------------------------===//
// DPE and SE
//===----------------------------------------------------------------------===//

static LogicalResult verifyMatrix(Operation *op, StringRef name,
                                  MemRefType type) {
  if (type.getRank() != 2)
    return op->emitOpError() << name << " must be a matrix, got " << type;
  if (failed(verifyLocal(op, name, type)))
    return failure();
  if (!hasContiguousRows(type))
    return op->emitOpError()
           << name << " must have contiguous rows, got " << type;
  return success();
}

LogicalResult DpeMatmulOp::verify() {
  auto a = cast<MemRefType>(getA().getType());
  auto b = cast<MemRefType>(getB().getType());
  auto c = cast<MemRefType>(getC().getType());
  if (failed(verifyMatrix(*this, "a", a)) ||
      failed(verifyMatrix(*this, "b", b)) ||
      failed(verifyMatrix(*this, "c", c)))
    return failure();
  if (a.getElementType() != b.getElementType())
    return emitOpError() << "operands must have one element type, got "
                         << a.getElementType() << " and " << b.getElementType();
  if (a.getElementType().isInteger() != c.getElementType().isInteger())
    return emitOpError()
           << "accumulates f16 and bf16 in f32 and i8 in i32, got "
           << a.getElementType() << " into " << c.getElementType();
  int64_t innerOfB = b.getDimSize(getTransposeB() ? 1 : 0);
  int64_t rowsOfA = a.getDimSize(getTransposeA() ? 1 : 0);
  int64_t columnsOfB = b.getDimSize(getTransposeB() ? 0 : 1);
  if (getK() != innerOfB || rowsOfA != getM() || columnsOfB != getN())
    return emitOpError() << "shapes do not fit: " << rowsOfA << "x" << getK()
                         << " times " << innerOfB << "x" << columnsOfB
                         << " into " << getM() << "x" << getN();
  // p1 = M | N << 16 | K << 32 (mtia_isa.h).
  if (std::max({getM(), getN(), getK()}) > 0xFFFF)
    return emitOpError() << "dimensions must be below 65536";
  return success();
}

LogicalResult SeUnaryOp::verify() {
  auto src = cast<MemRefType>(getSrc().getType());
  auto dst = cast<MemRefType>(getDst().getType());
  if (src.getShape() != dst.getShape() ||
      src.getElementType() != dst.getElementType())
    return emitOpError() << "needs one shape and element type, got " << src
                         << " and " << dst;
  for (auto [name, type] : {std::pair("src", src), std::pair("dst", dst)}) {
    if (failed(verifyLocal(*this, name, type)))
      return failure();
    if (!memref::isStaticShapeAndContiguousRowMajor(type))
      return emitOpError() << name << " must be contiguous, got " << type;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Local memory
//===----------------------------------------------------------------------===//

LogicalResult LocalBufferOp::verify() {
  auto type = cast<MemRefType>(getBuffer().getType());
  if (!type.getLayout().isIdentity())
    return emitOpError() << "must be contiguous, got " << type;
  if (failed(verifyLocal(*this, "buffer", type)))
    return failure();
  int64_t offset = getOffset();
  if (offset < 0 || offset % elementBytes(type.getElementType()) != 0)
    return emitOpError() << "offset " << offset
                         << " must be a non-negative multiple of the element's "
                         << elementBytes(type.getElementType()) << " bytes";
  return success();
}
