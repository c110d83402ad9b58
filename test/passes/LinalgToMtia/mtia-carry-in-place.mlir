// RUN: kevolve-opt %s --split-input-file --allow-unregistered-dialect --mtia-carry-in-place | FileCheck %s
// RUN: kevolve-opt %s --split-input-file --allow-unregistered-dialect --mtia-carry-in-place --one-shot-bufferize="allow-unknown-ops" --canonicalize | FileCheck %s --check-prefix=BUFFERS

// The running sum is scaled where it lies, and the product goes on top: one
// buffer, no copies.

// CHECK-LABEL: func.func @scaled_sum
// CHECK: scf.for {{.*}} iter_args(%[[ACC:.*]] = %{{.*}})
// CHECK: %[[SCALED:.*]] = linalg.generic {{.*}} outs(%[[ACC]] :
// CHECK: linalg.matmul {{.*}} outs(%[[SCALED]] :
// CHECK-NOT: materialize_in_destination
// BUFFERS-LABEL: func.func @scaled_sum
// BUFFERS-COUNT-1: memref.alloc
// BUFFERS-NOT: memref.alloc
// BUFFERS-NOT: memref.copy
#id = affine_map<(d0, d1) -> (d0, d1)>
#scalar = affine_map<(d0, d1) -> ()>
func.func @scaled_sum(%a: tensor<32x32xf16>, %s: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<32x32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<32x32xf32>) -> tensor<32x32xf32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %init) -> (tensor<32x32xf32>) {
    %scaled = linalg.generic {indexing_maps = [#id, #scalar, #id],
                              iterator_types = ["parallel", "parallel"]}
        ins(%acc, %s : tensor<32x32xf32>, f32) outs(%empty : tensor<32x32xf32>) {
    ^bb0(%x: f32, %y: f32, %out: f32):
      %m = arith.mulf %x, %y : f32
      linalg.yield %m : f32
    } -> tensor<32x32xf32>
    %p = linalg.matmul ins(%a, %a : tensor<32x32xf16>, tensor<32x32xf16>)
                       outs(%scaled : tensor<32x32xf32>) -> tensor<32x32xf32>
    %moved = bufferization.materialize_in_destination %p in %acc
      : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
    scf.yield %moved : tensor<32x32xf32>
  }
  %r = tensor.extract %sum[%c0, %c0] : tensor<32x32xf32>
  return %r : f32
}

// -----

// Used after the new value is made, the old one is kept until the end.

// BUFFERS-LABEL: func.func @old_and_new
// CHECK-LABEL: func.func @old_and_new
// CHECK: scf.for {{.*}} iter_args(%[[OLD:.*]] = %{{.*}})
// CHECK: %[[NEW:.*]] = linalg.generic
// CHECK: "test.use"(%[[OLD]])
// CHECK: %[[COPY:.*]] = linalg.copy ins(%[[NEW]] : {{.*}}) outs(%[[OLD]] :
// CHECK: scf.yield %[[COPY]]
#id1 = affine_map<(d0) -> (d0)>
func.func @old_and_new(%init: tensor<32xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %empty = tensor.empty() : tensor<32xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%old = %init) -> (tensor<32xf32>) {
    %new = linalg.generic {indexing_maps = [#id1, #id1], iterator_types = ["parallel"]}
        ins(%old : tensor<32xf32>) outs(%empty : tensor<32xf32>) {
    ^bb0(%x: f32, %out: f32):
      %m = arith.addf %x, %x : f32
      linalg.yield %m : f32
    } -> tensor<32xf32>
    "test.use"(%old) : (tensor<32xf32>) -> ()
    scf.yield %new : tensor<32xf32>
  }
  return
}
