//===- StripProbes.cpp - Removes every probe ------------------------------===//
#include "dialects/Probe/Probe.h"
#include "passes/Instrument/Passes.h"

#include "mlir/IR/BuiltinOps.h"

namespace kevolve {
#define GEN_PASS_DEF_STRIPPROBESPASS
#include "passes/Instrument/Passes.h.inc"
} // namespace kevolve

using namespace mlir;
using namespace kevolve::probe;

namespace {
struct StripProbesPass : kevolve::impl::StripProbesPassBase<StripProbesPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<Operation *> begins;
    module.walk([&](Operation *op) {
      if (isa<EndOp>(op))
        op->erase();
      else if (isa<BeginOp>(op))
        begins.push_back(op);
    });
    for (Operation *begin : begins)
      begin->erase();
    module->removeAttr(ProbeDialect::getSitesAttrName());
  }
};
} // namespace
