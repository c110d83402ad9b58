//===- VectorLoops.cpp - A linalg operation as loops of vectors -----------===//
#include "passes/LinalgToMtia/VectorLoops.h"
#include "passes/LinalgToMtia/VectorBody.h"
#include "passes/LinalgToMtia/VectorPlan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace kevolve;

namespace {
using Values = SmallVector<Value>;
using LoopBody = llvm::function_ref<Values(OpBuilder &, ValueRange)>;

/// A stretch of the vector loop that has one vector width.
struct Stretch {
  int64_t begin, end, width;
};

class LoopEmitter {
public:
  explicit LoopEmitter(const VectorPlan &plan)
      : plan(plan), loc(plan.op.getLoc()), indices(plan.extents.size()) {}

  void emit(OpBuilder &b);

private:
  Values nest(OpBuilder &b, ArrayRef<unsigned> dims, ValueRange carried,
              LoopBody body);
  Values loop(OpBuilder &b, unsigned dim, Stretch stretch, ValueRange carried,
              LoopBody body);
  SmallVector<Stretch> stretches() const;
  SmallVector<unsigned> otherDims(utils::IteratorType type) const;
  Values loadResults(OpBuilder &b, int64_t width);
  void storeResults(OpBuilder &b, ValueRange values);
  Values forRows(ArrayRef<Value> rows,
                 llvm::function_ref<Values(unsigned)> each);
  void emitStretch(OpBuilder &b, int64_t width, ArrayRef<Value> rows);
  void emitParallelLanes(OpBuilder &b);
  void emitReducedLanes(OpBuilder &b);
  Values neutral(OpBuilder &b, int64_t width);
  Values combineLanes(OpBuilder &b, ValueRange lanes, ValueRange scalars);

  const VectorPlan &plan;
  Location loc;
  Values indices;
};
} // namespace

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

static Value constantIndex(OpBuilder &b, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

Values LoopEmitter::loop(OpBuilder &b, unsigned dim, Stretch stretch,
                         ValueRange carried, LoopBody body) {
  Value begin = constantIndex(b, loc, stretch.begin);
  if (stretch.begin + stretch.width >= stretch.end) {
    indices[dim] = begin;
    return body(b, carried);
  }
  auto loop =
      scf::ForOp::create(b, loc, begin, constantIndex(b, loc, stretch.end),
                         constantIndex(b, loc, stretch.width), carried);
  indices[dim] = loop.getInductionVar();
  OpBuilder inner = OpBuilder::atBlockBegin(loop.getBody());
  if (carried.empty()) {
    body(inner, {});
    return {};
  }
  Values next = body(inner, loop.getRegionIterArgs());
  scf::YieldOp::create(inner, loc, next);
  return llvm::to_vector_of<Value>(loop.getResults());
}

Values LoopEmitter::nest(OpBuilder &b, ArrayRef<unsigned> dims,
                         ValueRange carried, LoopBody body) {
  if (dims.empty())
    return body(b, carried);
  int64_t step = plan.rowDim == dims.front() ? plan.rows : 1;
  return loop(b, dims.front(), {0, plan.extents[dims.front()], step}, carried,
              [&](OpBuilder &inner, ValueRange values) {
                return nest(inner, dims.drop_front(), values, body);
              });
}

SmallVector<unsigned> LoopEmitter::otherDims(utils::IteratorType type) const {
  SmallVector<unsigned> dims;
  for (auto [dim, iterator] : llvm::enumerate(plan.iterators))
    if (iterator == type && dim != plan.vectorDim)
      dims.push_back(dim);
  return dims;
}

/// Whole vectors, and what is left of the extent as one shorter vector.
SmallVector<Stretch> LoopEmitter::stretches() const {
  int64_t extent = plan.extents[plan.vectorDim];
  int64_t whole = extent / plan.width * plan.width;
  SmallVector<Stretch> result = {{0, whole, plan.width}};
  if (whole < extent)
    result.push_back({whole, extent, extent - whole});
  return result;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// The results so far, where the body uses them.
Values LoopEmitter::loadResults(OpBuilder &b, int64_t width) {
  VectorBody body(plan, indices);
  linalg::LinalgOp op = plan.op;
  bool reduces = op.getNumReductionLoops() > 0;
  Values results;
  for (unsigned i = 0, e = op.getNumDpsInits(); i < e; ++i) {
    bool used = reduces || !op.getRegionOutputArgs()[i].use_empty();
    results.push_back(used ? body.load(b, plan.numInputs() + i, width)
                           : Value());
  }
  return results;
}

void LoopEmitter::storeResults(OpBuilder &b, ValueRange values) {
  VectorBody body(plan, indices);
  for (auto [i, value] : llvm::enumerate(values))
    body.store(b, plan.numInputs() + i, value);
}

/// Calls `each` with the indices of every row, and gathers what it returns.
Values LoopEmitter::forRows(ArrayRef<Value> rows,
                            llvm::function_ref<Values(unsigned)> each) {
  Values all;
  for (auto [row, index] : llvm::enumerate(rows)) {
    if (plan.rowDim)
      indices[*plan.rowDim] = index;
    llvm::append_range(all, each(row));
  }
  return all;
}

void LoopEmitter::emitStretch(OpBuilder &b, int64_t width,
                              ArrayRef<Value> rows) {
  unsigned results = plan.op.getNumDpsInits();
  auto ofRow = [&](ValueRange values, unsigned row) {
    return values.slice(row * results, results);
  };
  Values soFar = forRows(rows, [&](unsigned) { return loadResults(b, width); });
  Values values = nest(b, otherDims(utils::IteratorType::reduction), soFar,
                       [&](OpBuilder &inner, ValueRange carried) {
                         return forRows(rows, [&](unsigned row) {
                           return VectorBody(plan, indices)
                               .evaluate(inner, width, ofRow(carried, row));
                         });
                       });
  forRows(rows, [&](unsigned row) {
    storeResults(b, ofRow(values, row));
    return Values();
  });
}

void LoopEmitter::emitParallelLanes(OpBuilder &b) {
  Values rows(1);
  if (plan.rowDim) {
    rows = {indices[*plan.rowDim]};
    for (int64_t row = 1; row < plan.rows; ++row)
      rows.push_back(
          arith::AddIOp::create(b, loc, rows[0], constantIndex(b, loc, row)));
  }
  for (Stretch stretch : stretches())
    loop(b, plan.vectorDim, stretch, {}, [&](OpBuilder &at, ValueRange) {
      emitStretch(at, stretch.width, rows);
      return Values();
    });
}

//===----------------------------------------------------------------------===//
// Reductions along the lanes
//===----------------------------------------------------------------------===//

Values LoopEmitter::neutral(OpBuilder &b, int64_t width) {
  Values result;
  for (Value v : plan.op.getBlock()->getTerminator()->getOperands()) {
    TypedAttr element = *arith::getNeutralElement(v.getDefiningOp());
    // x + -0.0 is x for every x, and folds.
    if (isa<arith::AddFOp>(v.getDefiningOp()))
      element = b.getFloatAttr(v.getType(), -0.0);
    auto type = VectorType::get({width}, v.getType());
    result.push_back(arith::ConstantOp::create(
        b, loc, DenseElementsAttr::get(type, Attribute(element))));
  }
  return result;
}

Values LoopEmitter::combineLanes(OpBuilder &b, ValueRange lanes,
                                 ValueRange scalars) {
  Values result;
  for (auto [kind, vector, scalar] :
       llvm::zip(plan.combiners, lanes, scalars)) {
    // Lanes are added in any order, as threads of a GPU do.
    auto flags = isa<FloatType>(scalar.getType())
                     ? arith::FastMathFlags::reassoc
                     : arith::FastMathFlags::none;
    result.push_back(
        vector::ReductionOp::create(b, loc, kind, vector, scalar, flags));
  }
  return result;
}

void LoopEmitter::emitReducedLanes(OpBuilder &b) {
  SmallVector<unsigned> reductions = otherDims(utils::IteratorType::reduction);
  Values scalars = loadResults(b, /*width=*/1);
  for (Stretch stretch : stretches()) {
    Values lanes =
        nest(b, reductions, neutral(b, stretch.width),
             [&](OpBuilder &outer, ValueRange carried) {
               return loop(outer, plan.vectorDim, stretch, carried,
                           [&](OpBuilder &inner, ValueRange soFar) {
                             return VectorBody(plan, indices)
                                 .evaluate(inner, stretch.width, soFar);
                           });
             });
    scalars = combineLanes(b, lanes, scalars);
  }
  storeResults(b, scalars);
}

void LoopEmitter::emit(OpBuilder &b) {
  nest(b, otherDims(utils::IteratorType::parallel), {},
       [&](OpBuilder &inner, ValueRange) {
         if (plan.reducesLanes())
           emitReducedLanes(inner);
         else
           emitParallelLanes(inner);
         return Values();
       });
}

LogicalResult kevolve::emitVectorLoops(OpBuilder &b, linalg::LinalgOp op,
                                       int64_t vectorBits) {
  b.setInsertionPoint(op);
  std::optional<VectorPlan> plan = planVectors(b, op, vectorBits);
  if (!plan)
    return failure();
  LoopEmitter(*plan).emit(b);
  return success();
}
