//===- Passes.td - Passes of MtiaToLLVM ---------------------------*- tablegen -*-===//
#ifndef KEVOLVE_PASSES_MTIATOLLVM
#define KEVOLVE_PASSES_MTIATOLLVM

include "mlir/Pass/PassBase.td"

#endif // KEVOLVE_PASSES_MTIATOLLVM
