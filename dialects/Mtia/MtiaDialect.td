//===- MtiaDialect.td - The mtia dialect --------------------*- tablegen -*-===//
#ifndef KEVOLVE_DIALECTS_MTIA_DIALECT
#define KEVOLVE_DIALECTS_MTIA_DIALECT

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

def Mtia_Dialect : Dialect {
  let name = "mtia";
  let cppNamespace = "::kevolve::mtia";
  let summary = "What a processing element of MTIA can do";
}

class Mtia_Op<string mnemonic, list<Trait> traits = []>
    : Op<Mtia_Dialect, mnemonic, traits>;

#endif // KEVOLVE_DIALECTS_MTIA_DIALECT
