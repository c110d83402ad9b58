//===- Passes.h - Passes of TraceSynthesis ---------------------------*- C++
//-*-===//
#ifndef KEVOLVE_PASSES_TRACESYNTHESIS_PASSES_H
#define KEVOLVE_PASSES_TRACESYNTHESIS_PASSES_H

#include "mlir/Pass/Pass.h"

namespace kevolve {
#define GEN_PASS_DECL
#include "passes/TraceSynthesis/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/TraceSynthesis/Passes.h.inc"
} // namespace kevolve

#endif // KEVOLVE_PASSES_TRACESYNTHESIS_PASSES_H
