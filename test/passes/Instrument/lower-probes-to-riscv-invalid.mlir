// RUN: kevolve-opt %s --allow-unregistered-dialect --probe-lower-to-riscv --split-input-file --verify-diagnostics

#kernel = #probe.site<id = 0, kind = kernel, name = "k", loc = "":0:0, parent = -1, bytes = 0, flops = 0, trip_count = -1>
module attributes {probe.sites = [#kernel]} {
  // expected-error @+1 {{probes of an MTIA kernel must lie in a func.func that is launched}}
  "tt.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %token = probe.begin 0 : !probe.token
    probe.end %token, 0
    "tt.return"() : () -> ()
  }) : () -> ()
}
