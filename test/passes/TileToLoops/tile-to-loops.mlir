// RUN: kevolve-opt %s --tile-to-loops --canonicalize | FileCheck %s

// Bounds are cut to the tile; only elements of the box are visited.
// CHECK-LABEL: func @box(
// CHECK-SAME: %[[BASE:.*]]: i64, %[[STRIDE:.*]]: index, %[[UPPER:.*]]: index, %[[BUFFER:.*]]: memref<8x4xf32>)
func.func @box(%base: i64, %stride: index, %upper: index, %buffer: memref<8x4xf32>) {
  // CHECK-DAG: %[[END:.*]] = arith.minsi %[[UPPER]], %c8
  // CHECK: scf.for %[[I:.*]] = %c2 to %[[END]] step %c1
  // CHECK: scf.for %[[J:.*]] = %c0 to %c4 step %c1
  // CHECK: %[[START:.*]] = llvm.inttoptr %[[BASE]] : i64 to !llvm.ptr
  // CHECK: %[[ROW:.*]] = arith.muli %[[I]], %[[STRIDE]] : index
  // CHECK: %[[POINTER:.*]] = llvm.getelementptr %[[START]][%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  // CHECK: %[[ELEMENT:.*]] = llvm.load %[[POINTER]] : !llvm.ptr -> f32
  // CHECK: memref.store %[[ELEMENT]], %[[BUFFER]][%[[I]], %[[J]]]
  tile.load %base strides [%stride, 4] lower [2, -1] upper [%upper, 9] outs(%buffer : memref<8x4xf32>)
  // CHECK: memref.load %[[BUFFER]]
  // CHECK: llvm.store %{{.*}}, %{{.*}} : f32, !llvm.ptr
  tile.store %buffer into %base strides [%stride, 4] lower [0, 0] upper [8, 4] : memref<8x4xf32>
  return
}

// CHECK-LABEL: func @by_element(
// CHECK-SAME: %[[WHERE:.*]]: memref<8xi64>, %[[MASK:.*]]: memref<8xi1>, %[[BUFFER:.*]]: memref<8xf8E5M2>)
func.func @by_element(%where: memref<8xi64>, %mask: memref<8xi1>, %buffer: memref<8xf8E5M2>) {
  // CHECK: scf.for %[[I:.*]] =
  // CHECK: %[[FLAG:.*]] = memref.load %[[MASK]][%[[I]]]
  // CHECK: scf.if %[[FLAG]]
  // CHECK: %[[ADDRESS:.*]] = memref.load %[[WHERE]][%[[I]]]
  // CHECK: %[[POINTER:.*]] = llvm.inttoptr %[[ADDRESS]]
  // CHECK: %[[BITS:.*]] = llvm.load %[[POINTER]] : !llvm.ptr -> i8
  // CHECK: arith.bitcast %[[BITS]] : i8 to f8E5M2
  tile.gather %where : memref<8xi64> mask %mask : memref<8xi1> outs(%buffer : memref<8xf8E5M2>)
  // CHECK: scf.for
  // CHECK-NOT: scf.if
  // CHECK: llvm.store %{{.*}}, %{{.*}} : i8, !llvm.ptr
  tile.scatter %buffer : memref<8xf8E5M2> to %where : memref<8xi64>
  return
}

// CHECK-LABEL: func @scalars
func.func @scalars(%address: i64) {
  // CHECK: %[[BYTE:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i8
  // CHECK: %[[FLAG:.*]] = arith.trunci %[[BYTE]] : i8 to i1
  %flag = tile.load_scalar %address : i1
  // CHECK: %[[WIDE:.*]] = arith.extui %[[FLAG]] : i1 to i8
  // CHECK: llvm.store %[[WIDE]]
  tile.store_scalar %flag into %address : i1
  return
}

// CHECK-LABEL: func @atomics
func.func @atomics(%address: i64, %flag: i1, %f: f32, %where: memref<8xi64>, %v: memref<8xi32>) -> f32 {
  // CHECK: %[[R:.*]] = scf.if %{{.*}} -> (f32)
  // CHECK: llvm.atomicrmw fadd %{{.*}}, %{{.*}} monotonic : !llvm.ptr, f32
  // CHECK: else
  // CHECK: scf.yield %cst
  %r = tile.atomic_rmw fadd relaxed %f at %address mask %flag : (f32, i64, i1) -> f32
  // CHECK: scf.for
  // CHECK: llvm.atomicrmw umax %{{.*}}, %{{.*}} acq_rel : !llvm.ptr, i32
  // CHECK: memref.store
  tile.atomic_rmw umax acq_rel %v at %where outs(%v) : (memref<8xi32>, memref<8xi64>, memref<8xi32>) -> ()
  // CHECK: llvm.cmpxchg %{{.*}}, %{{.*}}, %{{.*}} acquire acquire : !llvm.ptr, i32
  tile.atomic_cas acquire %f, %f at %address : (f32, f32, i64) -> ()
  // CHECK: return %[[R]]
  return %r : f32
}

// LLVM would call a library to round sums of bf16: they are exchanged instead.
// CHECK-LABEL: func @atomic_sum_of_bf16
func.func @atomic_sum_of_bf16(%address: i64, %x: bf16) -> bf16 {
  // CHECK: %[[P:.*]] = llvm.inttoptr
  // CHECK: %[[FIRST:.*]] = llvm.load %[[P]] : !llvm.ptr -> i16
  // CHECK: %[[OLD:.*]] = scf.while (%[[SEEN:.*]] = %[[FIRST]])
  // CHECK: %[[SUM:.*]] = arith.addf %{{.*}}, %{{.*}} : f32
  // CHECK: %[[ROUNDED:.*]] = arith.truncf %[[SUM]] : f32 to bf16
  // CHECK: %[[BITS:.*]] = arith.bitcast %[[ROUNDED]]
  // CHECK: llvm.cmpxchg %[[P]], %[[SEEN]], %[[BITS]] acq_rel acquire
  // CHECK: scf.condition
  // CHECK: %[[RESULT:.*]] = arith.bitcast %[[OLD]] : i16 to bf16
  // CHECK: return %[[RESULT]]
  %old = tile.atomic_rmw fadd acq_rel %x at %address : (bf16, i64) -> bf16
  return %old : bf16
}

// Operations on tensors wait for bufferization.
// CHECK-LABEL: func @tensors
func.func @tensors(%base: i64, %value: tensor<4xf32>) {
  // CHECK: tile.store
  tile.store %value into %base strides [4] lower [0] upper [4] : tensor<4xf32>
  return
}
