// RUN: kevolve-opt %s --allow-unregistered-dialect --convert-triton-to-linalg | FileCheck %s

// Towards zero, bf16 is the high half of the bits; a NaN stays one.

// CHECK-LABEL: func.func @towards_zero
// CHECK: %[[BITS:.*]] = arith.bitcast %[[X:.*]] : f32 to i32
// CHECK: %[[NAN:.*]] = arith.cmpf uno, %[[X]], %[[X]] : f32
// CHECK: %[[QUIET:.*]] = arith.ori %[[BITS]], %{{.*}} : i32
// CHECK: %[[KEPT:.*]] = arith.select %[[NAN]], %[[QUIET]], %[[BITS]] : i32
// CHECK: %[[HIGH:.*]] = arith.shrui %[[KEPT]], %{{.*}} : i32
// CHECK: %[[HALF:.*]] = arith.trunci %[[HIGH]] : i32 to i16
// CHECK: arith.bitcast %[[HALF]] : i16 to bf16
"builtin.module"() ({
  "tt.func"() <{arg_attrs = [{}, {}], function_type = (!tt.ptr<bf16>, f32) -> (), sym_name = "towards_zero", sym_visibility = "public"}> ({
  ^bb0(%out: !tt.ptr<bf16>, %x: f32):
    %y = "tt.fp_to_fp"(%x) <{rounding = 0 : i32}> : (f32) -> bf16
    "tt.store"(%out, %y) <{boundaryCheck = array<i32>, cache = 1 : i32, evict = 1 : i32}> : (!tt.ptr<bf16>, bf16) -> ()
    "tt.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
