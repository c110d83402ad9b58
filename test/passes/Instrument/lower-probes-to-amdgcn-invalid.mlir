// RUN: kevolve-opt %s --probe-lower-to-amdgcn --split-input-file --verify-diagnostics

// expected-error @+1 {{probe-lower-to-amdgcn: '' is not an AMD architecture; give arch=gfx942 or a module with ttg.target = "hip:gfx942"}}
module attributes {ttg.target = "cuda:90"} {}

// -----

// expected-error @+1 {{probe-lower-to-amdgcn: 'mi300' is not an AMD architecture}}
module attributes {ttg.target = "hip:mi300"} {}
