//===- StaticCost.cpp - Bytes, flops and trips that IR tells --------------===//
#include "passes/Instrument/StaticCost.h"
#include "passes/Instrument/SiteKinds.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using kevolve::probe::SiteKind;

namespace {
/// Shape and element size of a tensor, memref, vector, `!ttg.memdesc` or
/// scalar.
struct Extent {
  SmallVector<int64_t> shape;
  int64_t elementBytes = 0; // 0: not data (a token, a descriptor)

  int64_t elements() const {
    int64_t product = 1;
    for (int64_t size : shape)
      product *= size;
    return product;
  }
  int64_t bytes() const { return elements() * elementBytes; }
};
} // namespace

/// The body of the opaque type `!dialect.name<body>`, if `type` is one.
static std::optional<StringRef> opaqueBody(Type type, StringRef dialect,
                                           StringRef name) {
  auto opaque = dyn_cast<OpaqueType>(type);
  if (!opaque || opaque.getDialectNamespace().getValue() != dialect)
    return std::nullopt;
  StringRef data = opaque.getTypeData();
  if (!data.consume_front(name) || !data.consume_front("<") ||
      !data.consume_back(">"))
    return std::nullopt;
  return data;
}

/// Bytes of an element type by its name in IR: f16, bf16, f8E5M2, i1,
/// !tt.ptr<..>.
static int64_t bytesOfTypeName(StringRef name) {
  if (name.starts_with("!tt.ptr"))
    return 8;
  StringRef digits = name.drop_until([](char c) { return llvm::isDigit(c); })
                         .take_while([](char c) { return llvm::isDigit(c); });
  int64_t bits = 0;
  if (digits.getAsInteger(10, bits))
    return name == "index" ? 8 : 0;
  return (bits + 7) / 8;
}

static int64_t bytesOfElement(Type type) {
  if (type.isIntOrFloat())
    return (type.getIntOrFloatBitWidth() + 7) / 8;
  if (type.isIndex() || opaqueBody(type, "tt", "ptr"))
    return 8;
  return 0;
}

/// `!ttg.memdesc<3x64x32xf16, ...>`
static Extent extentOfMemdesc(StringRef body) {
  Extent extent;
  StringRef rest = body.take_until([](char c) { return c == ','; });
  int64_t size = 0;
  while (!rest.empty() && llvm::isDigit(rest.front()) &&
         !rest.consumeInteger(10, size) && rest.consume_front("x"))
    extent.shape.push_back(size);
  extent.elementBytes = bytesOfTypeName(rest);
  return extent;
}

static Extent extentOf(Type type) {
  if (auto body = opaqueBody(type, "ttg", "memdesc"))
    return extentOfMemdesc(*body);
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped)
    return {{}, bytesOfElement(type)};
  if (!shaped.hasStaticShape())
    return {};
  return {llvm::to_vector(shaped.getShape()),
          bytesOfElement(shaped.getElementType())};
}

/// Bytes of what a pointer, or each of a tensor of pointers, points at; else 0.
static int64_t pointeeBytes(Type type) {
  if (auto shaped = dyn_cast<RankedTensorType>(type))
    type = shaped.getElementType();
  auto body = opaqueBody(type, "tt", "ptr");
  if (!body)
    return 0;
  return bytesOfTypeName(body->take_until([](char c) { return c == ','; }));
}

static int64_t largestTensor(Operation *op) {
  int64_t elements = 1;
  for (Type type : op->getOperandTypes())
    if (isa<RankedTensorType>(type))
      elements = std::max(elements, extentOf(type).elements());
  return elements;
}

static int64_t largestMemdesc(Operation *op) {
  int64_t bytes = 0;
  for (Type type : op->getOperandTypes())
    if (auto body = opaqueBody(type, "ttg", "memdesc"))
      bytes = std::max(bytes, extentOfMemdesc(*body).bytes());
  return bytes;
}

/// What is moved shows as a result, else through a pointer, else as the shared
/// memory copied to or from, else as the first (or the destination) buffer.
static int64_t bytesMoved(Operation *op) {
  if (op->getNumResults())
    if (int64_t bytes = extentOf(op->getResult(0).getType()).bytes())
      return bytes;
  for (Type type : op->getOperandTypes())
    if (int64_t pointee = pointeeBytes(type))
      return pointee * largestTensor(op);
  if (int64_t bytes = largestMemdesc(op))
    return bytes;
  if (auto style = dyn_cast<DestinationStyleOpInterface>(op);
      style && style.getNumDpsInits())
    return extentOf(style.getDpsInits().front().getType()).bytes();
  for (Type type : op->getOperandTypes())
    if (isa<RankedTensorType, MemRefType>(type))
      return extentOf(type).bytes();
  return 0;
}

int64_t kevolve::bytesOf(Operation *op, SiteKind kind) {
  bool moves = kind == SiteKind::Load || kind == SiteKind::Store ||
               kind == SiteKind::Atomic;
  return moves ? bytesMoved(op) : 0;
}

int64_t kevolve::tripCountOf(Operation *op) {
  auto loop = dyn_cast<scf::ForOp>(op);
  APInt lower, upper, step;
  if (!loop || !matchPattern(loop.getLowerBound(), m_ConstantInt(&lower)) ||
      !matchPattern(loop.getUpperBound(), m_ConstantInt(&upper)) ||
      !matchPattern(loop.getStep(), m_ConstantInt(&step)) ||
      !step.isStrictlyPositive())
    return -1;
  if (upper.sle(lower))
    return 0;
  return llvm::divideCeil(upper.getSExtValue() - lower.getSExtValue(),
                          step.getSExtValue());
}

/// A (M x K) times B (K x N) into C, with any batch dimensions: 2 * |A| * N,
/// whichever of them is transposed in A. Triton, linalg and mtia all have C
/// third.
static int64_t flopsOfDot(Operation *op) {
  if (op->getNumOperands() < 3)
    return 0;
  Extent a = extentOf(op->getOperand(0).getType());
  Extent c = extentOf(op->getOperand(2).getType());
  return c.shape.empty() ? 0 : 2 * a.elements() * c.shape.back();
}

static bool isFloatArithmetic(Operation *op) {
  StringRef dialect = op->getName().getDialectNamespace();
  if ((dialect != "arith" && dialect != "math") || op->getNumResults() != 1)
    return false;
  bool isMove = op->hasTrait<OpTrait::ConstantLike>() ||
                llvm::is_contained({"arith.extf", "arith.truncf",
                                    "arith.select", "arith.bitcast"},
                                   op->getName().getStringRef());
  return !isMove &&
         isa<FloatType>(getElementTypeOrSelf(op->getResult(0).getType()));
}

static int64_t flopsInside(Operation *op);

static int64_t flopsInside(Region &region) {
  int64_t flops = 0;
  for (Operation &nested : region.getOps())
    flops += flopsInside(&nested);
  return flops;
}

/// Of `op` itself and all it contains, loops counted as often as they run.
static int64_t flopsInside(Operation *op) {
  if (isFloatArithmetic(op))
    return extentOf(op->getResult(0).getType()).elements();
  int64_t flops = 0;
  for (Region &region : op->getRegions())
    flops += flopsInside(region);
  if (!kevolve::isLoop(op))
    return flops;
  return flops * std::max<int64_t>(kevolve::tripCountOf(op), 0);
}

static int64_t flopsOfLinalg(linalg::LinalgOp op) {
  int64_t iterations = 1;
  for (int64_t range : op.getStaticLoopRanges())
    iterations *= ShapedType::isDynamic(range) ? 0 : range;
  return iterations * flopsInside(op->getRegion(0));
}

int64_t kevolve::flopsOf(Operation *op, SiteKind kind) {
  if (kind == SiteKind::Dot)
    return flopsOfDot(op);
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    return flopsOfLinalg(structured);
  if (op->getName().getStringRef() == "mtia.se_unary")
    return extentOf(op->getOperand(0).getType()).elements();
  if (kind == SiteKind::Reduce || kind == SiteKind::Scan)
    return largestTensor(op) * flopsInside(op->getRegion(0));
  return kind == SiteKind::Compute ? flopsInside(op) : 0;
}
