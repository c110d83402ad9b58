//===- ConvertContraction.cpp - tt.dot to named linalg contractions -------===//
#include "passes/TritonToLinalg/Conversion.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace kevolve::triton;

/// Accumulates in the destination; operands are extended to the type of the
/// accumulator (integers with their sign), as linalg's named operations do.
/// `inputPrecision` allows less precision than this, and asks for none.
static LogicalResult convertDot(const OpConversion &c) {
  ValueRange inputs = c.operands.take_front(2);
  Value accumulator = createDestination(c.rewriter, c.loc(), c.operands[2]);
  switch (c.tensorType().getRank()) {
  case 2:
    return c.replaceWith(
        linalg::MatmulOp::create(c.rewriter, c.loc(), inputs, accumulator)
            .getResults());
  case 3:
    return c.replaceWith(
        linalg::BatchMatmulOp::create(c.rewriter, c.loc(), inputs, accumulator)
            .getResults());
  default:
    return c.unsupported("operands must have rank 2 or 3");
  }
}

void kevolve::triton::addContractionConversions(ConversionTable &table) {
  table["tt.dot"] = convertDot;
}
