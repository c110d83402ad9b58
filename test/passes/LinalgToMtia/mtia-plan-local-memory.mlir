// RUN: kevolve-opt %s --split-input-file --mtia-plan-local-memory | FileCheck %s

// Buffers that are never live together share a place above the argument block.

// CHECK-LABEL: func.func @reuse
// CHECK-SAME: mtia.local_bytes = 1152
// CHECK-DAG: %[[A:.*]] = mtia.local_buffer {offset = 1024 : i64} : memref<16xf32>
// CHECK-DAG: %[[B:.*]] = mtia.local_buffer {offset = 1088 : i64} : memref<16xf32>
// CHECK-DAG: %[[C:.*]] = mtia.local_buffer {offset = 1024 : i64} : memref<16xf32>
// CHECK-NOT: memref.alloc
func.func @reuse(%v: f32) -> f32 attributes {kevolve.kernel} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  memref.store %v, %a[%c0] : memref<16xf32>
  %x = memref.load %a[%c0] : memref<16xf32>
  memref.store %x, %b[%c0] : memref<16xf32>
  %y = memref.load %a[%c0] : memref<16xf32>
  %c = memref.alloc() : memref<16xf32>
  memref.store %y, %c[%c0] : memref<16xf32>
  %z = memref.load %b[%c0] : memref<16xf32>
  %w = memref.load %c[%c0] : memref<16xf32>
  %r = arith.addf %z, %w : f32
  return %r : f32
}

// -----

// A buffer is live until its command is known to be done: only the buffer after
// the wait may take its place.

// CHECK-LABEL: func.func @commands
// CHECK-DAG: mtia.local_buffer {offset = [[A:[0-9]+]] : i64} : memref<16xf32>
// CHECK-DAG: mtia.local_buffer {offset = 1088 : i64} : memref<16xi32>
// CHECK-DAG: mtia.local_buffer {offset = 1024 : i64} : memref<32xi16>
func.func @commands(%base: i64, %v: i32, %h: i16) attributes {kevolve.kernel} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16xf32>
  %s = mtia.dma_store %a to %base strides [4] lower [0] upper [16] : memref<16xf32> -> !mtia.ticket
  %b = memref.alloc() : memref<16xi32>
  memref.store %v, %b[%c0] : memref<16xi32>
  mtia.wait %s
  %c = memref.alloc() : memref<32xi16>
  memref.store %h, %c[%c0] : memref<32xi16>
  return
}

// -----

// A buffer used in a loop that does not allocate it is live all through it.

// CHECK-LABEL: func.func @loops
// CHECK-DAG: mtia.local_buffer {offset = 1024 : i64} : memref<16xf32>
// CHECK-DAG: mtia.local_buffer {offset = 1088 : i64} : memref<16xi32>
func.func @loops(%n: index, %v: f32, %w: i32) attributes {kevolve.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%c0] : memref<16xf32>
    memref.store %x, %a[%c1] : memref<16xf32>
    %b = memref.alloc() : memref<16xi32>
    memref.store %w, %b[%c0] : memref<16xi32>
  }
  return
}
