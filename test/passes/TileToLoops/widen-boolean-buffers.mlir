// RUN: kevolve-opt %s --widen-boolean-buffers | FileCheck %s
// RUN: kevolve-opt %s --widen-boolean-buffers --finalize-memref-to-llvm

// CHECK-LABEL: func @booleans(
// CHECK-SAME: %[[FLAG:.*]]: i1, %[[I:.*]]: index)
func.func @booleans(%flag: i1, %i: index) -> i1 {
  // CHECK: %[[BUFFER:.*]] = memref.alloc() : memref<4x8xi8>
  %buffer = memref.alloc() : memref<4x8xi1>
  // CHECK: %[[VIEW:.*]] = memref.collapse_shape %[[BUFFER]] {{.*}} : memref<4x8xi8> into memref<32xi8>
  %view = memref.collapse_shape %buffer [[0, 1]] : memref<4x8xi1> into memref<32xi1>
  // CHECK: %[[WIDE:.*]] = arith.extui %[[FLAG]] : i1 to i8
  // CHECK: memref.store %[[WIDE]], %[[VIEW]][%[[I]]] : memref<32xi8>
  memref.store %flag, %view[%i] : memref<32xi1>
  // CHECK: %[[BYTE:.*]] = memref.load %[[VIEW]][%[[I]]] : memref<32xi8>
  // CHECK: %[[R:.*]] = arith.trunci %[[BYTE]] : i8 to i1
  %r = memref.load %view[%i] : memref<32xi1>
  // CHECK: return %[[R]]
  return %r : i1
}
