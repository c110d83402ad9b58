// RUN: kevolve-opt %s | kevolve-opt | FileCheck %s
// RUN: kevolve-opt %s --mlir-print-op-generic | kevolve-opt | FileCheck %s

// CHECK-LABEL: func @box
func.func @box(%base: i64, %stride: index, %lower: index, %upper: index,
               %init: tensor<64x32xf16>, %buffer: memref<64x32xf16>) -> tensor<64x32xf16> {
  // CHECK: tile.load %{{.*}} strides [%{{.*}}, 2] lower [0, %{{.*}}] upper [%{{.*}}, 32] outs(%{{.*}} : tensor<64x32xf16>) -> tensor<64x32xf16>
  %r = tile.load %base strides [%stride, 2] lower [0, %lower] upper [%upper, 32]
         outs(%init : tensor<64x32xf16>) -> tensor<64x32xf16>
  // CHECK: tile.store %{{.*}} into %{{.*}} strides [-64, 2] lower [0, 0] upper [64, %{{.*}}] : tensor<64x32xf16>
  tile.store %r into %base strides [-64, 2] lower [0, 0] upper [64, %upper] : tensor<64x32xf16>
  // CHECK: tile.load %{{.*}} strides [64, 2] lower [0, 0] upper [64, 32] outs(%{{.*}} : memref<64x32xf16>)
  tile.load %base strides [64, 2] lower [0, 0] upper [64, 32] outs(%buffer : memref<64x32xf16>)
  // CHECK: tile.store %{{.*}} into %{{.*}} strides [0, 2] lower [0, 0] upper [64, 32] : memref<64x32xf16>
  tile.store %buffer into %base strides [0, 2] lower [0, 0] upper [64, 32] : memref<64x32xf16>
  return %r : tensor<64x32xf16>
}

// CHECK-LABEL: func @rank_zero
func.func @rank_zero(%base: i64, %init: tensor<f32>) -> tensor<f32> {
  // CHECK: tile.load %{{.*}} strides [] lower [] upper [] outs(%{{.*}} : tensor<f32>) -> tensor<f32>
  %r = tile.load %base strides [] lower [] upper [] outs(%init : tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// CHECK-LABEL: func @by_element
func.func @by_element(%addresses: tensor<8xi64>, %mask: tensor<8xi1>, %init: tensor<8xf32>,
                      %where: memref<8xi64>, %buffer: memref<8xf32>) -> tensor<8xf32> {
  // CHECK: tile.gather %{{.*}} : tensor<8xi64> mask %{{.*}} : tensor<8xi1> outs(%{{.*}} : tensor<8xf32>) -> tensor<8xf32>
  %r = tile.gather %addresses : tensor<8xi64> mask %mask : tensor<8xi1>
         outs(%init : tensor<8xf32>) -> tensor<8xf32>
  // CHECK: tile.gather %{{.*}} : tensor<8xi64> outs(%{{.*}} : tensor<8xf32>) -> tensor<8xf32>
  %all = tile.gather %addresses : tensor<8xi64> outs(%r : tensor<8xf32>) -> tensor<8xf32>
  // CHECK: tile.scatter %{{.*}} : tensor<8xf32> to %{{.*}} : tensor<8xi64> mask %{{.*}} : tensor<8xi1>
  tile.scatter %all : tensor<8xf32> to %addresses : tensor<8xi64> mask %mask : tensor<8xi1>
  // CHECK: tile.gather %{{.*}} : memref<8xi64> outs(%{{.*}} : memref<8xf32>)
  tile.gather %where : memref<8xi64> outs(%buffer : memref<8xf32>)
  // CHECK: tile.scatter %{{.*}} : memref<8xf32> to %{{.*}} : memref<8xi64>
  tile.scatter %buffer : memref<8xf32> to %where : memref<8xi64>
  return %all : tensor<8xf32>
}

// CHECK-LABEL: func @scalar
func.func @scalar(%address: i64) {
  // CHECK: tile.load_scalar %{{.*}} : bf16
  %v = tile.load_scalar %address : bf16
  // CHECK: tile.store_scalar %{{.*}} into %{{.*}} : bf16
  tile.store_scalar %v into %address : bf16
  return
}

// CHECK-LABEL: func @atomics
func.func @atomics(%address: i64, %flag: i1, %f: f32, %i: i32, %addresses: tensor<8xi64>,
                   %mask: tensor<8xi1>, %v: tensor<8xi32>, %init: tensor<8xi32>,
                   %where: memref<8xi64>, %values: memref<8xi32>) -> (f32, i32, tensor<8xi32>) {
  // CHECK: tile.atomic_rmw fadd relaxed %{{.*}} at %{{.*}} mask %{{.*}} : (f32, i64, i1) -> f32
  %0 = tile.atomic_rmw fadd relaxed %f at %address mask %flag : (f32, i64, i1) -> f32
  // CHECK: tile.atomic_cas acquire %{{.*}}, %{{.*}} at %{{.*}} : (i32, i32, i64) -> i32
  %1 = tile.atomic_cas acquire %i, %i at %address : (i32, i32, i64) -> i32
  // CHECK: tile.atomic_rmw umax acq_rel %{{.*}} at %{{.*}} mask %{{.*}} outs(%{{.*}}) : (tensor<8xi32>, tensor<8xi64>, tensor<8xi1>, tensor<8xi32>) -> tensor<8xi32>
  %2 = tile.atomic_rmw umax acq_rel %v at %addresses mask %mask outs(%init)
         : (tensor<8xi32>, tensor<8xi64>, tensor<8xi1>, tensor<8xi32>) -> tensor<8xi32>
  // CHECK: tile.atomic_rmw add relaxed %{{.*}} at %{{.*}} : (tensor<8xi32>, tensor<8xi64>) -> ()
  tile.atomic_rmw add relaxed %v at %addresses : (tensor<8xi32>, tensor<8xi64>) -> ()
  // CHECK: tile.atomic_cas release %{{.*}}, %{{.*}} at %{{.*}} outs(%{{.*}}) : (memref<8xi32>, memref<8xi32>, memref<8xi64>, memref<8xi32>) -> ()
  tile.atomic_cas release %values, %values at %where outs(%values)
    : (memref<8xi32>, memref<8xi32>, memref<8xi64>, memref<8xi32>) -> ()
  return %0, %1, %2 : f32, i32, tensor<8xi32>
}
