//===- Passes.h - Passes of MtiaToLLVM ---------------------------*- C++
//-*-===//
#ifndef KEVOLVE_PASSES_MTIATOLLVM_PASSES_H
#define KEVOLVE_PASSES_MTIATOLLVM_PASSES_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace kevolve {
#define GEN_PASS_DECL
#include "passes/MtiaToLLVM/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/MtiaToLLVM/Passes.h.inc"
} // namespace kevolve

#endif // KEVOLVE_PASSES_MTIATOLLVM_PASSES_H
