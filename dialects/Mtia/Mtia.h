//===- Mtia.h - The mtia dialect -----------------------------*- C++ -*-===//
#ifndef KEVOLVE_DIALECTS_MTIA_MTIA_H
#define KEVOLVE_DIALECTS_MTIA_MTIA_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace kevolve::mtia {
/// Memory behind the NoC, which DMA commands read and write by address.
struct GlobalMemory : mlir::SideEffects::Resource::Base<GlobalMemory> {
  llvm::StringRef getName() final { return "mtia.global_memory"; }
};

/// Bytes that one element of a local buffer takes (an i1 takes one).
int64_t elementBytes(mlir::Type element);
} // namespace kevolve::mtia

#include "dialects/Mtia/MtiaDialect.h.inc"
#include "dialects/Mtia/MtiaEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Mtia/MtiaAttrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "dialects/Mtia/MtiaTypes.h.inc"
#define GET_OP_CLASSES
#include "dialects/Mtia/MtiaOps.h.inc"

#endif // KEVOLVE_DIALECTS_MTIA_MTIA_H
