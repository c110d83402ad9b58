// RUN: kevolve-opt %s --mtia-vectorize=lmul=3 --verify-diagnostics

// expected-error @below {{lmul must be 1, 2, 4 or 8, not 3}}
func.func @f() {
  return
}
