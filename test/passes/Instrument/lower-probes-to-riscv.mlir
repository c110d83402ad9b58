// RUN: kevolve-opt %s --probe-lower-to-riscv --split-input-file | FileCheck %s

#kernel = #probe.site<id = 0, kind = kernel, name = "copy", loc = "copy.py":3:0, parent = -1, bytes = 0, flops = 0, trip_count = -1>
#load = #probe.site<id = 1, kind = load, name = "mtia.dma_load", loc = "copy.py":5:8, parent = 0, bytes = 512, flops = 0, trip_count = -1>
// CHECK: module attributes {probe.sites =
// CHECK-LABEL: func.func @copy
// CHECK-SAME: (%[[BASE:.*]]: i64, %{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i32, %[[AREA:.*]]: i64)
// CHECK: %[[RECORDS:.*]] = memref.alloc() : memref<2x4xi64>
// CHECK: scf.for %[[SITE:.*]] = %c0 to %c2 step
// CHECK-COUNT-4: memref.store %{{.*}}, %[[RECORDS]][%[[SITE]], %{{.*}}] : memref<2x4xi64>
// CHECK: %[[KERNEL:.*]] = llvm.inline_asm has_side_effects {probe.site = 0 : i32} "rdcycle $0", "=r,~{memory}" : () -> i64
// CHECK: %[[BEGIN:.*]] = llvm.inline_asm has_side_effects {probe.site = 1 : i32} "rdcycle $0"
// CHECK-NEXT: mtia.dma_load
// CHECK-NEXT: %[[END:.*]] = llvm.inline_asm has_side_effects "rdcycle $0"
// CHECK: %[[COUNT:.*]] = memref.load %[[RECORDS]][%c1{{.*}}, %c0{{.*}}]
// CHECK: %[[ELAPSED:.*]] = arith.subi %[[END]], %[[BEGIN]]
// CHECK: %[[IS_FIRST:.*]] = arith.cmpi eq, %[[COUNT]], %
// CHECK: %[[FIRST_BEGIN:.*]] = arith.select %[[IS_FIRST]], %[[BEGIN]], %
// CHECK: %[[COUNT1:.*]] = arith.addi %[[COUNT]], %c1_i64
// CHECK: memref.store %[[COUNT1]], %[[RECORDS]][%c1{{.*}}, %c0{{.*}}]
// CHECK: %[[TOTAL:.*]] = arith.addi %{{.*}}, %[[ELAPSED]]
// CHECK: memref.store %[[TOTAL]], %[[RECORDS]][%c1{{.*}}, %c1{{.*}}]
// CHECK: memref.store %[[FIRST_BEGIN]], %[[RECORDS]][%c1{{.*}}, %c2{{.*}}]
// CHECK: memref.store %[[END]], %[[RECORDS]][%c1{{.*}}, %c3{{.*}}]
// CHECK: mtia.wait
// CHECK-NEXT: llvm.inline_asm has_side_effects "rdcycle $0"
// CHECK: %[[WANTED:.*]] = arith.cmpi ne, %[[AREA]], %c0_i64
// CHECK-NEXT: scf.if %[[WANTED]] {
// CHECK: %[[PE:.*]] = mtia.pe_id : index
// CHECK: %[[OFFSET:.*]] = arith.muli %{{.*}}, %c64_i64
// CHECK: %[[ADDRESS:.*]] = arith.addi %[[AREA]], %[[OFFSET]]
// CHECK: %[[TICKET:.*]] = mtia.dma_store %[[RECORDS]] to %[[ADDRESS]] strides [32, 8] lower [0, 0] upper [2, 4] : memref<2x4xi64>
// CHECK-NEXT: mtia.wait %[[TICKET]]
// CHECK-NEXT: }
// CHECK-NEXT: return
module attributes {probe.sites = [#kernel, #load]} {
  func.func @copy(%base: i64, %grid_x: i32, %grid_y: i32, %grid_z: i32, %probe_area: i64) attributes {kevolve.kernel} {
    %kernel = probe.begin 0 : !probe.token
    %buf = memref.alloc() : memref<128xf32>
    %load = probe.begin 1 : !probe.token
    %t = mtia.dma_load %base strides [4] lower [0] upper [128] into %buf : memref<128xf32> -> !mtia.ticket
    probe.end %load, 1
    mtia.wait %t
    probe.end %kernel, 0
    return
  }
}

// -----

// A kernel without the argument gets it.

#kernel = #probe.site<id = 0, kind = kernel, name = "f", loc = "":0:0, parent = -1, bytes = 0, flops = 0, trip_count = -1>
// CHECK-LABEL: func.func @f(%{{.*}}: i32, %{{.*}}: i64)
module attributes {probe.sites = [#kernel]} {
  func.func @f(%n: i32) {
    %kernel = probe.begin 0 : !probe.token
    probe.end %kernel, 0
    return
  }
}
