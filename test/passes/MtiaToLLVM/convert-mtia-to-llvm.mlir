// RUN: kevolve-opt %s --convert-mtia-to-llvm --cse --canonicalize --split-input-file | FileCheck %s

// The module says for which machine it is.
// CHECK: module attributes {{{.*}}llvm.target_triple = "riscv64-unknown-elf"

// CHECK-LABEL: func.func @tickets
func.func @tickets(%n: index, %a: memref<4xf32>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK-DAG: %[[NONE:.*]] = arith.constant 0 : i64
  %none = mtia.no_ticket : !mtia.ticket
  // CHECK: scf.for {{.*}} iter_args(%[[T:.*]] = %[[NONE]]) -> (i64)
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%t = %none) -> !mtia.ticket {
    // CHECK: llvm.inline_asm has_side_effects ".insn r 11, 2, 0, x0, $0, x0", "r,~{memory}" %[[T]] : (i64) -> ()
    mtia.wait %t
    // CHECK: %[[NEXT:.*]] = llvm.inline_asm has_side_effects ".insn r 11, 1, 16, $0, $1, ${2:z}", "=r,r,rJ,~{memory}"
    %next = mtia.se_unary <exp> %a into %a : memref<4xf32>, memref<4xf32> -> !mtia.ticket
    // CHECK: scf.yield %[[NEXT]] : i64
    scf.yield %next : !mtia.ticket
  }
  mtia.wait %last
  // CHECK: llvm.inline_asm has_side_effects ".insn r 11, 3, 0, x0, x0, x0", "~{memory}"  : () -> ()
  mtia.wait_all
  return %n : index
}

// -----

// p0 = B, p1 = M | N << 16 | K << 32, p2 = row strides of A and B, p3 = row stride of C | flags << 32.
// 32 | 48 << 16 | 64 << 32 = 274881052704; A has rows of 128 bytes, B (transposed) of 128, C of 192;
// flags = bf16 | accumulate | transpose_b = 0x51.
// CHECK-LABEL: func.func @matmul
// CHECK-SAME: (%[[A:.*]]: memref<32x64xbf16>, %[[B:.*]]: memref<48x64xbf16>, %[[C:.*]]: memref<32x48xf32>)
func.func @matmul(%a: memref<32x64xbf16>, %b: memref<48x64xbf16>, %c: memref<32x48xf32>) {
  // CHECK-DAG: %[[P1:.*]] = arith.constant 274881052704 : i64
  // CHECK-DAG: %[[P2:.*]] = arith.constant 549755814016 : i64
  // CHECK-DAG: %[[P3:.*]] = arith.constant 347892351168 : i64
  // CHECK-DAG: %[[BP:.*]] = memref.extract_aligned_pointer_as_index %[[B]]
  // CHECK-DAG: %[[BI:.*]] = arith.index_cast %[[BP]] : index to i64
  // CHECK-DAG: %[[CP:.*]] = memref.extract_aligned_pointer_as_index %[[C]]
  // CHECK-DAG: %[[CI:.*]] = arith.index_cast %[[CP]] : index to i64
  // CHECK-DAG: %[[AP:.*]] = memref.extract_aligned_pointer_as_index %[[A]]
  // CHECK-DAG: %[[AI:.*]] = arith.index_cast %[[AP]] : index to i64
  // CHECK: llvm.inline_asm has_side_effects ".insn r 11, 0, 0, x0, ${0:z}, ${1:z}", "rJ,rJ" %[[BI]], %[[P1]]
  // CHECK: llvm.inline_asm has_side_effects ".insn r 11, 0, 1, x0, ${0:z}, ${1:z}", "rJ,rJ" %[[P2]], %[[P3]]
  // CHECK: llvm.inline_asm has_side_effects ".insn r 11, 1, 8, $0, $1, ${2:z}", "=r,r,rJ,~{memory}" %[[CI]], %[[AI]]
  %t = mtia.dpe_matmul %a, %b into %c {accumulate, transpose_b} : memref<32x64xbf16>, memref<48x64xbf16>, memref<32x48xf32> -> !mtia.ticket
  return
}

// -----

// p0 = elements, p1 = tanh | f16 << 8.
// CHECK-LABEL: func.func @unary
func.func @unary(%x: memref<4x32xf16>, %y: memref<4x32xf16>) {
  // CHECK-DAG: %[[N:.*]] = arith.constant 128 : i64
  // CHECK-DAG: %[[F:.*]] = arith.constant 262 : i64
  // CHECK: llvm.inline_asm has_side_effects ".insn r 11, 0, 0, {{.*}} %[[N]], %[[F]]
  %t = mtia.se_unary <tanh> %x into %y : memref<4x32xf16>, memref<4x32xf16> -> !mtia.ticket
  return
}

// -----

// CHECK-LABEL: func.func @places
func.func @places() -> (index, index, memref<4xf32>) {
  // MTIA_LS_BASE + 4096.
  // CHECK-DAG: %[[AT:.*]] = llvm.mlir.constant(268439552 : i64) : i64
  // CHECK-DAG: %[[PE:.*]] = llvm.inline_asm "csrr $0, 3264", "=r"  : () -> i64
  // CHECK-DAG: arith.index_cast %[[PE]] : i64 to index
  // CHECK-DAG: llvm.inline_asm "csrr $0, 3265", "=r"  : () -> i64
  // CHECK-DAG: llvm.inttoptr %[[AT]] : i64 to !llvm.ptr
  // CHECK: builtin.unrealized_conversion_cast %{{.*}} : !llvm.struct<{{.*}}> to memref<4xf32>
  %pe = mtia.pe_id : index
  %n = mtia.num_pes : index
  %b = mtia.local_buffer {offset = 4096 : i64} : memref<4xf32>
  return %pe, %n, %b : index, index, memref<4xf32>
}

// -----

// A PE has no memcpy.
// CHECK-LABEL: func.func @copies
func.func @copies(%a: memref<4x8xf32>, %b: memref<4x8xf32>, %c: memref<4x8xf32, strided<[16, 1]>>) {
  // CHECK-NOT: memref.copy
  // CHECK-DAG: %[[C32:.*]] = arith.constant 32 : index
  // CHECK-DAG: memref.collapse_shape {{.*}} into memref<32xf32>
  // CHECK: scf.for %{{.*}} = %{{.*}} to %[[C32]]
  memref.copy %a, %b : memref<4x8xf32> to memref<4x8xf32>
  // CHECK: scf.for
  // CHECK: scf.for
  // CHECK: memref.load
  // CHECK: memref.store
  memref.copy %a, %c : memref<4x8xf32> to memref<4x8xf32, strided<[16, 1]>>
  return
}
