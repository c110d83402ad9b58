// RUN: kevolve-opt %s --split-input-file --mtia-insert-waits | FileCheck %s

// A load is waited for where the hart reads it; a store before the hart writes
// over what it still reads; nothing in between.

// CHECK-LABEL: func.func @load_compute_store
// CHECK: %[[IN:.*]] = mtia.dma_load
// CHECK-NOT: mtia.wait
// CHECK: arith.constant 7
// CHECK: mtia.wait %[[IN]]
// CHECK-NEXT: memref.load
// CHECK: memref.store
// CHECK: %[[OUT:.*]] = mtia.dma_store
// CHECK-NOT: mtia.wait %
// CHECK: memref.load
// CHECK: mtia.wait %[[OUT]]
// CHECK-NEXT: memref.store
// CHECK: mtia.wait_all
// CHECK-NEXT: return
func.func @load_compute_store(%base: i64, %v: f32) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %t = mtia.dma_load %base strides [4] lower [0] upper [16] into %a : memref<16xf32> -> !mtia.ticket
  %c7 = arith.constant 7 : index
  %x = memref.load %a[%c7] : memref<16xf32>
  memref.store %x, %b[%c0] : memref<16xf32>
  %s = mtia.dma_store %b to %base strides [4] lower [0] upper [16] : memref<16xf32> -> !mtia.ticket
  %y = memref.load %b[%c0] : memref<16xf32>
  memref.store %y, %b[%c7] : memref<16xf32>
  return
}

// -----

// Commands among themselves need no waits: the ticket of the last product leaves
// the loop for the hart that reads the sum.

// CHECK-LABEL: func.func @products
// CHECK: %[[T:.*]]:{{[0-9]+}} = scf.for
// CHECK-NOT: mtia.wait %
// CHECK: %[[P:.*]] = mtia.dpe_matmul
// CHECK-NOT: mtia.wait %
// CHECK: scf.yield {{.*}}%[[P]]
// CHECK: mtia.wait %[[T]]
// CHECK: memref.load
func.func @products(%base: i64, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<32x32xf16>
  %c = memref.alloc() : memref<32x32xf32>
  scf.for %i = %c0 to %n step %c1 {
    %l = mtia.dma_load %base strides [64, 2] lower [0, 0] upper [32, 32] into %a : memref<32x32xf16> -> !mtia.ticket
    %p = mtia.dpe_matmul %a, %a into %c {accumulate} : memref<32x32xf16>, memref<32x32xf16>, memref<32x32xf32> -> !mtia.ticket
  }
  %r = memref.load %c[%c0, %c0] : memref<32x32xf32>
  return %r : f32
}

// -----

// What the next iteration touches is waited for at the end of the body.

// CHECK-LABEL: func.func @stores_in_loop
// CHECK: scf.for
// CHECK: memref.store
// CHECK: %[[S:.*]] = mtia.dma_store
// CHECK-NEXT: mtia.wait %[[S]]
func.func @stores_in_loop(%base: i64, %n: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = memref.alloc() : memref<16xf32>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %v, %b[%c0] : memref<16xf32>
    %s = mtia.dma_store %b to %base strides [4] lower [0] upper [16] : memref<16xf32> -> !mtia.ticket
  }
  return
}

// -----

// A conditional command is waited for through a result of the conditional.

// CHECK-LABEL: func.func @conditional
// CHECK: %[[T:.*]] = scf.if
// CHECK: %[[F:.*]] = mtia.fill
// CHECK: scf.yield %[[F]]
// CHECK: else
// CHECK: %[[N:.*]] = mtia.no_ticket
// CHECK: scf.yield %[[N]]
// CHECK: mtia.wait %[[T]]
// CHECK-NEXT: memref.load
func.func @conditional(%c: i1, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %b = memref.alloc() : memref<16xf32>
  scf.if %c {
    %f = mtia.fill %v into %b : f32, memref<16xf32> -> !mtia.ticket
  }
  %r = memref.load %b[%c0] : memref<16xf32>
  return %r : f32
}

// -----

// Global memory: a load waits for a store that may have written what it reads,
// not for one through another pointer.

// CHECK-LABEL: func.func @through_global
// CHECK: %[[S:.*]] = mtia.dma_store
// CHECK-NEXT: mtia.dma_load %{{.*}} strides [4] lower [0] upper [8]
// CHECK: mtia.wait %[[S]]
// CHECK-NEXT: mtia.dma_load %{{.*}} strides [4] lower [0] upper [4]
func.func @through_global(%p: i64, %q: i64) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %s = mtia.dma_store %a to %p strides [4] lower [0] upper [16] : memref<16xf32> -> !mtia.ticket
  %t = mtia.dma_load %q strides [4] lower [0] upper [8] into %b : memref<16xf32> -> !mtia.ticket
  %u = mtia.dma_load %p strides [4] lower [0] upper [4] into %b : memref<16xf32> -> !mtia.ticket
  return
}
