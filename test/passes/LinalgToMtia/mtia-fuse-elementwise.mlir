// RUN: kevolve-opt %s --split-input-file --convert-elementwise-to-linalg --mtia-fuse-elementwise | FileCheck %s
// RUN: kevolve-opt %s --split-input-file --convert-elementwise-to-linalg --mtia-fuse-elementwise=use-se=false | FileCheck %s --check-prefix=CORE

// Without the SE, all of a chain is one pass; with it, the transcendental is
// alone between two.

// CHECK-LABEL: func.func @chain
// CHECK: linalg.generic
// CHECK: arith.mulf
// CHECK: linalg.generic
// CHECK-NEXT: ^bb0
// CHECK-NEXT: math.exp
// CHECK-NEXT: linalg.yield
// CHECK: linalg.generic
// CHECK: arith.addf
// CORE-LABEL: func.func @chain
// CORE-COUNT-1: linalg.generic
// CORE: arith.mulf
// CORE: math.exp
// CORE: arith.addf
// CORE-NOT: linalg.generic
func.func @chain(%x: tensor<256xf32>) -> tensor<256xf32> {
  %0 = arith.mulf %x, %x : tensor<256xf32>
  %1 = math.exp %0 : tensor<256xf32>
  %2 = arith.addf %1, %x : tensor<256xf32>
  return %2 : tensor<256xf32>
}

// -----

// A row's value meets its row without a tile of copies of it.

// CORE-LABEL: func.func @row_broadcast(
// CHECK-LABEL: func.func @row_broadcast(
// CHECK-SAME: %[[X:.*]]: tensor<16x64xf32>, %[[M:.*]]: tensor<16xf32>)
// CHECK-NOT: linalg.broadcast
// CHECK: linalg.generic {{.*}} ins(%[[X]], %[[M]] : tensor<16x64xf32>, tensor<16xf32>)
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @row_broadcast(%x: tensor<16x64xf32>, %m: tensor<16xf32>) -> tensor<16x64xf32> {
  %empty = tensor.empty() : tensor<16x64xf32>
  %column = tensor.expand_shape %m [[0, 1]] output_shape [16, 1] : tensor<16xf32> into tensor<16x1xf32>
  %flat = tensor.collapse_shape %column [[0, 1]] : tensor<16x1xf32> into tensor<16xf32>
  %wide = linalg.broadcast ins(%flat : tensor<16xf32>) outs(%empty : tensor<16x64xf32>) dimensions = [1]
  %r = arith.subf %x, %wide : tensor<16x64xf32>
  return %r : tensor<16x64xf32>
}

// -----

// A square summed is one pass.

// CHECK-LABEL: func.func @sum_of_squares
// CHECK: linalg.generic {{.*}}iterator_types = ["reduction"]
// CHECK: arith.mulf
// CHECK: arith.addf
// CHECK-NOT: linalg.reduce
func.func @sum_of_squares(%x: tensor<256xf32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<f32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<f32>) -> tensor<f32>
  %0 = arith.mulf %x, %x : tensor<256xf32>
  %1 = linalg.reduce { arith.addf } ins(%0 : tensor<256xf32>) outs(%init : tensor<f32>) dimensions = [0]
  return %1 : tensor<f32>
}

// -----

// A tile that is contiguous along its columns is loaded transposed, and the
// product takes it so.

// CHECK-LABEL: func.func @transposed_operand
// CHECK: %[[B:.*]] = tile.load %{{.*}} strides [128, 2] lower [0, 0] upper [%{{.*}}, 64] outs(%{{.*}} : tensor<32x64xf16>)
// CHECK-NOT: linalg.transpose
// CHECK: linalg.matmul indexing_maps = [#{{.*}}, #[[BT:.*]], #{{.*}}] ins(%{{.*}}, %[[B]] : tensor<16x64xf16>, tensor<32x64xf16>)
func.func @transposed_operand(%p: i64, %n: index, %a: tensor<16x64xf16>, %c: tensor<16x32xf32>) -> tensor<16x32xf32> {
  %empty = tensor.empty() : tensor<64x32xf16>
  %b = tile.load %p strides [2, 128] lower [0, 0] upper [64, %n] outs(%empty : tensor<64x32xf16>) -> tensor<64x32xf16>
  %r = linalg.matmul ins(%a, %b : tensor<16x64xf16>, tensor<64x32xf16>) outs(%c : tensor<16x32xf32>) -> tensor<16x32xf32>
  return %r : tensor<16x32xf32>
}
