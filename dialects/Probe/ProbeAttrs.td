//===- ProbeAttrs.td - Sites and measurements ---------------*- tablegen -*-===//
#ifndef KEVOLVE_DIALECTS_PROBE_ATTRS
#define KEVOLVE_DIALECTS_PROBE_ATTRS

include "dialects/Probe/ProbeDialect.td"

def Probe_SiteKind : I32Enum<"SiteKind", "the kind of a site", [
    I32EnumCase<"Kernel", 0, "kernel">,
    I32EnumCase<"Scope", 1, "scope">,
    I32EnumCase<"Loop", 2, "loop">,
    I32EnumCase<"Load", 3, "load">,
    I32EnumCase<"Store", 4, "store">,
    I32EnumCase<"Dot", 5, "dot">,
    I32EnumCase<"Reduce", 6, "reduce">,
    I32EnumCase<"Scan", 7, "scan">,
    I32EnumCase<"Atomic", 8, "atomic">,
    I32EnumCase<"Barrier", 9, "barrier">,
    I32EnumCase<"Compute", 10, "compute">]> {
  let cppNamespace = "::kevolve::probe";
}

class Probe_Attr<string name, string attrMnemonic> : AttrDef<Probe_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def Probe_MeasuredAttr : Probe_Attr<"Measured", "measured"> {
  let summary = "what was measured at a site, summed over all workers";
  let parameters = (ins
    "uint64_t":$count,
    "uint64_t":$total_cycles,
    "uint64_t":$self_cycles,
    APFloatParameter<"self_cycles over the cycles of the kernels">:$self_share);
  let assemblyFormat = [{
    `<` `count` `=` $count `,` `total_cycles` `=` $total_cycles `,`
    `self_cycles` `=` $self_cycles `,` `self_share` `=` custom<Share>($self_share) `>`
  }];
}

def Probe_SiteAttr : Probe_Attr<"Site", "site"> {
  let summary = "one row of the site table";
  let description = [{
    `loc` is the place in the user's own file (an empty file and 0:0 when it is
    not known). `bytes` and `flops` are those of one pass through the site, as
    far as types tell them. `trip_count` is that of a loop with constant bounds,
    and -1 otherwise. `measured` is what `trace-synthesize` adds.

    ```mlir
    #probe.site<id = 1, kind = load, name = "tt.load x", loc = "softmax.py":9:16,
                parent = 0, bytes = 4096, flops = 0, trip_count = -1>
    ```
  }];
  let parameters = (ins
    "int32_t":$id,
    EnumParameter<Probe_SiteKind>:$kind,
    StringRefParameter<>:$name,
    StringRefParameter<>:$file,
    "unsigned":$line,
    "unsigned":$column,
    "int32_t":$parent,
    "int64_t":$bytes,
    "int64_t":$flops,
    "int64_t":$trip_count,
    OptionalParameter<"::kevolve::probe::MeasuredAttr">:$measured);
  let assemblyFormat = [{
    `<` `id` `=` $id `,` `kind` `=` $kind `,` `name` `=` $name `,`
    `loc` `=` custom<SourcePosition>($file, $line, $column) `,`
    `parent` `=` $parent `,` `bytes` `=` $bytes `,` `flops` `=` $flops `,`
    `trip_count` `=` $trip_count (`,` `measured` `=` $measured^)? `>`
  }];
  let extraClassDeclaration = [{
    /// The same site with what was measured at it.
    SiteAttr withMeasured(MeasuredAttr measured) const;
  }];
}

class Probe_Type<string name, string typeMnemonic> : TypeDef<Probe_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def Probe_TokenType : Probe_Type<"Token", "token"> {
  let summary = "a site that has begun and not yet ended";
}

#endif // KEVOLVE_DIALECTS_PROBE_ATTRS
