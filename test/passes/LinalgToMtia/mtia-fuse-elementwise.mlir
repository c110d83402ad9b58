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

// -----

// Each value is used twice by the next: fused without a limit, the last would be
// computed by 2^24 products.

// CHECK-LABEL: func.func @values_used_twice
// CHECK: linalg.generic
// CHECK: return
func.func @values_used_twice(%x: tensor<64xi32>, %y: tensor<64xi32>) -> tensor<64xi32> {
  %s0 = arith.xori %x, %y : tensor<64xi32>
  %0 = arith.muli %x, %s0 : tensor<64xi32>
  %s1 = arith.xori %0, %y : tensor<64xi32>
  %1 = arith.muli %0, %s1 : tensor<64xi32>
  %s2 = arith.xori %1, %y : tensor<64xi32>
  %2 = arith.muli %1, %s2 : tensor<64xi32>
  %s3 = arith.xori %2, %y : tensor<64xi32>
  %3 = arith.muli %2, %s3 : tensor<64xi32>
  %s4 = arith.xori %3, %y : tensor<64xi32>
  %4 = arith.muli %3, %s4 : tensor<64xi32>
  %s5 = arith.xori %4, %y : tensor<64xi32>
  %5 = arith.muli %4, %s5 : tensor<64xi32>
  %s6 = arith.xori %5, %y : tensor<64xi32>
  %6 = arith.muli %5, %s6 : tensor<64xi32>
  %s7 = arith.xori %6, %y : tensor<64xi32>
  %7 = arith.muli %6, %s7 : tensor<64xi32>
  %s8 = arith.xori %7, %y : tensor<64xi32>
  %8 = arith.muli %7, %s8 : tensor<64xi32>
  %s9 = arith.xori %8, %y : tensor<64xi32>
  %9 = arith.muli %8, %s9 : tensor<64xi32>
  %s10 = arith.xori %9, %y : tensor<64xi32>
  %10 = arith.muli %9, %s10 : tensor<64xi32>
  %s11 = arith.xori %10, %y : tensor<64xi32>
  %11 = arith.muli %10, %s11 : tensor<64xi32>
  %s12 = arith.xori %11, %y : tensor<64xi32>
  %12 = arith.muli %11, %s12 : tensor<64xi32>
  %s13 = arith.xori %12, %y : tensor<64xi32>
  %13 = arith.muli %12, %s13 : tensor<64xi32>
  %s14 = arith.xori %13, %y : tensor<64xi32>
  %14 = arith.muli %13, %s14 : tensor<64xi32>
  %s15 = arith.xori %14, %y : tensor<64xi32>
  %15 = arith.muli %14, %s15 : tensor<64xi32>
  %s16 = arith.xori %15, %y : tensor<64xi32>
  %16 = arith.muli %15, %s16 : tensor<64xi32>
  %s17 = arith.xori %16, %y : tensor<64xi32>
  %17 = arith.muli %16, %s17 : tensor<64xi32>
  %s18 = arith.xori %17, %y : tensor<64xi32>
  %18 = arith.muli %17, %s18 : tensor<64xi32>
  %s19 = arith.xori %18, %y : tensor<64xi32>
  %19 = arith.muli %18, %s19 : tensor<64xi32>
  %s20 = arith.xori %19, %y : tensor<64xi32>
  %20 = arith.muli %19, %s20 : tensor<64xi32>
  %s21 = arith.xori %20, %y : tensor<64xi32>
  %21 = arith.muli %20, %s21 : tensor<64xi32>
  %s22 = arith.xori %21, %y : tensor<64xi32>
  %22 = arith.muli %21, %s22 : tensor<64xi32>
  %s23 = arith.xori %22, %y : tensor<64xi32>
  %23 = arith.muli %22, %s23 : tensor<64xi32>
  return %23 : tensor<64xi32>
}
