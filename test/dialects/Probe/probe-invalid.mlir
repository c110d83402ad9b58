// RUN: kevolve-opt %s --split-input-file --verify-diagnostics

#kernel = #probe.site<id = 0, kind = kernel, name = "k", loc = "":0:0, parent = -1, bytes = 0, flops = 0, trip_count = -1>
module attributes {probe.sites = [#kernel]} {
  func.func @f() {
    // expected-error @+1 {{site 1 is not in the module's site table, which has 1 sites}}
    %token = probe.begin 1 : !probe.token
    probe.end %token, 1
    return
  }
}

// -----

#kernel = #probe.site<id = 0, kind = kernel, name = "k", loc = "":0:0, parent = -1, bytes = 0, flops = 0, trip_count = -1>
module attributes {probe.sites = [#kernel]} {
  func.func @f() {
    // expected-error @+1 {{site -1 is not in the module's site table}}
    %token = probe.begin -1 : !probe.token
    probe.end %token, -1
    return
  }
}

// -----

func.func @f() {
  // expected-error @+1 {{is in a module without a site table ('probe.sites')}}
  %token = probe.begin 0 : !probe.token
  probe.end %token, 0
  return
}

// -----

#kernel = #probe.site<id = 0, kind = kernel, name = "k", loc = "":0:0, parent = -1, bytes = 0, flops = 0, trip_count = -1>
#load = #probe.site<id = 1, kind = load, name = "l", loc = "":0:0, parent = 0, bytes = 0, flops = 0, trip_count = -1>
module attributes {probe.sites = [#kernel, #load]} {
  func.func @f() {
    %token = probe.begin 1 : !probe.token
    // expected-error @+1 {{ends site 0 with the token of site 1}}
    probe.end %token, 0
    return
  }
}

// -----

#kernel = #probe.site<id = 0, kind = kernel, name = "k", loc = "":0:0, parent = -1, bytes = 0, flops = 0, trip_count = -1>
module attributes {probe.sites = [#kernel]} {
  func.func @f() {
    // expected-error @+1 {{site 0 is begun and never ended}}
    %token = probe.begin 0 : !probe.token
    return
  }
}

// -----

#kernel = #probe.site<id = 0, kind = kernel, name = "k", loc = "":0:0, parent = -1, bytes = 0, flops = 0, trip_count = -1>
module attributes {probe.sites = [#kernel]} {
  func.func @f(%token: !probe.token) {
    // expected-error @+1 {{its token must come from a probe.begin}}
    probe.end %token, 0
    return
  }
}

// -----

// expected-error @+1 {{'probe.sites' must be an array of #probe.site}}
module attributes {probe.sites = 3 : i32} {}

// -----

// expected-error @+1 {{'probe.sites' must be an array of #probe.site, row 0 is 3 : i32}}
module attributes {probe.sites = [3 : i32]} {}

// -----

// expected-error @+1 {{site ids must count up from 0: row 0 of 'probe.sites' has id 1}}
module attributes {probe.sites = [#probe.site<id = 1, kind = kernel, name = "k", loc = "":0:0, parent = -1, bytes = 0, flops = 0, trip_count = -1>]} {}

// -----

#kernel = #probe.site<id = 0, kind = kernel, name = "k", loc = "":0:0, parent = -1, bytes = 0, flops = 0, trip_count = -1>
// expected-error @+1 {{site 1: its parent 1 must come before it in the table}}
module attributes {probe.sites = [#kernel, #probe.site<id = 1, kind = load, name = "l", loc = "":0:0, parent = 1, bytes = 0, flops = 0, trip_count = -1>]} {}

// -----

// expected-error @+1 {{site 0: a kernel has parent = -1, and only a kernel does}}
module attributes {probe.sites = [#probe.site<id = 0, kind = load, name = "l", loc = "":0:0, parent = -1, bytes = 0, flops = 0, trip_count = -1>]} {}

// -----

// expected-error @+1 {{site 0: bytes, flops and trip_count cannot be negative}}
module attributes {probe.sites = [#probe.site<id = 0, kind = kernel, name = "k", loc = "":0:0, parent = -1, bytes = -4, flops = 0, trip_count = -1>]} {}

// -----

// expected-error @+1 {{'probe.measured' must be a #probe.measured}}
module attributes {probe.measured = 3 : i32} {}

// -----

// expected-error @+1 {{unknown attribute 'probe.places' of the probe dialect}}
module attributes {probe.places = 3 : i32} {}

// -----

// expected-error @+1 {{'probe.site' must be the id of a site in the module's site table}}
module attributes {probe.site = 3 : i32} {}

// -----

// expected-error @+2 {{failed to parse Probe_SiteAttr parameter 'kind'}}
// expected-error @+1 {{expected one of [kernel, scope, loop, load, store, dot, reduce, scan, atomic, barrier, compute] for the kind of a site, got: kernal}}
module attributes {probe.sites = [#probe.site<id = 0, kind = kernal, name = "k", loc = "":0:0, parent = -1, bytes = 0, flops = 0, trip_count = -1>]} {}
