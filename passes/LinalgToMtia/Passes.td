//===- Passes.td - Passes of LinalgToMtia ---------------------------*- tablegen -*-===//
#ifndef KEVOLVE_PASSES_LINALGTOMTIA
#define KEVOLVE_PASSES_LINALGTOMTIA

include "mlir/Pass/PassBase.td"

#endif // KEVOLVE_PASSES_LINALGTOMTIA
