//===- ConvertDebug.cpp - What only speaks to the developer ---------------===//
//
// No target of ours has a console or a trap that a kernel could reach, so
// tt.print and tt.assert are dropped, and say so. A barrier (tl.debug_barrier)
// is dropped too, and loses nothing: one hart runs a program, in order.
//
//===----------------------------------------------------------------------===//
#include "passes/TritonToLinalg/Conversion.h"

using namespace mlir;
using namespace kevolve::triton;

static LogicalResult dropWithWarning(const OpConversion &c) {
  c.op->emitWarning() << "'" << c.op->getName()
                      << "' is dropped: it has no meaning here";
  c.rewriter.eraseOp(c.op);
  return success();
}

static LogicalResult dropBarrier(const OpConversion &c) {
  c.rewriter.eraseOp(c.op);
  return success();
}

void kevolve::triton::addDebugConversions(ConversionTable &table) {
  table["tt.print"] = dropWithWarning;
  table["tt.assert"] = dropWithWarning;
  table["ttg.barrier"] = dropBarrier;
}
