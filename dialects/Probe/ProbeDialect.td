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
  let description = [{
    A *site* is a place in a kernel whose time is measured: the kernel itself, a
    loop, a load, a dot. A module that is instrumented carries its sites as the
    attribute `probe.sites`, and pairs of `probe.begin` and `probe.end` mark
    what each site covers. Sites nest; a site's self time is its total time
    less that of the sites whose parent it is.

    The dialect knows no target: `probe-lower-to-ptx`, `probe-lower-to-amdgcn`
    and `probe-lower-to-riscv` turn the pairs into clock reads and records.
  }];

  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let hasOperationAttrVerify = 1;

  let extraClassDeclaration = [{
    /// The attribute of a module that holds its site table.
    static constexpr ::llvm::StringLiteral getSitesAttrName() {
      return "probe.sites";
    }
    /// The attribute that marks, once probes are lowered, the clock read that a
    /// site begins with; its value is the id of the site.
    static constexpr ::llvm::StringLiteral getSiteAttrName() {
      return "probe.site";
    }
    /// The attribute of a probe.begin, or of such a clock read, that holds what
    /// was measured there.
    static constexpr ::llvm::StringLiteral getMeasuredAttrName() {
      return "probe.measured";
    }
  }];
}

class Probe_Op<string mnemonic, list<Trait> traits = []>
    : Op<Probe_Dialect, mnemonic, traits>;

#endif // KEVOLVE_DIALECTS_PROBE_DIALECT
