//===- ProbeDialect.td - The probe dialect --------------------*- tablegen -*-===//
#ifndef KEVOLVE_DIALECTS_PROBE_DIALECT
#define KEVOLVE_DIALECTS_PROBE_DIALECT

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

def Probe_Dialect : Dialect {
  let name = "probe";
  let cppNamespace = "::kevolve::probe";
  let summary = "What to measure, and where";
}

class Probe_Op<string mnemonic, list<Trait> traits = []>
    : Op<Probe_Dialect, mnemonic, traits>;

#endif // KEVOLVE_DIALECTS_PROBE_DIALECT
