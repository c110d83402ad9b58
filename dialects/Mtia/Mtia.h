//===- Mtia.h - The mtia dialect -----------------------------*- C++ -*-===//
#ifndef KEVOLVE_DIALECTS_MTIA_MTIA_H
#define KEVOLVE_DIALECTS_MTIA_MTIA_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/Mtia/MtiaDialect.h.inc"
#include "dialects/Mtia/MtiaEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Mtia/MtiaAttrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "dialects/Mtia/MtiaTypes.h.inc"
#define GET_OP_CLASSES
#include "dialects/Mtia/MtiaOps.h.inc"

#endif // KEVOLVE_DIALECTS_MTIA_MTIA_H
