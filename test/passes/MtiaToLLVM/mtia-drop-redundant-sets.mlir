// RUN: kevolve-opt %s --convert-mtia-to-llvm --cse --mtia-drop-redundant-sets | FileCheck %s

// Two tiles of one shape: the second command reuses the parameters.
// CHECK-LABEL: func.func @same_shape
func.func @same_shape(%x: i64, %y: i64, %a: memref<64xf32>, %b: memref<64xf32>) {
  // CHECK: ".insn r 11, 0, 0,
  // CHECK: ".insn r 11, 0, 1,
  // CHECK: ".insn r 11, 1, 0,
  // CHECK-NOT: ".insn r 11, 0,
  // CHECK: ".insn r 11, 1, 0,
  %t0 = mtia.dma_load %x strides [4] lower [0] upper [64] into %a : memref<64xf32> -> !mtia.ticket
  %t1 = mtia.dma_load %y strides [4] lower [0] upper [64] into %b : memref<64xf32> -> !mtia.ticket
  return
}

// What a loop sets in between is not known after it.
// CHECK-LABEL: func.func @across_a_loop
func.func @across_a_loop(%x: i64, %n: index, %a: memref<64xf32>, %b: memref<32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: ".insn r 11, 0, 0,
  %t0 = mtia.dma_load %x strides [4] lower [0] upper [64] into %a : memref<64xf32> -> !mtia.ticket
  // CHECK: scf.for
  scf.for %i = %c0 to %n step %c1 {
    // CHECK: ".insn r 11, 0, 0,
    %t = mtia.dma_load %x strides [4] lower [0] upper [32] into %b : memref<32xf32> -> !mtia.ticket
  }
  // CHECK: ".insn r 11, 0, 0,
  // CHECK: ".insn r 11, 0, 1,
  %t1 = mtia.dma_load %x strides [4] lower [0] upper [64] into %a : memref<64xf32> -> !mtia.ticket
  return
}
