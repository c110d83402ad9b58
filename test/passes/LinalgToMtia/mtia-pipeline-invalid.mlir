// RUN: kevolve-opt %s --mtia-pipeline=cb-multiplier=0 --verify-diagnostics

// expected-error @below {{cb-multiplier must be at least 1, not 0}}
func.func @f() {
  return
}
