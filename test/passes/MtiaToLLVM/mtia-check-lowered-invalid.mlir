// RUN: kevolve-opt %s --mtia-check-lowered --split-input-file --verify-diagnostics

llvm.func @left_over(%x: f32) {
  // expected-error@+1 {{arith.addf has no lowering to the instructions of a PE}}
  %y = arith.addf %x, %x : f32
  llvm.return
}

// -----

llvm.func @libm(%x: vector<4xf32>) {
  // expected-error@+1 {{llvm.intr.sin needs a C library, which a PE does not have}}
  %y = llvm.intr.sin(%x) : (vector<4xf32>) -> vector<4xf32>
  llvm.return
}

// -----

llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @call(%n: i64) {
  // expected-error@+1 {{calls malloc, which a PE does not have}}
  %p = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.return
}
