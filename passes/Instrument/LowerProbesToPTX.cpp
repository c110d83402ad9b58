//===- LowerProbesToPTX.cpp - Probes with NVIDIA's clock ------------------===//
#include "dialects/Probe/Probe.h"
#include "passes/Instrument/LowerProbesToGpu.h"
#include "passes/Instrument/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace kevolve {
#define GEN_PASS_DEF_LOWERPROBESTOPTXPASS
#include "passes/Instrument/Passes.h.inc"
} // namespace kevolve

namespace {
struct LowerProbesToPTXPass
    : kevolve::impl::LowerProbesToPTXPassBase<LowerProbesToPTXPass> {
  void runOnOperation() override {
    // PTX ISA, "Special Registers: %clock64": a counter of the SM's cycles.
    kevolve::GpuClock clock{"mov.u64 $0, %clock64;", "=l"};
    if (failed(kevolve::lowerProbesToGpu(getOperation(), clock)))
      signalPassFailure();
  }
};
} // namespace
