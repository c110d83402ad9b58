// What upstream passes may and may not do with commands.
// RUN: kevolve-opt %s --cse --canonicalize | FileCheck %s

// Two equal commands are two commands, and a ticket nobody waits for is no
// reason to drop one.
// CHECK-LABEL: func.func @commands_stay
func.func @commands_stay(%base: i64) {
  %buf = mtia.local_buffer {offset = 0 : i64} : memref<64xf32>
  // CHECK-COUNT-2: mtia.dma_load
  %t0 = mtia.dma_load %base strides [4] lower [0] upper [64] into %buf : memref<64xf32> -> !mtia.ticket
  %t1 = mtia.dma_load %base strides [4] lower [0] upper [64] into %buf : memref<64xf32> -> !mtia.ticket
  return
}

// What a store writes lies outside: it is never dead.
// CHECK-LABEL: func.func @stores_stay
func.func @stores_stay(%base: i64) {
  %buf = mtia.local_buffer {offset = 0 : i64} : memref<64xf32>
  // CHECK: mtia.dma_store
  %t = mtia.dma_store %buf to %base strides [4] lower [0] upper [64] : memref<64xf32> -> !mtia.ticket
  return
}

// A hart's load after a wait is not the load before the command.
// CHECK-LABEL: func.func @loads_do_not_cross_a_wait
func.func @loads_do_not_cross_a_wait(%base: i64) -> (f32, f32) {
  %zero = arith.constant 0 : index
  %buf = mtia.local_buffer {offset = 0 : i64} : memref<64xf32>
  // CHECK: %[[BEFORE:.*]] = memref.load
  %before = memref.load %buf[%zero] : memref<64xf32>
  %t = mtia.dma_load %base strides [4] lower [0] upper [64] into %buf : memref<64xf32> -> !mtia.ticket
  mtia.wait %t
  // CHECK: %[[AFTER:.*]] = memref.load
  %after = memref.load %buf[%zero] : memref<64xf32>
  // CHECK: return %[[BEFORE]], %[[AFTER]]
  return %before, %after : f32, f32
}

// One place in local memory is one value.
// CHECK-LABEL: func.func @places_merge
func.func @places_merge() -> (memref<4xf32>, memref<4xf32>) {
  // CHECK: %[[B:.*]] = mtia.local_buffer
  // CHECK-NOT: mtia.local_buffer
  %a = mtia.local_buffer {offset = 64 : i64} : memref<4xf32>
  %b = mtia.local_buffer {offset = 64 : i64} : memref<4xf32>
  // CHECK: return %[[B]], %[[B]]
  return %a, %b : memref<4xf32>, memref<4xf32>
}
