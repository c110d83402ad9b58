//===- Passes.h - Passes of TritonToLinalg ---------------------------*- C++
//-*-===//
#ifndef KEVOLVE_PASSES_TRITONTOLINALG_PASSES_H
#define KEVOLVE_PASSES_TRITONTOLINALG_PASSES_H

#include "mlir/Pass/Pass.h"

namespace kevolve {
#define GEN_PASS_DECL
#include "passes/TritonToLinalg/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/TritonToLinalg/Passes.h.inc"
} // namespace kevolve

#endif // KEVOLVE_PASSES_TRITONTOLINALG_PASSES_H
