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

namespace kevolve::probe {
/// The rows of the site table of the module that `op` is or lies in; null when
/// there is none.
mlir::ArrayAttr getSiteTable(mlir::Operation *op);

/// Row `id` of `table`. The table is known to be verified and to have it.
SiteAttr getSite(mlir::ArrayAttr table, int32_t id);
} // namespace kevolve::probe

#endif // KEVOLVE_DIALECTS_PROBE_PROBE_H
