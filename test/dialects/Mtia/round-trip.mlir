// RUN: kevolve-opt %s | kevolve-opt | FileCheck %s
// RUN: kevolve-opt %s --mlir-print-op-generic | kevolve-opt | FileCheck %s

// CHECK-LABEL: func.func @move
// CHECK-SAME: (%[[BASE:.*]]: i64, %[[N:.*]]: index, %[[ROW:.*]]: index)
func.func @move(%base: i64, %n: index, %row: index) {
  // CHECK: %[[BUF:.*]] = mtia.local_buffer {offset = 4096 : i64} : memref<64x32xf16>
  %buf = mtia.local_buffer {offset = 4096 : i64} : memref<64x32xf16>
  // CHECK: %[[T:.*]] = mtia.dma_load %[[BASE]] strides [%[[ROW]], 2] lower [0, 0] upper [%[[N]], 32] into %[[BUF]] : memref<64x32xf16> -> !mtia.ticket
  %t = mtia.dma_load %base strides [%row, 2] lower [0, 0] upper [%n, 32] into %buf : memref<64x32xf16> -> !mtia.ticket
  // CHECK: mtia.wait %[[T]]
  mtia.wait %t
  // CHECK: mtia.dma_store %[[BUF]] to %[[BASE]] strides [64, 2] lower [%[[N]], 0] upper [64, 32] : memref<64x32xf16> -> !mtia.ticket
  %s = mtia.dma_store %buf to %base strides [64, 2] lower [%n, 0] upper [64, 32] : memref<64x32xf16> -> !mtia.ticket
  // CHECK: mtia.wait_all
  mtia.wait_all
  return
}

// CHECK-LABEL: func.func @scalar_box
func.func @scalar_box(%base: i64) {
  %buf = mtia.local_buffer {offset = 0 : i64} : memref<f32>
  // CHECK: mtia.dma_load %{{.*}} strides [] lower [] upper [] into %{{.*}} : memref<f32> -> !mtia.ticket
  %t = mtia.dma_load %base strides [] lower [] upper [] into %buf : memref<f32> -> !mtia.ticket
  return
}

// CHECK-LABEL: func.func @strided_rows
func.func @strided_rows(%base: i64, %at: index) {
  %buf = mtia.local_buffer {offset = 64 : i64} : memref<64x64xbf16>
  %view = memref.subview %buf[%at, 0] [16, 32] [1, 1] : memref<64x64xbf16> to memref<16x32xbf16, strided<[64, 1], offset: ?>>
  // CHECK: mtia.dma_load {{.*}} : memref<16x32xbf16, strided<[64, 1], offset: ?>> -> !mtia.ticket
  %t = mtia.dma_load %base strides [128, 2] lower [0, 0] upper [16, 32] into %view : memref<16x32xbf16, strided<[64, 1], offset: ?>> -> !mtia.ticket
  return
}

// CHECK-LABEL: func.func @compute
func.func @compute(%a: memref<32x64xf16>, %b: memref<48x64xf16>, %c: memref<32x48xf32>, %x: memref<64xf32>) -> !mtia.ticket {
  %zero = arith.constant 0.0 : f32
  // CHECK: mtia.fill %{{.*}} into %{{.*}} : f32, memref<32x48xf32> -> !mtia.ticket
  %t0 = mtia.fill %zero into %c : f32, memref<32x48xf32> -> !mtia.ticket
  // CHECK: mtia.dpe_matmul %{{.*}}, %{{.*}} into %{{.*}} {accumulate, transpose_b} : memref<32x64xf16>, memref<48x64xf16>, memref<32x48xf32> -> !mtia.ticket
  %t1 = mtia.dpe_matmul %a, %b into %c {accumulate, transpose_b} : memref<32x64xf16>, memref<48x64xf16>, memref<32x48xf32> -> !mtia.ticket
  // CHECK: mtia.se_unary <rsqrt> %{{.*}} into %{{.*}} : memref<64xf32>, memref<64xf32> -> !mtia.ticket
  %t2 = mtia.se_unary <rsqrt> %x into %x : memref<64xf32>, memref<64xf32> -> !mtia.ticket
  // CHECK: mtia.no_ticket : !mtia.ticket
  %none = mtia.no_ticket : !mtia.ticket
  mtia.wait %none
  return %t2 : !mtia.ticket
}

// CHECK-LABEL: func.func @int8
func.func @int8(%a: memref<64x32xi8>, %b: memref<64x48xi8>, %c: memref<32x48xi32>) {
  // CHECK: mtia.dpe_matmul {{.*}} {transpose_a} : memref<64x32xi8>, memref<64x48xi8>, memref<32x48xi32> -> !mtia.ticket
  %t = mtia.dpe_matmul %a, %b into %c {transpose_a} : memref<64x32xi8>, memref<64x48xi8>, memref<32x48xi32> -> !mtia.ticket
  return
}

// CHECK-LABEL: func.func @place
func.func @place() -> (index, index) {
  // CHECK: mtia.pe_id : index
  %i = mtia.pe_id : index
  // CHECK: mtia.num_pes : index
  %n = mtia.num_pes : index
  return %i, %n : index, index
}
