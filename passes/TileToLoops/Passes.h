//===- Passes.h - Passes of TileToLoops ---------------------------*- C++
//-*-===//
#ifndef KEVOLVE_PASSES_TILETOLOOPS_PASSES_H
#define KEVOLVE_PASSES_TILETOLOOPS_PASSES_H

#include "mlir/Pass/Pass.h"

namespace kevolve {
#define GEN_PASS_DECL
#include "passes/TileToLoops/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/TileToLoops/Passes.h.inc"
} // namespace kevolve

#endif // KEVOLVE_PASSES_TILETOLOOPS_PASSES_H
