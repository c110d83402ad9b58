//===- Passes.td - Passes of TritonToLinalg ---------------------------*- tablegen -*-===//
#ifndef KEVOLVE_PASSES_TRITONTOLINALG
#define KEVOLVE_PASSES_TRITONTOLINALG

include "mlir/Pass/PassBase.td"

#endif // KEVOLVE_PASSES_TRITONTOLINALG
