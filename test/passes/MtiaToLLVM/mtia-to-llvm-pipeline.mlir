// RUN: kevolve-opt %s --mtia-to-llvm-pipeline --mlir-print-debuginfo --mlir-print-local-scope --split-input-file | FileCheck %s

// From the mtia stage to LLVM, with the lines of the kernel's source.
// CHECK-LABEL: llvm.func @scale(%{{.*}}: !llvm.ptr {{.*}}vscale_range(8, 8)
func.func @scale(%x: i64, %o: i64, %n: i32, %f: f32, %gx: i32, %gy: i32, %gz: i32, %area: i64) attributes {kevolve.kernel, mtia.local_bytes = 5120 : i64} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c1024 = arith.constant 1024 : index
  %up = arith.index_cast %n : i32 to index
  %a = mtia.local_buffer {offset = 1024 : i64} : memref<1024xf32>
  // CHECK: ".insn r 11, 1, 0, {{.*}}["kernel.py":7:12])
  %t = mtia.dma_load %x strides [4] lower [0] upper [%up] into %a : memref<1024xf32> -> !mtia.ticket loc("kernel.py":7:12)
  // CHECK: ".insn r 11, 2, 0,
  mtia.wait %t
  scf.for %i = %c0 to %c1024 step %c16 {
    // CHECK: llvm.load {{.*}} -> vector<16xf32>
    %v = vector.load %a[%i] : memref<1024xf32>, vector<16xf32>
    %s = vector.broadcast %f : f32 to vector<16xf32>
    // CHECK: llvm.fmul {{.*}}["kernel.py":8:8])
    %w = arith.mulf %v, %s : vector<16xf32> loc("kernel.py":8:8)
    vector.store %w, %a[%i] : memref<1024xf32>, vector<16xf32>
  }
  %s = mtia.dma_store %a to %o strides [4] lower [0] upper [%up] : memref<1024xf32> -> !mtia.ticket
  mtia.wait %s
  // CHECK-NOT: unrealized_conversion_cast
  // CHECK: llvm.return
  // CHECK: di_subprogram
  return
}

// -----

// Tables lie beside the code.
// CHECK: llvm.mlir.global private constant @table
memref.global "private" constant @table : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>
func.func @lookup(%i: i64, %o: i64) attributes {kevolve.kernel} {
  %at = arith.index_cast %i : i64 to index
  %table = memref.get_global @table : memref<4xf32>
  // CHECK: llvm.mlir.addressof @table
  %v = memref.load %table[%at] : memref<4xf32>
  %p = llvm.inttoptr %o : i64 to !llvm.ptr
  llvm.store %v, %p : f32, !llvm.ptr
  return
}
