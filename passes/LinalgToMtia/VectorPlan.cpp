//===- VectorPlan.cpp - Which loop of an operation becomes vectors --------===//
#include "passes/LinalgToMtia/VectorPlan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace kevolve;

// Relative costs of one vector of an operand, against one of arithmetic:
// strided accesses go element by element in the load-store unit, and lanes are
// combined by a sequence of dependent instructions.
static constexpr double kUniformCost = 0.25;
static constexpr double kContiguousCost = 1;
static constexpr double kStridedCost = 16;
static constexpr double kCombineLanesCost = 16;

//===----------------------------------------------------------------------===//
// What has a vector form
//===----------------------------------------------------------------------===//

/// i1 in memory is a byte, but a vector of i1 is a mask of bits.
static bool isVectorElement(Type type) {
  return type.isF16() || type.isBF16() || type.isF32() || type.isF64() ||
         type.isInteger(8) || type.isInteger(16) || type.isInteger(32) ||
         type.isInteger(64);
}

static bool isStaticBufferOrScalar(Value v) {
  if (auto type = dyn_cast<MemRefType>(v.getType()))
    return type.hasStaticShape() && isVectorElement(type.getElementType()) &&
           type.isStrided();
  return v.getType().isIntOrIndexOrFloat();
}

/// Every result is a loop of its own, or index 0.
static bool isSimpleMap(AffineMap map) {
  llvm::SmallBitVector used(map.getNumDims());
  for (AffineExpr expr : map.getResults()) {
    if (auto constant = dyn_cast<AffineConstantExpr>(expr);
        constant && constant.getValue() == 0)
      continue;
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim || used.test(dim.getPosition()))
      return false;
    used.set(dim.getPosition());
  }
  return true;
}

static bool hasVectorForm(Operation &op) {
  return isa<linalg::IndexOp, linalg::YieldOp, arith::ConstantOp>(op) ||
         (op.getNumRegions() == 0 &&
          OpTrait::hasElementwiseMappableTraits(&op));
}

static bool hasVectorForm(linalg::LinalgOp op) {
  return op.getNumLoops() > 0 && op.hasPureBufferSemantics() &&
         llvm::all_of(op->getOperands(), isStaticBufferOrScalar) &&
         llvm::all_of(op.getIndexingMapsArray(), isSimpleMap) &&
         llvm::all_of(*op.getBlock(),
                      [](Operation &o) { return hasVectorForm(o); });
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

int64_t VectorPlan::stride(unsigned operand, unsigned dim) const {
  auto type = dyn_cast<MemRefType>(operands[operand].getType());
  if (!type)
    return 0;
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return 0;
  for (auto [expr, stride] : llvm::zip(maps[operand].getResults(), strides))
    if (auto position = dyn_cast<AffineDimExpr>(expr);
        position && position.getPosition() == dim)
      return stride;
  return 0;
}

Access VectorPlan::access(unsigned operand, unsigned dim) const {
  int64_t elements = stride(operand, dim);
  if (elements == 0)
    return Access::Uniform;
  auto last = dyn_cast_or_null<AffineDimExpr>(
      maps[operand].getResults().empty() ? AffineExpr()
                                         : maps[operand].getResults().back());
  return elements == 1 && last && last.getPosition() == dim ? Access::Contiguous
                                                            : Access::Strided;
}

/// A gather indexes from the innermost dimension of its buffer.
static bool canGather(const VectorPlan &plan, unsigned operand) {
  auto type = cast<MemRefType>(plan.operands[operand].getType());
  return type.isLastDimUnitStride();
}

//===----------------------------------------------------------------------===//
// Flattening
//===----------------------------------------------------------------------===//

static bool canFlatten(const VectorPlan &plan) {
  auto flat = [&](auto pair) {
    auto [operand, map] = pair;
    auto type = dyn_cast<MemRefType>(operand.getType());
    return !type || (map.isIdentity() && type.getLayout().isIdentity());
  };
  bool parallel =
      llvm::none_of(llvm::seq<unsigned>(0, plan.extents.size()),
                    [&](unsigned dim) { return plan.isReduction(dim); });
  return plan.extents.size() > 1 && parallel && !plan.op.hasIndexSemantics() &&
         llvm::all_of(llvm::zip(plan.operands, plan.maps), flat);
}

/// Elementwise over whole buffers is one loop over all elements.
static void flatten(OpBuilder &b, VectorPlan &plan) {
  if (!canFlatten(plan))
    return;
  unsigned rank = plan.extents.size();
  ReassociationIndices all = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  for (auto [operand, map] : llvm::zip(plan.operands, plan.maps)) {
    map = AffineMap::get(1, 0, b.getContext());
    if (!isa<MemRefType>(operand.getType()))
      continue;
    operand = memref::CollapseShapeOp::create(
        b, plan.op.getLoc(), operand, ArrayRef<ReassociationIndices>{all});
    map = b.getDimIdentityMap();
  }
  int64_t elements = 1;
  for (int64_t extent : plan.extents)
    elements *= extent;
  plan.extents = {elements};
  plan.iterators = {utils::IteratorType::parallel};
}

//===----------------------------------------------------------------------===//
// Choosing
//===----------------------------------------------------------------------===//

/// The one operation that combines a new value with the result so far.
static std::optional<vector::CombiningKind> combinerOf(linalg::LinalgOp op,
                                                       unsigned result) {
  BlockArgument soFar = op.getRegionOutputArgs()[result];
  Value yielded = op.getBlock()->getTerminator()->getOperand(result);
  Operation *combiner = yielded.getDefiningOp();
  if (!combiner || !soFar.hasOneUse() || *soFar.user_begin() != combiner ||
      combiner->getNumOperands() != 2 || !arith::getNeutralElement(combiner))
    return std::nullopt;
  return linalg::getCombinerOpKind(combiner);
}

static bool setCombiners(VectorPlan &plan) {
  plan.combiners.clear();
  for (unsigned i = 0, e = plan.op.getNumDpsInits(); i < e; ++i) {
    auto kind = combinerOf(plan.op, i);
    if (!kind)
      return false;
    plan.combiners.push_back(*kind);
  }
  return true;
}

/// Widest value that the body makes for every element, in bits.
static int64_t widestBits(const VectorPlan &plan, unsigned dim) {
  int64_t widest = 8;
  auto add = [&](Type type) {
    // bf16 is computed in f32.
    if (type.isBF16())
      widest = std::max<int64_t>(widest, 32);
    else if (type.isIntOrFloat())
      widest = std::max<int64_t>(widest, type.getIntOrFloatBitWidth());
  };
  for (unsigned i = 0, e = plan.operands.size(); i < e; ++i)
    if (plan.access(i, dim) != Access::Uniform)
      add(getElementTypeOrSelf(plan.operands[i]));
  for (Operation &op : *plan.op.getBlock())
    for (Type type : op.getResultTypes())
      if (!isa<arith::ConstantOp>(op))
        add(type);
  return widest;
}

static int64_t widthFor(const VectorPlan &plan, unsigned dim,
                        int64_t vectorBits) {
  return std::min(plan.extents[dim], vectorBits / widestBits(plan, dim));
}

/// Cost per element when `dim` becomes vectors, or nothing when it cannot.
static std::optional<double> costOf(VectorPlan &plan, unsigned dim,
                                    int64_t vectorBits) {
  if (plan.isReduction(dim) && !setCombiners(plan))
    return std::nullopt;
  double perVector = plan.op.getBlock()->getOperations().size();
  for (unsigned i = 0, e = plan.operands.size(); i < e; ++i) {
    Access access = plan.access(i, dim);
    bool isResult = i >= plan.numInputs();
    if (isResult && (access == Access::Uniform) != plan.isReduction(dim))
      return std::nullopt;
    if (access == Access::Strided && !canGather(plan, i))
      return std::nullopt;
    perVector += access == Access::Uniform      ? kUniformCost
                 : access == Access::Contiguous ? kContiguousCost
                                                : kStridedCost;
  }
  double cost = perVector / widthFor(plan, dim, vectorBits);
  if (plan.isReduction(dim))
    cost += kCombineLanesCost / plan.extents[dim];
  return cost;
}

/// Accumulators of this many rows, and what they are computed from, fit the 32
/// vector registers when a vector takes 4 of them.
static constexpr int64_t kRowsTogether = 4;

/// Whether two iterations of `dim` load the same vectors of some operand.
static bool sharesLoads(const VectorPlan &plan, unsigned dim) {
  return llvm::any_of(
      llvm::seq<unsigned>(0, plan.numInputs()), [&](unsigned i) {
        return plan.access(i, plan.vectorDim) != Access::Uniform &&
               plan.access(i, dim) == Access::Uniform;
      });
}

/// For products of matrices: rows of the result that share vectors of B.
static void chooseRows(VectorPlan &plan) {
  bool reduces = plan.op.getNumReductionLoops() > 0;
  if (!reduces || plan.reducesLanes())
    return;
  for (unsigned dim = 0, e = plan.extents.size(); dim < e; ++dim) {
    if (dim == plan.vectorDim || plan.isReduction(dim) ||
        plan.extents[dim] % kRowsTogether != 0 || !sharesLoads(plan, dim))
      continue;
    plan.rowDim = dim;
    plan.rows = kRowsTogether;
  }
}

std::optional<VectorPlan>
kevolve::planVectors(OpBuilder &b, linalg::LinalgOp op, int64_t vectorBits) {
  if (!hasVectorForm(op))
    return std::nullopt;
  VectorPlan plan;
  plan.op = op;
  plan.operands = llvm::to_vector(op->getOperands());
  plan.maps = op.getIndexingMapsArray();
  plan.extents = op.getStaticLoopRanges();
  plan.iterators = op.getIteratorTypesArray();
  flatten(b, plan);

  std::optional<double> best;
  for (unsigned dim = 0, e = plan.extents.size(); dim < e; ++dim) {
    std::optional<double> cost = costOf(plan, dim, vectorBits);
    if (!cost || (best && *best <= *cost))
      continue;
    best = cost;
    plan.vectorDim = dim;
  }
  if (!best)
    return std::nullopt;
  plan.width = widthFor(plan, plan.vectorDim, vectorBits);
  plan.combiners.clear();
  if (plan.reducesLanes())
    setCombiners(plan);
  chooseRows(plan);
  return plan;
}
