//===- Passes.h - Passes of LinalgToMtia -----------------------*- C++ -*-===//
#ifndef KEVOLVE_PASSES_LINALGTOMTIA_PASSES_H
#define KEVOLVE_PASSES_LINALGTOMTIA_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace kevolve {
#define GEN_PASS_DECL
#include "passes/LinalgToMtia/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/LinalgToMtia/Passes.h.inc"
} // namespace kevolve

#endif // KEVOLVE_PASSES_LINALGTOMTIA_PASSES_H
