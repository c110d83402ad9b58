// RUN: kevolve-opt %s --probe-insert --split-input-file --verify-diagnostics

// expected-error @+1 {{probe-insert: no kernel: no public tt.func or func.func with a body}}
module {
  func.func private @callee()
}

// -----

#kernel = #probe.site<id = 0, kind = kernel, name = "k", loc = "":0:0, parent = -1, bytes = 0, flops = 0, trip_count = -1>
// expected-error @+1 {{probe-insert: has probes already; run probe-strip first}}
module attributes {probe.sites = [#kernel]} {
  func.func @f() {
    return
  }
}
