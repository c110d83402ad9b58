// RUN: kevolve-opt %s | kevolve-opt | FileCheck %s
// RUN: kevolve-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: kevolve-opt %s --mlir-print-op-generic | kevolve-opt | FileCheck %s
// RUN: kevolve-opt %s --canonicalize --cse | FileCheck %s --check-prefix=KEPT

// CHECK: module attributes {probe.sites = [
// CHECK-SAME: #probe.site<id = 0, kind = kernel, name = "scale", loc = "scale.py":3:0, parent = -1, bytes = 0, flops = 0, trip_count = -1>
// CHECK-SAME: #probe.site<id = 1, kind = loop, name = "scf.for", loc = "scale.py":5:13, parent = 0, bytes = 0, flops = 0, trip_count = 8>
// CHECK-SAME: #probe.site<id = 2, kind = load, name = "memref.load \22x\22", loc = "scale.py":6:21, parent = 1, bytes = 4, flops = 0, trip_count = -1,
// CHECK-SAME:   measured = <count = 8, total_cycles = 640, self_cycles = 640, self_share = 2.500000e-01>>]
module attributes {probe.sites = [
  #probe.site<id = 0, kind = kernel, name = "scale", loc = "scale.py":3:0,
              parent = -1, bytes = 0, flops = 0, trip_count = -1>,
  #probe.site<id = 1, kind = loop, name = "scf.for", loc = "scale.py":5:13,
              parent = 0, bytes = 0, flops = 0, trip_count = 8>,
  #probe.site<id = 2, kind = load, name = "memref.load \22x\22", loc = "scale.py":6:21,
              parent = 1, bytes = 4, flops = 0, trip_count = -1,
              measured = <count = 8, total_cycles = 640, self_cycles = 640, self_share = 0.25>>]} {
  // CHECK-LABEL: func.func @scale
  func.func @scale(%x: memref<8xf32>) {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %end = arith.constant 8 : index
    // CHECK: %[[KERNEL:.*]] = probe.begin 0 : !probe.token
    // GENERIC: "probe.begin"() <{site = 0 : i32}> : () -> !probe.token
    %kernel = probe.begin 0 : !probe.token
    // CHECK: %[[LOOP:.*]] = probe.begin 1 : !probe.token
    %loop = probe.begin 1 : !probe.token
    scf.for %i = %zero to %end step %one {
      // CHECK: %[[LOAD:.*]] = probe.begin 2 {probe.measured = #probe.measured<count = 8
      %load = probe.begin 2 {probe.measured = #probe.measured<count = 8, total_cycles = 640, self_cycles = 640, self_share = 0.25>} : !probe.token
      %v = memref.load %x[%i] : memref<8xf32>
      // CHECK: probe.end %[[LOAD]], 2
      // GENERIC: "probe.end"(%{{.*}}) <{site = 2 : i32}> : (!probe.token) -> ()
      probe.end %load, 2
      memref.store %v, %x[%i] : memref<8xf32>
    }
    // CHECK: probe.end %[[LOOP]], 1
    probe.end %loop, 1
    // CHECK: probe.end %[[KERNEL]], 0
    probe.end %kernel, 0
    return
  }

  // Passes of MLIR neither drop probes, nor merge them, nor move loads across.
  // KEPT-LABEL: func.func @kept
  func.func @kept(%x: memref<8xf32>) -> f32 {
    // KEPT: probe.begin 0
    // KEPT: %[[A:.*]] = memref.load
    // KEPT: probe.begin 2
    // KEPT-NEXT: %[[B:.*]] = memref.load
    // KEPT-NEXT: probe.end
    // KEPT: probe.end
    %zero = arith.constant 0 : index
    %kernel = probe.begin 0 : !probe.token
    %a = memref.load %x[%zero] : memref<8xf32>
    %load = probe.begin 2 : !probe.token
    %b = memref.load %x[%zero] : memref<8xf32>
    probe.end %load, 2
    %sum = arith.addf %a, %b : f32
    probe.end %kernel, 0
    return %sum : f32
  }
}
