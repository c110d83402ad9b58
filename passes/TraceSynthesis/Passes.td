//===- Passes.td - Passes of TraceSynthesis ---------------------------*- tablegen -*-===//
#ifndef KEVOLVE_PASSES_TRACESYNTHESIS
#define KEVOLVE_PASSES_TRACESYNTHESIS

include "mlir/Pass/PassBase.td"

#endif // KEVOLVE_PASSES_TRACESYNTHESIS
