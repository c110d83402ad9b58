// RUN: kevolve-opt %s --convert-mtia-to-llvm --split-input-file --verify-diagnostics

// expected-error@+1 {{argument 1 of type 'memref<4xf32>' does not fit a slot of the argument block}}
func.func @kernel(%n: i32, %m: memref<4xf32>) attributes {kevolve.kernel} {
  return
}

// -----

// expected-error@+1 {{is a kernel and returns values}}
func.func @kernel(%n: i32) -> i32 attributes {kevolve.kernel} {
  return %n : i32
}

// -----

// expected-error@+1 {{is a kernel without a body}}
func.func private @kernel(%n: i32) attributes {kevolve.kernel}
