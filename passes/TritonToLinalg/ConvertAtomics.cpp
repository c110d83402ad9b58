//===- ConvertAtomics.cpp - Atomic updates --------------------------------===//
#include "passes/TritonToLinalg/Conversion.h"

#include "dialects/Tile/Tile.h"
#include "passes/TritonToLinalg/TritonOps.h"

using namespace mlir;
using namespace kevolve;
using namespace kevolve::triton;

/// The result and destination of an atomic: neither if the old values are not
/// used.
namespace {
struct OldValues {
  Type type;
  Value init;
};
} // namespace

static OldValues getOldValues(const OpConversion &c) {
  if (c.op->use_empty())
    return {};
  auto type = dyn_cast<RankedTensorType>(c.resultType());
  return {c.resultType(),
          type ? createEmpty(c.rewriter, c.loc(), type) : Value()};
}

static LogicalResult replaceAtomic(const OpConversion &c, Value result) {
  if (result)
    return c.replaceWith(result);
  c.rewriter.eraseOp(c.op);
  return success();
}

/// Orderings have Triton's numbers; `scope` narrows who takes part, and every
/// program does here.
static std::optional<tile::Ordering> getOrdering(const OpConversion &c) {
  return tile::symbolizeOrdering(getInteger(c.op, "sem"));
}

static LogicalResult convertAtomicRMW(const OpConversion &c) {
  std::optional<tile::AtomicKind> kind =
      tile::symbolizeAtomicKind(getInteger(c.op, "atomic_rmw_op"));
  std::optional<tile::Ordering> ordering = getOrdering(c);
  if (!kind || !ordering)
    return c.unsupported("unknown kind or ordering");
  Value mask = getMask(c, 2);
  OldValues old = getOldValues(c);
  auto atomic =
      tile::AtomicRMWOp::create(c.rewriter, c.loc(), old.type, *kind, *ordering,
                                c.operands[1], c.operands[0], mask, old.init);
  return replaceAtomic(c, atomic.getResult());
}

static LogicalResult convertAtomicCAS(const OpConversion &c) {
  std::optional<tile::Ordering> ordering = getOrdering(c);
  if (!ordering)
    return c.unsupported("unknown ordering");
  OldValues old = getOldValues(c);
  auto atomic = tile::AtomicCASOp::create(
      c.rewriter, c.loc(), old.type, *ordering, c.operands[1], c.operands[2],
      c.operands[0], Value(), old.init);
  return replaceAtomic(c, atomic.getResult());
}

void kevolve::triton::addAtomicConversions(ConversionTable &table) {
  table["tt.atomic_rmw"] = convertAtomicRMW;
  table["tt.atomic_cas"] = convertAtomicCAS;
}
