//===- Passes.h - Passes of MtiaToLLVM ---------------------------*- C++ -*-===//
#ifndef KEVOLVE_PASSES_MTIATOLLVM_PASSES_H
#define KEVOLVE_PASSES_MTIATOLLVM_PASSES_H

#include "mlir/Pass/Pass.h"

namespace kevolve {
#define GEN_PASS_DECL
#include "passes/MtiaToLLVM/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/MtiaToLLVM/Passes.h.inc"
} // namespace kevolve

#endif // KEVOLVE_PASSES_MTIATOLLVM_PASSES_H
