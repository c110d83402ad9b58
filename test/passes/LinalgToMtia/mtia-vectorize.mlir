// RUN: kevolve-opt %s --split-input-file --mtia-vectorize --canonicalize --cse | FileCheck %s
// RUN: kevolve-opt %s --split-input-file --mtia-vectorize=lmul=1 --canonicalize --cse | FileCheck %s --check-prefix=LMUL1

// Whole buffers are one loop of vectors of 4 registers; multiplications and
// additions may contract.

// CHECK-LABEL: func.func @elementwise
// CHECK: %[[X:.*]] = memref.collapse_shape
// CHECK: scf.for %[[I:.*]] = %c0{{.*}} to %c2048{{.*}} step %c64
// CHECK: %[[V:.*]] = vector.load %[[X]][%[[I]]] : memref<2048xf32>, vector<64xf32>
// CHECK: %[[M:.*]] = arith.mulf %[[V]], %{{.*}} fastmath<contract> : vector<64xf32>
// CHECK: vector.store %[[M]], %{{.*}}[%[[I]]]
// LMUL1-LABEL: func.func @elementwise
// LMUL1: vector.load %{{.*}} : memref<2048xf32>, vector<16xf32>
#id = affine_map<(d0, d1) -> (d0, d1)>
#scalar = affine_map<(d0, d1) -> ()>
func.func @elementwise(%x: memref<16x128xf32>, %s: f32, %y: memref<16x128xf32>) {
  linalg.generic {indexing_maps = [#id, #scalar, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : memref<16x128xf32>, f32) outs(%y : memref<16x128xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %m = arith.mulf %a, %b : f32
    linalg.yield %m : f32
  }
  return
}

// -----

// A row's sum: vector accumulators, lanes combined once per row.

// CHECK-LABEL: func.func @row_sums
// CHECK-DAG: %[[ZERO:.*]] = arith.constant dense<-0.000000e+00> : vector<64xf32>
// CHECK: scf.for %[[R:.*]] = %c0
// CHECK: %[[INIT:.*]] = memref.load %{{.*}}[%[[R]]]
// CHECK: %[[LANES:.*]] = scf.for %[[C:.*]] = %c0{{.*}} to %c256{{.*}} step %c64{{.*}} iter_args(%[[ACC:.*]] = %[[ZERO]])
// CHECK: %[[V:.*]] = vector.load %{{.*}}[%[[R]], %[[C]]]
// CHECK: %[[NEXT:.*]] = arith.addf %[[V]], %[[ACC]]
// CHECK: scf.yield %[[NEXT]]
// CHECK: %[[SUM:.*]] = vector.reduction <add>, %[[LANES]], %[[INIT]] fastmath<reassoc>
// CHECK: memref.store %[[SUM]]
#in = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @row_sums(%x: memref<8x256xf32>, %s: memref<8xf32>) {
  linalg.generic {indexing_maps = [#in, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<8x256xf32>) outs(%s : memref<8xf32>) {
  ^bb0(%a: f32, %out: f32):
    %m = arith.addf %a, %out : f32
    linalg.yield %m : f32
  }
  return
}

// -----

// A column's maximum: vectors along the row, one accumulator for each.

// CHECK-LABEL: func.func @column_maxima
// CHECK: %[[INIT:.*]] = vector.load %{{.*}} : memref<64xf32>, vector<64xf32>
// CHECK: %[[MAX:.*]] = scf.for {{.*}} iter_args(%[[ACC:.*]] = %[[INIT]])
// CHECK: arith.maximumf %{{.*}}, %[[ACC]] : vector<64xf32>
// CHECK-NOT: vector.reduction
// CHECK: vector.store %[[MAX]]
#in = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>
func.func @column_maxima(%x: memref<32x64xf32>, %s: memref<64xf32>) {
  linalg.generic {indexing_maps = [#in, #column], iterator_types = ["reduction", "parallel"]}
      ins(%x : memref<32x64xf32>) outs(%s : memref<64xf32>) {
  ^bb0(%a: f32, %out: f32):
    %m = arith.maximumf %a, %out : f32
    linalg.yield %m : f32
  }
  return
}

// -----

// What a row has in common stays scalar until it meets a vector; the index of
// the vector loop is made in the width it is used in.

// CHECK-LABEL: func.func @row_operand
// CHECK-DAG: %[[LANES:.*]] = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, {{.*}}]> : vector<64xi32>
// CHECK: %[[S:.*]] = memref.load %{{.*}}[%{{.*}}] : memref<8xi32>
// CHECK: %[[FIRST:.*]] = arith.index_cast %{{.*}} : index to i32
// CHECK: %[[B:.*]] = vector.broadcast %[[FIRST]]
// CHECK: %[[INDEX:.*]] = arith.addi %[[B]], %[[LANES]]
// CHECK: %[[T:.*]] = arith.muli %[[S]], %[[S]] : i32
// CHECK: %[[BT:.*]] = vector.broadcast %[[T]]
// CHECK: arith.addi %[[INDEX]], %[[BT]] : vector<64xi32>
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @row_operand(%s: memref<8xi32>, %y: memref<8x128xi32>) {
  linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s : memref<8xi32>) outs(%y : memref<8x128xi32>) {
  ^bb0(%a: i32, %out: i32):
    %i = linalg.index 1 : index
    %j = arith.index_cast %i : index to i32
    %t = arith.muli %a, %a : i32
    %r = arith.addi %j, %t : i32
    linalg.yield %r : i32
  }
  return
}

// -----

// A product of f32 matrices: four rows of the result share vectors of B.

// CHECK-LABEL: func.func @matmul
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %c16{{.*}} step %c4
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %c128{{.*}} step %c64
// CHECK: %{{.*}}:4 = scf.for %{{.*}} = %c0{{.*}} to %c32{{.*}} step %c1{{.*}} iter_args
// CHECK-COUNT-4: arith.addf {{.*}}fastmath<contract> : vector<64xf32>
// CHECK: scf.yield
// CHECK-COUNT-4: vector.store
func.func @matmul(%a: memref<16x32xf32>, %b: memref<32x128xf32>, %c: memref<16x128xf32>) {
  linalg.matmul ins(%a, %b : memref<16x32xf32>, memref<32x128xf32>)
                outs(%c : memref<16x128xf32>)
  return
}

// -----

// A transpose reads its rows with a stride.

// CHECK-LABEL: func.func @transpose
// CHECK: vector.gather
// CHECK: vector.store
func.func @transpose(%x: memref<64x32xf32>, %y: memref<32x64xf32>) {
  linalg.transpose ins(%x : memref<64x32xf32>) outs(%y : memref<32x64xf32>) permutation = [1, 0]
  return
}

// -----

// Masks in memory are bytes: scalar loops.

// CHECK-LABEL: func.func @mask
// CHECK-NOT: vector
// CHECK: memref.load %{{.*}} : memref<64xi1>
func.func @mask(%x: memref<64xi1>, %y: memref<64xi1>) {
  memref.copy %x, %y : memref<64xi1> to memref<64xi1>
  return
}

// -----

// A last vector is shorter when the extent is no multiple.

// CHECK-LABEL: func.func @remainder
// CHECK: vector.store %{{.*}}, %{{.*}}[%c0{{.*}}] : memref<72xf32>, vector<64xf32>
// CHECK: vector.store %{{.*}}, %{{.*}}[%c64{{.*}}] : memref<72xf32>, vector<8xf32>
func.func @remainder(%v: f32, %y: memref<72xf32>) {
  linalg.fill ins(%v : f32) outs(%y : memref<72xf32>)
  return
}

// -----

// A division by what a row has in common is one scalar division and products.

// CHECK-LABEL: func.func @divide_by_row
// CHECK: %[[S:.*]] = memref.load
// CHECK: %[[R:.*]] = arith.divf %{{.*}}, %[[S]] : f32
// CHECK: %[[B:.*]] = vector.broadcast %[[R]]
// CHECK: arith.mulf %{{.*}}, %[[B]] : vector<64xf32>
// CHECK-NOT: arith.divf {{.*}} : vector
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @divide_by_row(%x: memref<8x128xf32>, %s: memref<8xf32>, %y: memref<8x128xf32>) {
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : memref<8x128xf32>, memref<8xf32>) outs(%y : memref<8x128xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %q = arith.divf %a, %b : f32
    linalg.yield %q : f32
  }
  return
}
