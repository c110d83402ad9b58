//===- Passes.td - Passes of TraceSynthesis ---------------------------*- tablegen -*-===//
#ifndef KEVOLVE_PASSES_TRACESYNTHESIS
#define KEVOLVE_PASSES_TRACESYNTHESIS

include "mlir/Pass/PassBase.td"

def SynthesizeTracePass : Pass<"trace-synthesize", "::mlir::ModuleOp"> {
  let summary = "Turns records and metrics into annotated IR and a diagnosis";
  let description = [{
    Reads what the probes of a module recorded (`records`, a file as in
    profiling/schema/probe_record.h) and metrics of the same launch (`metrics`, a JSON object
    with `target`, `kernel` and `metrics`, a list of objects with `name`, `value`, `unit` and
    `source`). At least one of the two is needed; each works alone.

    With records, every site of `probe.sites` and every `probe.begin` gets a
    `#probe.measured`: how often it was passed, its cycles in total and without its children,
    summed over the workers, and its share of the kernels' cycles.

    `output` names the file for the diagnosis, as JSON (`kevolve.records.Diagnosis`).

    The bottleneck is the one that explains the largest share of the machine's time. With
    `busy = 1 - launch.share`, `u = pe.utilization`, `i = pe.imbalance` and
    `working = busy * u / (1 + i)`:

    | bottleneck | share |
    |---|---|
    | launch | launch.share |
    | occupancy | busy * (1 - u) |
    | imbalance | busy * u * i / (1 + i) |
    | memory-bandwidth | busy * b where b, the larger of dram.utilization and sram.utilization, is at least 0.6; else working * stall.memory.share * s |
    | memory-latency | working * stall.memory.share * (1 - s) |
    | compute | the larger of busy * (the largest of dpe, vector, se.utilization and achieved over peak flops) and working * (stall.dpe.share + stall.se.share) |
    | synchronisation | working * (time at waits and barriers that no stall explains) |
    | instruction-issue | working * (issue.utilization - vector.utilization) |

    `s` says how far memory is saturated: 0 up to b = 0.3, 1 from b = 0.7. What metrics do not
    say comes from the probes: time in loads, stores, atomics and waits for them
    stands for stall.memory.share (its part outside of waits, which is back pressure, for s), dots, reductions,
    scans and compute for stall.dpe.share, other waits for synchronisation, and what is left, the self time of kernel, scopes and
    loops, for instruction-issue.

    The confidence is `first / (first + second)` of the two largest shares, times
    `first / 0.3` where the first is below 0.3, times 0.7 where there are only records,
    times the part of the records that was not dropped.
  }];
  let options = [
    Option<"records", "records", "std::string", "\"\"", "The record file of a launch">,
    Option<"metrics", "metrics", "std::string", "\"\"", "The metrics of a launch, JSON">,
    Option<"output", "output", "std::string", "\"\"", "Where the diagnosis goes, JSON">,
    Option<"maxSites", "max-sites", "unsigned", "32", "Hot sites in the diagnosis at most">,
    Option<"printSummary", "print-summary", "bool", "false",
           "Prints the diagnosis and the hot sites for people, to stderr">,
  ];
  let dependentDialects = ["::kevolve::probe::ProbeDialect"];
}

#endif // KEVOLVE_PASSES_TRACESYNTHESIS
