// Triton's pretty IR goes in and comes out; where it holds probes, it comes out as kevolve's MLIR.
// RUN: %python -m kevolve.cli.kevolve_opt %s --canonicalize | FileCheck %s --check-prefix=PRETTY
// RUN: %python -m kevolve.cli.kevolve_opt %s --probe-insert | FileCheck %s --check-prefix=PROBED
// RUN: %python -m kevolve.cli.kevolve_opt %s --probe-insert --probe-strip | FileCheck %s --check-prefix=STRIPPED
// RUN: %python -m kevolve.cli.kevolve_opt %s --probe-insert | %python -m kevolve.cli.kevolve_opt - --probe-strip --canonicalize | FileCheck %s --check-prefix=PRETTY
// RUN: %python -m kevolve.cli.kevolve_opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: %python -m kevolve.cli.kevolve_opt %s --mlir-print-debuginfo | FileCheck %s --check-prefix=LOCATIONS
// RUN: %python -m kevolve.cli.kevolve_opt %s -o %t && FileCheck %s --check-prefix=STRIPPED --input-file=%t

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @copy(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) {
    %dead = arith.addi %n, %n : i32
    %r = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %p = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %q = tt.addptr %p, %r : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %v = tt.load %q : tensor<128x!tt.ptr<f32>, #blocked>
    tt.store %q, %v : tensor<128x!tt.ptr<f32>, #blocked>
    tt.return
  }
}

// PRETTY: #blocked = #ttg.blocked
// PRETTY: tt.func public @copy(%{{.*}}: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %{{.*}}: i32)
// PRETTY-NOT: arith.addi
// PRETTY: tt.load %{{.*}} : tensor<128x!tt.ptr<f32>, #blocked>

// PROBED: #[[BLOCKED:.+]] = #ttg.blocked
// PROBED: probe.sites = [{{.*}}kind = load{{.*}}"{{.*}}triton-pretty.mlir":17:{{.*}}kind = store
// PROBED: %[[TOKEN:.+]] = probe.begin 1 : !probe.token
// PROBED-NEXT: "tt.load"{{.*}}#[[BLOCKED]]
// PROBED-NEXT: probe.end %[[TOKEN]], 1

// STRIPPED: tt.func public @copy
// STRIPPED-NOT: probe
// STRIPPED: arith.addi

// GENERIC: "tt.func"() <{{.*}}sym_name = "copy"
// GENERIC: "tt.load"(

// LOCATIONS: tt.load {{.*}} loc(#[[LOAD:.+]])
// LOCATIONS: #[[LOAD]] = loc("{{.*}}triton-pretty.mlir":17:10)
