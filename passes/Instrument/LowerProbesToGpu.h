//===- LowerProbesToGpu.h - Probes as scalar Triton operations --*- C++ -*-===//
#ifndef KEVOLVE_PASSES_INSTRUMENT_LOWERPROBESTOGPU_H
#define KEVOLVE_PASSES_INSTRUMENT_LOWERPROBESTOGPU_H

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace kevolve {
/// How a GPU reads its clock: assembly that puts it into `$0`.
struct GpuClock {
  std::string assembly;
  std::string constraints;
};

/// Turns the probes of every kernel of `module` into clock reads and records,
/// and removes the site table. What the passes probe-lower-to-{ptx,amdgcn}
/// share.
mlir::LogicalResult lowerProbesToGpu(mlir::ModuleOp module,
                                     const GpuClock &clock);
} // namespace kevolve

#endif // KEVOLVE_PASSES_INSTRUMENT_LOWERPROBESTOGPU_H
