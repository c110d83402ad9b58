// RUN: kevolve-opt %s --split-input-file --allow-unregistered-dialect --mtia-pipeline --canonicalize --cse | FileCheck %s
// RUN: kevolve-opt %s --split-input-file --allow-unregistered-dialect --mtia-pipeline=cb-multiplier=1 | FileCheck %s --check-prefix=ONE

// Two slots: the next iteration's load runs while this one's tile is worked on,
// the store of two iterations ago is waited for before its slot is written.

// CHECK-LABEL: func.func @load_work_store
// CHECK-DAG: %[[IN:.*]] = memref.alloc() : memref<512xi8>
// CHECK-DAG: %[[OUT:.*]] = memref.alloc() : memref<512xi8>
// CHECK: %[[FIRST:.*]] = scf.if
// CHECK: mtia.dma_load {{.*}} {mtia.pipelined}
// CHECK: %[[LOOP:.*]]:4 = scf.for {{.*}} iter_args(%[[SLOT:.*]] = %c0, %[[LOADED:.*]] = %[[FIRST]], %[[OLDEST:.*]] = %{{.*}}, %[[OLD:.*]] = %{{.*}})
// CHECK: %[[NEXT:.*]] = scf.if
// CHECK: mtia.dma_load {{.*}} {mtia.pipelined}
// CHECK: mtia.wait %[[LOADED]]
// CHECK: %[[X:.*]] = memref.load
// CHECK: mtia.wait %[[OLDEST]]
// CHECK: memref.store %[[X]]
// CHECK: %[[STORED:.*]] = mtia.dma_store {{.*}} {mtia.pipelined}
// CHECK: scf.yield %{{.*}}, %[[NEXT]], %[[OLD]], %[[STORED]]
// CHECK: mtia.wait %[[LOOP]]#2
// CHECK: mtia.wait %[[LOOP]]#3
// ONE-LABEL: func.func @load_work_store
// ONE-NOT: mtia.pipelined
// ONE-NOT: iter_args
func.func @load_work_store(%p: i64, %q: i64, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : i64
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<64xf32>
    %b = memref.alloc() : memref<64xf32>
    %i64 = arith.index_cast %i : index to i64
    %offset = arith.muli %i64, %c256 : i64
    %from = arith.addi %p, %offset : i64
    %to = arith.addi %q, %offset : i64
    %t = mtia.dma_load %from strides [4] lower [0] upper [64] into %a : memref<64xf32> -> !mtia.ticket
    %x = memref.load %a[%c0] : memref<64xf32>
    memref.store %x, %b[%c0] : memref<64xf32>
    %s = mtia.dma_store %b to %to strides [4] lower [0] upper [64] : memref<64xf32> -> !mtia.ticket
  }
  return
}

// -----

// A loop that only issues commands runs ahead of them: slots are enough.

// ONE-LABEL: func.func @commands_only
// CHECK-LABEL: func.func @commands_only
// CHECK: %[[SLOTS:.*]] = memref.alloc() : memref<4096xi8>
// CHECK: scf.for {{.*}} iter_args(%[[SLOT:.*]] = %c0)
// CHECK-DAG: %[[SHIFT:.*]] = arith.muli %[[SLOT]], %c2048
// CHECK: %[[A:.*]] = memref.view %[[SLOTS]][%[[SHIFT]]][] : memref<4096xi8> to memref<32x32xf16>
// CHECK: mtia.dma_load {{.*}} into %[[A]] :
// CHECK-NOT: mtia.wait
// CHECK: mtia.dpe_matmul %[[A]]
func.func @commands_only(%p: i64, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c = memref.alloc() : memref<32x32xf32>
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<32x32xf16>
    %t = mtia.dma_load %p strides [64, 2] lower [0, 0] upper [32, 32] into %a : memref<32x32xf16> -> !mtia.ticket
    %m = mtia.dpe_matmul %a, %a into %c {accumulate} : memref<32x32xf16>, memref<32x32xf16>, memref<32x32xf32> -> !mtia.ticket
  }
  return
}

// -----

// An address that the loop carries is known for iterations ahead; one that
// memory decides is not, and its load stays.

// CHECK-LABEL: func.func @carried_address
// CHECK: scf.if
// CHECK: mtia.dma_load %{{.*}} strides [4] {{.*}} {mtia.pipelined}
// CHECK: scf.for
// CHECK: mtia.dma_load %{{.*}} strides [4] {{.*}} {mtia.pipelined}
// CHECK: mtia.dma_load %{{.*}} strides [8] lower [0] upper [32] into %{{[a-z0-9_]*}} : memref<32xi64>
func.func @carried_address(%p: i64, %n: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : i64
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%at = %p, %link = %p) -> (i64, i64) {
    %a = memref.alloc() : memref<64xf32>
    %b = memref.alloc() : memref<32xi64>
    %t = mtia.dma_load %at strides [4] lower [0] upper [64] into %a : memref<64xf32> -> !mtia.ticket
    %x = memref.load %a[%c0] : memref<64xf32>
    %u = mtia.dma_load %link strides [8] lower [0] upper [32] into %b : memref<32xi64> -> !mtia.ticket
    %next = memref.load %b[%c0] : memref<32xi64>
    "test.use"(%x) : (f32) -> ()
    %moved = arith.addi %at, %c256 : i64
    scf.yield %moved, %next : i64, i64
  }
  return %r#1 : i64
}

// -----

// A load does not pass a store to the same pointer.

// CHECK-LABEL: func.func @in_place
// CHECK: scf.for
// CHECK: mtia.dma_load
// CHECK-NOT: mtia.dma_load
func.func @in_place(%p: i64, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<64xf32>
    %t = mtia.dma_load %p strides [4] lower [0] upper [64] into %a : memref<64xf32> -> !mtia.ticket
    %x = memref.load %a[%c0] : memref<64xf32>
    memref.store %x, %a[%c1] : memref<64xf32>
    %s = mtia.dma_store %a to %p strides [4] lower [0] upper [64] : memref<64xf32> -> !mtia.ticket
  }
  return
}

// -----

// What a program stores, its later loads read: they are not issued for the next
// program before it runs. Loads ahead of the store are.

// CHECK-LABEL: func.func @load_of_what_the_program_stored
// CHECK: scf.for
// CHECK: scf.if
// CHECK: mtia.dma_load %arg1 {{.*}} {mtia.pipelined}
// CHECK-NOT: mtia.dma_load
// CHECK: llvm.store
// CHECK: mtia.dma_load %arg0
// CHECK-NOT: mtia.pipelined
func.func @load_of_what_the_program_stored(%p: i64, %q: i64, %to: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %first = mtia.pe_id : index
  %step = mtia.num_pes : index
  scf.for %i = %first to %n step %step {
    %a = memref.alloc() : memref<64xf32>
    %t = mtia.dma_load %q strides [4] lower [0] upper [64] into %a : memref<64xf32> -> !mtia.ticket
    %x = memref.load %a[%c0] : memref<64xf32>
    llvm.store %x, %to : f32, !llvm.ptr
    %b = memref.alloc() : memref<64xf32>
    %u = mtia.dma_load %p strides [4] lower [0] upper [64] into %b : memref<64xf32> -> !mtia.ticket
    %y = memref.load %b[%c0] : memref<64xf32>
    llvm.store %y, %to : f32, !llvm.ptr
  }
  return
}
