// RUN: kevolve-opt %s --one-shot-bufferize --cse --canonicalize | FileCheck %s

// A load of the whole tile goes straight into a fresh buffer.
// CHECK-LABEL: func @copy(
// CHECK-SAME: %[[FROM:.*]]: i64, %[[TO:.*]]: i64)
func.func @copy(%from: i64, %to: i64) {
  // CHECK: %[[BUFFER:.*]] = memref.alloc() {{.*}}: memref<8xf32>
  // CHECK-NEXT: tile.load %[[FROM]] strides [4] lower [0] upper [8] outs(%[[BUFFER]] : memref<8xf32>)
  // CHECK-NEXT: tile.store %[[BUFFER]] into %[[TO]] strides [4] lower [0] upper [8] : memref<8xf32>
  %empty = tensor.empty() : tensor<8xf32>
  %r = tile.load %from strides [4] lower [0] upper [8] outs(%empty : tensor<8xf32>) -> tensor<8xf32>
  tile.store %r into %to strides [4] lower [0] upper [8] : tensor<8xf32>
  return
}

// A destination that is used again is copied when it shows through.
// CHECK-LABEL: func @partial
func.func @partial(%from: i64, %to: i64, %n: index) {
  // CHECK: linalg.fill {{.*}} outs(%[[FILLED:.*]] : memref<8xf32>)
  // CHECK: memref.copy %[[FILLED]], %[[COPY:.*]] :
  // CHECK: tile.load {{.*}} outs(%[[COPY]] : memref<8xf32>)
  // CHECK: tile.store %[[FILLED]]
  // CHECK: tile.store %[[COPY]]
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8xf32>
  %filled = linalg.fill ins(%zero : f32) outs(%empty : tensor<8xf32>) -> tensor<8xf32>
  %r = tile.load %from strides [4] lower [0] upper [%n] outs(%filled : tensor<8xf32>) -> tensor<8xf32>
  tile.store %filled into %to strides [4] lower [0] upper [8] : tensor<8xf32>
  tile.store %r into %to strides [4] lower [0] upper [8] : tensor<8xf32>
  return
}

// ... and not copied when all of it is overwritten.
// CHECK-LABEL: func @covered
func.func @covered(%from: i64, %to: i64) {
  // CHECK-NOT: memref.copy
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8xf32>
  %filled = linalg.fill ins(%zero : f32) outs(%empty : tensor<8xf32>) -> tensor<8xf32>
  %r = tile.load %from strides [4] lower [-1] upper [9] outs(%filled : tensor<8xf32>) -> tensor<8xf32>
  tile.store %filled into %to strides [4] lower [0] upper [8] : tensor<8xf32>
  // CHECK: return
  tile.store %r into %to strides [4] lower [0] upper [8] : tensor<8xf32>
  return
}

// CHECK-LABEL: func @by_element
func.func @by_element(%addresses: tensor<8xi64>, %mask: tensor<8xi1>) {
  // CHECK-DAG: %[[ADDRESSES:.*]] = bufferization.to_buffer %{{.*}} : tensor<8xi64>
  // CHECK-DAG: %[[MASK:.*]] = bufferization.to_buffer %{{.*}} : tensor<8xi1>
  // CHECK: tile.gather %[[ADDRESSES]] : memref<8xi64{{.*}}> mask %[[MASK]] : memref<8xi1{{.*}}> outs(%[[R:.*]] : memref<8xf32>)
  // CHECK: tile.scatter %[[R]] : memref<8xf32> to %[[ADDRESSES]]
  %empty = tensor.empty() : tensor<8xf32>
  %r = tile.gather %addresses : tensor<8xi64> mask %mask : tensor<8xi1>
         outs(%empty : tensor<8xf32>) -> tensor<8xf32>
  tile.scatter %r : tensor<8xf32> to %addresses : tensor<8xi64>
  return
}

// CHECK-LABEL: func @atomics
func.func @atomics(%addresses: tensor<8xi64>, %address: i64, %f: f32) -> f32 {
  // CHECK: tile.atomic_rmw add relaxed %[[V:.*]] at %{{.*}} outs(%[[OLD:.*]]) : (memref<8xi32>, memref<8xi64{{.*}}>, memref<8xi32>) -> ()
  // CHECK: tile.atomic_cas relaxed %[[OLD]], %[[V]] at %{{.*}} : (memref<8xi32>, memref<8xi32>, memref<8xi64{{.*}}>) -> ()
  // CHECK: tile.atomic_rmw fadd relaxed %{{.*}} at %{{.*}} : (f32, i64) -> f32
  %one = arith.constant 1 : i32
  %empty = tensor.empty() : tensor<8xi32>
  %v = linalg.fill ins(%one : i32) outs(%empty : tensor<8xi32>) -> tensor<8xi32>
  %old = tile.atomic_rmw add relaxed %v at %addresses outs(%empty)
    : (tensor<8xi32>, tensor<8xi64>, tensor<8xi32>) -> tensor<8xi32>
  tile.atomic_cas relaxed %old, %v at %addresses : (tensor<8xi32>, tensor<8xi32>, tensor<8xi64>) -> ()
  %r = tile.atomic_rmw fadd relaxed %f at %address : (f32, i64) -> f32
  return %r : f32
}
