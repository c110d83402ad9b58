//===- Probe.h - The probe dialect -----------------------------*- C++ -*-===//
#ifndef KEVOLVE_DIALECTS_PROBE_PROBE_H
#define KEVOLVE_DIALECTS_PROBE_PROBE_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/Probe/ProbeDialect.h.inc"
#include "dialects/Probe/ProbeEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Probe/ProbeAttrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "dialects/Probe/ProbeTypes.h.inc"
#define GET_OP_CLASSES
#include "dialects/Probe/ProbeOps.h.inc"

#endif // KEVOLVE_DIALECTS_PROBE_PROBE_H
