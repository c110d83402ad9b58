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

class LowerProbesToGpuPass<string mnemonic, string target>
    : Pass<mnemonic, "::mlir::ModuleOp"> {
  let summary = "Turns probes into clock reads and records for " # target;
  let dependentDialects = ["::kevolve::probe::ProbeDialect", "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def LowerProbesToPTXPass : LowerProbesToGpuPass<"probe-lower-to-ptx", "PTX"> {
  let description = [{
    Works on the generic form of TTIR or TTGIR and leaves only operations that
    Triton knows. The kernel gets a last argument `probe_area : !tt.ptr<i64>`: an
    area of `programs * sites` records of 32 bytes (profiling/schema/probe_record.h),
    zeroed by the host; the worker is the linear program id, x fastest.

    A clock read is `mov.u64 %clock64` as inline assembly with side effects. What a
    site inside `scf.for` and `scf.if` adds up is carried through them in registers,
    and all records are stored just before the kernel returns, by one thread. A site inside
    other control flow adds to its record in memory each time.

    The site table is removed: read it before.
  }];
}

def LowerProbesToAMDGCNPass : LowerProbesToGpuPass<"probe-lower-to-amdgcn", "AMDGCN"> {
  let description = [{
    As `probe-lower-to-ptx`, with the clock of AMD GPUs: `s_memtime` up to gfx10;
    gfx11 and later, which lack it, read the constant-rate clock by `s_sendmsg_rtn_b64
    MSG_RTN_GET_REALTIME`. The architecture is that of the module's `ttg.target`
    unless `arch` is given.
  }];
  let options = [
    Option<"arch", "arch", "std::string", "\"\"",
           "Architecture such as gfx942 (default: that of the module's `ttg.target`)">,
  ];
}

def LowerProbesToRISCVPass : Pass<"probe-lower-to-riscv", "::mlir::ModuleOp"> {
  let summary = "Turns probes into cycle reads and records for a PE of MTIA";
  let description = [{
    Works on the IR of the mtia lowering before `mtia-plan-local-memory`. The kernel
    gets a last argument `%probe_area : i64` unless it has it already, as kernels
    have at the end of that lowering. Each PE adds up its records in a
    buffer of its local memory and, if `%probe_area` is not 0, writes them to
    `probe_area + pe * sites * 32` by one DMA before it returns. A cycle read is
    `rdcycle` as inline assembly with side effects and a memory clobber. The site
    table stays, and the cycle read that a site begins with has its id as `probe.site`, so
    that `trace-synthesize` can annotate the lowered kernel.
  }];
  let dependentDialects = ["::kevolve::probe::ProbeDialect", "::kevolve::mtia::MtiaDialect",
                           "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::LLVM::LLVMDialect"];
}

#endif // KEVOLVE_PASSES_INSTRUMENT
