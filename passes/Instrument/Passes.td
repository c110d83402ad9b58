//===- Passes.td - Passes of Instrument ---------------------------*- tablegen -*-===//
#ifndef KEVOLVE_PASSES_INSTRUMENT
#define KEVOLVE_PASSES_INSTRUMENT

include "mlir/Pass/PassBase.td"

def InsertProbesPass : Pass<"probe-insert", "::mlir::ModuleOp"> {
  let summary = "Marks what to measure: probes around the kernel, its loops and operations";
  let description = [{
    Gives the module a site table (`probe.sites`) and puts `probe.begin` and
    `probe.end` around each site. Kernels are the public `tt.func`s, and the
    `func.func`s with `kevolve.kernel` (all public ones where none has it). Works
    on TTIR, TTGIR and the IR of the mtia lowering; operations are told by name.

    - The whole body of a kernel is a site of kind `kernel`.
    - A loop is a site of kind `loop`; a loop nest in which no operation is a site
      (an elementwise loop over local memory, say) is one site of kind `compute`.
    - With `iterations` the body of each such loop is a site of kind `scope`.
    - Loads, stores, dots, reductions, scans, atomics, waits and barriers, and the
      commands of MTIA, are sites of the kinds in `kinds`. Where a command is
      asynchronous its issue is one site and the wait for it another.

    A site's position is that of the user's own file: through names, inlined
    calls and fused locations.
  }];
  let options = [
    ListOption<"kinds", "kinds", "std::string",
               "Kinds of operations that become sites (default: all of load, store, dot, "
               "reduce, scan, atomic, barrier, compute)">,
    Option<"loops", "loops", "bool", "true", "Whether loops become sites">,
    Option<"iterations", "iterations", "bool", "false",
           "Whether the body of each loop that is a site becomes a site too">,
    Option<"maxDepth", "max-depth", "int64_t", "-1",
           "Loops deep that sites are made: 0 is outside of any loop (default: no limit)">,
  ];
  let dependentDialects = ["::kevolve::probe::ProbeDialect"];
}

def StripProbesPass : Pass<"probe-strip", "::mlir::ModuleOp"> {
  let summary = "Removes every probe and the site table";
  let description = [{
    Gives back the module as it was before `probe-insert`.
  }];
  let dependentDialects = ["::kevolve::probe::ProbeDialect"];
}

#endif // KEVOLVE_PASSES_INSTRUMENT
