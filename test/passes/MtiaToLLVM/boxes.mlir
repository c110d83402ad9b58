// How boxes of DMA and fills become the three levels of a command.
// RUN: kevolve-opt %s --convert-mtia-to-llvm --cse --canonicalize | FileCheck %s

// A whole contiguous tile is one row: 64 * 32 * 2 bytes.
// CHECK-LABEL: func.func @whole_tile
func.func @whole_tile(%base: i64, %buf: memref<64x32xf16>) {
  // CHECK-DAG: %[[C1:.*]] = arith.constant 1 : i64
  // CHECK-DAG: %[[C0:.*]] = arith.constant 0 : i64
  // CHECK-DAG: %[[BYTES:.*]] = arith.constant 4096 : i64
  // CHECK: ".insn r 11, 0, 0, {{.*}} %[[BYTES]], %[[C1]]
  // CHECK-NEXT: ".insn r 11, 0, 1, {{.*}} %[[C1]], %[[C0]]
  // CHECK-NEXT: ".insn r 11, 1, 0, {{.*}}(i64, i64) -> i64
  // CHECK-NOT: .insn
  %t = mtia.dma_load %base strides [64, 2] lower [0, 0] upper [64, 32] into %buf : memref<64x32xf16> -> !mtia.ticket
  // CHECK: return
  return
}

// Rows of 64 bytes, 64 of them, as far apart as the kernel's argument says.
// CHECK-LABEL: func.func @rows
// CHECK-SAME: (%{{.*}}: i64, %{{.*}}: memref<64x32xf16>, %[[STRIDE:.*]]: index)
func.func @rows(%base: i64, %buf: memref<64x32xf16>, %stride: index) {
  // CHECK-DAG: %[[C64:.*]] = arith.constant 64 : i64
  // CHECK-DAG: %[[C1:.*]] = arith.constant 1 : i64
  // CHECK-DAG: %[[C0:.*]] = arith.constant 0 : i64
  // CHECK-DAG: %[[S:.*]] = arith.index_cast %[[STRIDE]] : index to i64
  // CHECK: ".insn r 11, 0, 0, {{.*}} %[[C64]], %[[C64]]
  // CHECK-NEXT: ".insn r 11, 0, 1, {{.*}} %[[C1]], %[[S]]
  // CHECK-NEXT: ".insn r 11, 0, 2, {{.*}} %[[C64]], %[[C0]]
  // CHECK-NEXT: ".insn r 11, 1, 1,
  %t = mtia.dma_store %buf to %base strides [%stride, 2] lower [0, 0] upper [64, 32] : memref<64x32xf16> -> !mtia.ticket
  return
}

// Bounds are clamped to the buffer, and both addresses move to the first element.
// CHECK-LABEL: func.func @clamped
// CHECK-SAME: (%[[BASE:.*]]: i64, %[[BUF:.*]]: memref<128xf32>, %[[LOW:.*]]: index, %[[HIGH:.*]]: index)
func.func @clamped(%base: i64, %buf: memref<128xf32>, %low: index, %high: index) {
  // CHECK-DAG: %[[C0:.*]] = arith.constant 0 : i64
  // CHECK-DAG: %[[C4:.*]] = arith.constant 4 : i64
  // CHECK-DAG: %[[C128:.*]] = arith.constant 128 : i64
  // CHECK: %[[L:.*]] = arith.index_cast %[[LOW]] : index to i64
  // CHECK: %[[L0:.*]] = arith.maxsi %[[L]], %[[C0]]
  // CHECK: %[[FIRST:.*]] = arith.minsi %[[L0]], %[[C128]]
  // CHECK: %[[H:.*]] = arith.index_cast %[[HIGH]] : index to i64
  // CHECK: %[[H0:.*]] = arith.maxsi %[[H]], %[[C0]]
  // CHECK: %[[END:.*]] = arith.minsi %[[H0]], %[[C128]]
  // CHECK: %[[N:.*]] = arith.subi %[[END]], %[[FIRST]]
  // CHECK: %[[COUNT:.*]] = arith.maxsi %[[N]], %[[C0]]
  // CHECK: %[[AT:.*]] = arith.muli %[[FIRST]], %[[C4]]
  // CHECK: %[[GLOBAL:.*]] = arith.addi %[[BASE]], %[[AT]]
  // CHECK: %[[LOCAL:.*]] = arith.addi %{{.*}}, %[[AT]]
  // CHECK: %[[BYTES:.*]] = arith.muli %[[COUNT]], %[[C4]]
  // CHECK: ".insn r 11, 0, 0, {{.*}} %[[BYTES]]
  // CHECK: ".insn r 11, 1, 0, {{.*}} %[[LOCAL]], %[[GLOBAL]]
  %t = mtia.dma_load %base strides [4] lower [%low] upper [%high] into %buf : memref<128xf32> -> !mtia.ticket
  return
}

// The dense dimension is the row, wherever it is.
// CHECK-LABEL: func.func @outer_dense
func.func @outer_dense(%base: i64, %buf: memref<8x16xf32, strided<[1, 8]>>) {
  // CHECK-DAG: %[[ROW:.*]] = arith.constant 32 : i64
  // CHECK-DAG: %[[N:.*]] = arith.constant 16 : i64
  // CHECK: ".insn r 11, 0, 0, {{.*}} %[[ROW]], %[[N]]
  %t = mtia.dma_load %base strides [4, 100] lower [0, 0] upper [8, 16] into %buf : memref<8x16xf32, strided<[1, 8]>> -> !mtia.ticket
  return
}

// No dense dimension: elements are the rows.
// CHECK-LABEL: func.func @transposing
func.func @transposing(%base: i64, %buf: memref<8x16xf32>) {
  // CHECK-DAG: %[[C4:.*]] = arith.constant 4 : i64
  // CHECK-DAG: %[[C16:.*]] = arith.constant 16 : i64
  // CHECK-DAG: %[[C8:.*]] = arith.constant 8 : i64
  // CHECK-DAG: %[[C100:.*]] = arith.constant 100 : i64
  // CHECK-DAG: %[[C64:.*]] = arith.constant 64 : i64
  // CHECK: ".insn r 11, 0, 0, {{.*}} %[[C4]], %[[C16]]
  // CHECK: ".insn r 11, 0, 1, {{.*}} %[[C8]], %[[C100]]
  // CHECK: ".insn r 11, 0, 2, {{.*}} %[[C4]], %[[C4]]
  // CHECK: ".insn r 11, 0, 3, {{.*}} %[[C64]],
  %t = mtia.dma_load %base strides [4, 100] lower [0, 0] upper [8, 16] into %buf : memref<8x16xf32> -> !mtia.ticket
  return
}

// Whether the stride of an argument is dense is seen at run time.
// CHECK-LABEL: func.func @maybe_dense
func.func @maybe_dense(%base: i64, %buf: memref<16xf32>, %stride: index) {
  // CHECK: %[[DENSE:.*]] = arith.cmpi eq
  // CHECK: %[[ROW:.*]] = arith.select %[[DENSE]], %{{.*}}, %{{.*}} : i64
  // CHECK: %[[ROWS:.*]] = arith.select %[[DENSE]], %{{.*}}, %{{.*}} : i64
  // CHECK: ".insn r 11, 0, 0, {{.*}} %[[ROW]], %[[ROWS]]
  %t = mtia.dma_load %base strides [%stride] lower [0] upper [16] into %buf : memref<16xf32> -> !mtia.ticket
  return
}

// Four levels: a loop of commands, each after the one before.
// CHECK-LABEL: func.func @rank_four
// CHECK-SAME: %[[S:[a-z0-9]+]]: index)
func.func @rank_four(%base: i64, %buf: memref<2x3x4x8xf32>, %s: index) {
  // CHECK: scf.for {{.*}} iter_args(%[[G:.*]] = %{{.*}}, %[[L:.*]] = %{{.*}}, %[[T:.*]] = %{{.*}}) -> (i64, i64, i64)
  // CHECK: ".insn r 11, 2, 0, {{.*}} %[[T]]
  // CHECK: %[[NEXT:.*]] = llvm.inline_asm has_side_effects ".insn r 11, 1, 0, {{.*}} %[[L]], %[[G]]
  // CHECK: scf.yield %{{.*}}, %{{.*}}, %[[NEXT]]
  %t = mtia.dma_load %base strides [%s, %s, %s, 4] lower [0, 0, 0, 0] upper [2, 3, 4, 8] into %buf : memref<2x3x4x8xf32> -> !mtia.ticket
  return
}

// Of rank five, but of two levels once contiguous dimensions are merged.
// CHECK-LABEL: func.func @rank_five_merged
func.func @rank_five_merged(%base: i64, %buf: memref<2x3x4x5x8xf32>, %s: index) {
  // CHECK-NOT: scf.for
  // 3 * 4 * 5 * 8 * 4 bytes, 2 rows.
  // CHECK-DAG: %[[ROW:.*]] = arith.constant 1920 : i64
  // CHECK-DAG: %[[C2:.*]] = arith.constant 2 : i64
  // CHECK: ".insn r 11, 0, 0, {{.*}} %[[ROW]], %[[C2]]
  %t = mtia.dma_load %base strides [%s, 640, 160, 32, 4] lower [0, 0, 0, 0, 0] upper [2, 3, 4, 5, 8] into %buf : memref<2x3x4x5x8xf32> -> !mtia.ticket
  return
}

// A dimension of one step that may be missing empties the box.
// CHECK-LABEL: func.func @unit_dimension
func.func @unit_dimension(%base: i64, %buf: memref<1x32xf32>, %m: index) {
  // CHECK: %[[THERE:.*]] = arith.minsi
  // CHECK: %[[N:.*]] = arith.muli %[[THERE]], %{{.*}} : i64
  // CHECK: ".insn r 11, 0, 0, {{.*}} %[[N]],
  %t = mtia.dma_load %base strides [128, 4] lower [0, 0] upper [%m, 32] into %buf : memref<1x32xf32> -> !mtia.ticket
  return
}

// A scalar is a row of one element.
// CHECK-LABEL: func.func @scalar
func.func @scalar(%base: i64, %buf: memref<f64>) {
  // CHECK-DAG: %[[C8:.*]] = arith.constant 8 : i64
  // CHECK-DAG: %[[C1:.*]] = arith.constant 1 : i64
  // CHECK: ".insn r 11, 0, 0, {{.*}} %[[C8]], %[[C1]]
  %t = mtia.dma_load %base strides [] lower [] upper [] into %buf : memref<f64> -> !mtia.ticket
  return
}

// Rows of a fill count elements; the value travels as bits.
// CHECK-LABEL: func.func @fill
// CHECK-SAME: (%[[V:.*]]: f16,
func.func @fill(%v: f16, %buf: memref<8x16xf16, strided<[32, 1]>>) {
  // CHECK-DAG: %[[C16:.*]] = arith.constant 16 : i64
  // CHECK-DAG: %[[C8:.*]] = arith.constant 8 : i64
  // CHECK-DAG: %[[C2:.*]] = arith.constant 2 : i64
  // CHECK-DAG: %[[C64:.*]] = arith.constant 64 : i64
  // CHECK-DAG: %[[B:.*]] = arith.bitcast %[[V]] : f16 to i16
  // CHECK-DAG: %[[BITS:.*]] = arith.extui %[[B]] : i16 to i64
  // CHECK: ".insn r 11, 0, 0, {{.*}} %[[C16]], %[[C8]]
  // CHECK: ".insn r 11, 0, 2, {{.*}} %[[C64]],
  // CHECK: ".insn r 11, 0, 3, {{.*}} %[[C2]]
  // CHECK: ".insn r 11, 1, 2, {{.*}} %{{.*}}, %[[BITS]]
  %t = mtia.fill %v into %buf : f16, memref<8x16xf16, strided<[32, 1]>> -> !mtia.ticket
  return
}

// A view's offset is part of its address.
// CHECK-LABEL: func.func @view
func.func @view(%base: i64, %buf: memref<64xf32>, %at: index) {
  // CHECK: memref.extract_strided_metadata
  %v = memref.subview %buf[%at] [16] [1] : memref<64xf32> to memref<16xf32, strided<[1], offset: ?>>
  %t = mtia.dma_load %base strides [4] lower [0] upper [16] into %v : memref<16xf32, strided<[1], offset: ?>> -> !mtia.ticket
  return
}
