// RUN: kevolve-opt %s --mtia-to-llvm-pipeline --split-input-file --verify-diagnostics

func.func @libm(%x: f32, %o: i64) attributes {kevolve.kernel} {
  // expected-error@+1 {{llvm.intr.exp needs a C library, which a PE does not have}}
  %y = math.exp %x : f32
  %p = llvm.inttoptr %o : i64 to !llvm.ptr
  llvm.store %y, %p : f32, !llvm.ptr
  return
}
