// RUN: kevolve-opt %s --mtia-distribute-programs --verify-diagnostics

// expected-error @below {{expects kevolve.num_arguments arguments followed by three program ids and three numbers of programs}}
func.func @too_few(%out: i64, %px: i32) attributes {kevolve.kernel, kevolve.num_arguments = 1 : i64} {
  return
}
