// RUN: kevolve-opt %s --allow-unregistered-dialect --convert-triton-to-linalg | FileCheck %s

// One hart runs a program, in order: a barrier is nothing.

// CHECK-LABEL: func.func @barrier
// CHECK-NEXT: return
"builtin.module"() ({
  "tt.func"() <{arg_attrs = [], function_type = () -> (), sym_name = "barrier", sym_visibility = "public"}> ({
    "ttg.barrier"() <{addrSpace = 31 : i32}> : () -> ()
    "tt.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
