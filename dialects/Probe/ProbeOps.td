//===- ProbeOps.td - Operations of the probe dialect ----------*- tablegen -*-===//
#ifndef KEVOLVE_DIALECTS_PROBE_OPS
#define KEVOLVE_DIALECTS_PROBE_OPS

include "dialects/Probe/ProbeAttrs.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

// Reads and writes of memory keep memory operations, and other probes, on their
// side of a probe: no pass of MLIR moves them across or removes the probe.
defvar Probe_Effects = MemoryEffects<[MemRead, MemWrite]>;

def Probe_BeginOp : Probe_Op<"begin", [Probe_Effects]> {
  let summary = "starts the time of a site";
  let description = [{
    `site` is an id of the table in the module's `probe.sites`. The token must be
    ended; where control flow has several ways out, once on each.

    ```mlir
    %token = probe.begin 3 : !probe.token
    ```
  }];
  let arguments = (ins I32Attr:$site);
  let results = (outs Probe_TokenType:$token);
  let assemblyFormat = "$site attr-dict `:` type($token)";
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins "int32_t":$site), [{
    build($_builder, $_state, TokenType::get($_builder.getContext()), site);
  }]>];
}

def Probe_EndOp : Probe_Op<"end", [Probe_Effects]> {
  let summary = "ends the time of a site";
  let description = [{
    `site` repeats the site of the `probe.begin` that made the token, so that IR
    can be read without going back to it.

    ```mlir
    probe.end %token, 3
    ```
  }];
  let arguments = (ins Probe_TokenType:$token, I32Attr:$site);
  let assemblyFormat = "$token `,` $site attr-dict";
  let hasVerifier = 1;
}

#endif // KEVOLVE_DIALECTS_PROBE_OPS
