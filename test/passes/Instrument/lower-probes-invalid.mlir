// RUN: kevolve-opt %s --allow-unregistered-dialect --probe-lower-to-ptx --split-input-file --verify-diagnostics

#kernel = #probe.site<id = 0, kind = kernel, name = "k", loc = "":0:0, parent = -1, bytes = 0, flops = 0, trip_count = -1>
module attributes {probe.sites = [#kernel]} {
  // expected-error @+1 {{probes of a GPU kernel must lie in a public tt.func}}
  func.func @f() {
    %token = probe.begin 0 : !probe.token
    probe.end %token, 0
    return
  }
}

// -----

#kernel = #probe.site<id = 0, kind = kernel, name = "k", loc = "":0:0, parent = -1, bytes = 0, flops = 0, trip_count = -1>
module attributes {probe.sites = [#kernel]} {
  "tt.func"() <{function_type = () -> (), sym_name = "f"}> ({
    "ttg.warp_specialize"() ({
      // expected-error @+1 {{lies in 'ttg.warp_specialize', where its record cannot be kept}}
      %token = probe.begin 0 : !probe.token
      probe.end %token, 0
      "ttg.warp_yield"() : () -> ()
    }) : () -> ()
    "tt.return"() : () -> ()
  }) : () -> ()
}
