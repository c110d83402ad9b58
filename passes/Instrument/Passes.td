//===- Passes.td - Passes of Instrument ---------------------------*- tablegen -*-===//
#ifndef KEVOLVE_PASSES_INSTRUMENT
#define KEVOLVE_PASSES_INSTRUMENT

include "mlir/Pass/PassBase.td"

#endif // KEVOLVE_PASSES_INSTRUMENT
