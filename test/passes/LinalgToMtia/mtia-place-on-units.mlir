// RUN: kevolve-opt %s --split-input-file --mtia-place-on-units | FileCheck %s
// RUN: kevolve-opt %s --split-input-file --mtia-place-on-units=use-se=false | FileCheck %s --check-prefix=CORE

// A fill that a load overwrites runs only when the box leaves out part of the
// tile.

// CHECK-LABEL: func.func @masked_load(
// CHECK-SAME: %[[P:.*]]: i64, %[[N:.*]]: index
// CHECK-DAG: %[[V:.*]] = arith.constant 0.0{{.*}} : f32
// CHECK: %[[B:.*]] = memref.alloc
// CHECK-NOT: linalg.fill
// CHECK: %[[PARTIAL:.*]] = arith.cmpi slt, %[[N]], %c128
// CHECK: scf.if %[[PARTIAL]] {
// CHECK-NEXT: mtia.fill %[[V]] into %[[B]]
// CHECK: mtia.dma_load %[[P]] strides [4] lower [0] upper [%[[N]]] into %[[B]]
// CHECK: mtia.dma_store %[[B]] to %[[P]] strides [4] lower [0] upper [%[[N]]]
func.func @masked_load(%p: i64, %n: index) {
  %zero = arith.constant 0.0 : f32
  %b = memref.alloc() : memref<128xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<128xf32>)
  tile.load %p strides [4] lower [0] upper [%n] outs(%b : memref<128xf32>)
  tile.store %b into %p strides [4] lower [0] upper [%n] : memref<128xf32>
  return
}

// -----

// A product into zeros overwrites; one into a sum accumulates. f32 stays on the
// core.

// CHECK-LABEL: func.func @products
// CHECK-NOT: linalg.fill
// CHECK: mtia.dpe_matmul %{{.*}}, %{{.*}} into %{{.*}} : memref<32x64xf16>, memref<64x32xf16>, memref<32x32xf32>
// CHECK: mtia.dpe_matmul %{{.*}}, %{{.*}} into %{{.*}} {accumulate, transpose_b} : memref<32x64xf16>, memref<32x64xf16>
// CHECK: linalg.matmul
#a = affine_map<(m, n, k) -> (m, k)>
#bt = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @products(%a: memref<32x64xf16>, %b: memref<64x32xf16>, %bt: memref<32x64xf16>,
                    %c: memref<32x32xf32>, %x: memref<32x32xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<32x32xf32>)
  linalg.matmul ins(%a, %b : memref<32x64xf16>, memref<64x32xf16>) outs(%c : memref<32x32xf32>)
  linalg.matmul indexing_maps = [#a, #bt, #c]
    ins(%a, %bt : memref<32x64xf16>, memref<32x64xf16>) outs(%c : memref<32x32xf32>)
  linalg.matmul ins(%x, %x : memref<32x32xf32>, memref<32x32xf32>) outs(%c : memref<32x32xf32>)
  return
}

// -----

// A batch is a loop of products.

// CHECK-LABEL: func.func @batch
// CHECK: scf.for %[[I:.*]] = %c0{{.*}} to %c4{{.*}} step %c1
// CHECK: %[[A:.*]] = memref.subview %{{.*}}[%[[I]], 0, 0] [1, 32, 32] [1, 1, 1]
// CHECK: mtia.dpe_matmul %[[A]]
func.func @batch(%a: memref<4x32x32xf16>, %c: memref<4x32x32xf32>) {
  linalg.batch_matmul ins(%a, %a : memref<4x32x32xf16>, memref<4x32x32xf16>)
                      outs(%c : memref<4x32x32xf32>)
  return
}

// -----

// A lone transcendental of a large enough tile goes to the SE.

// CHECK-LABEL: func.func @transcendentals
// CHECK: mtia.se_unary <exp> %{{.*}} into %{{.*}} : memref<16x64xf32>, memref<16x64xf32>
// CHECK: math.tanh
// CORE-LABEL: func.func @transcendentals
// CORE-NOT: mtia.se_unary
#id = affine_map<(d0, d1) -> (d0, d1)>
#id1 = affine_map<(d0) -> (d0)>
func.func @transcendentals(%x: memref<16x64xf32>, %y: memref<16x64xf32>, %s: memref<16xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<16x64xf32>) outs(%y : memref<16x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %e = math.exp %in : f32
    linalg.yield %e : f32
  }
  linalg.generic {indexing_maps = [#id1, #id1], iterator_types = ["parallel"]}
      ins(%s : memref<16xf32>) outs(%s : memref<16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %e = math.tanh %in : f32
    linalg.yield %e : f32
  }
  return
}
