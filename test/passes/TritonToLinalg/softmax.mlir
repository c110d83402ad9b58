// RUN: kevolve-opt %s --allow-unregistered-dialect --convert-triton-to-linalg | FileCheck %s
// RUN: kevolve-opt %s --allow-unregistered-dialect --convert-triton-to-linalg --convert-elementwise-to-linalg --linalg-fuse-elementwise-ops --one-shot-bufferize --canonicalize | FileCheck %s --check-prefix=BUFFERS

// A row softmax: addresses are a scalar and a stride, the mask is a box.

// CHECK-LABEL: func.func @softmax(
// CHECK-SAME: %[[OUT:.*]]: i64 {tt.divisibility = 16 : i32}, %[[X:.*]]: i64, %[[SX:.*]]: i32, %[[SO:.*]]: i32, %[[N:.*]]: i32, %[[PID:[^:]*]]: i32, %{{[^:]*}}: i32, %{{[^:]*}}: i32, %{{[^:]*}}: i32, %{{[^:]*}}: i32, %{{[^:]*}}: i32)
// CHECK-SAME: attributes {kevolve.kernel, kevolve.num_arguments = 5 : i64}
// CHECK-NOT: "tt.
// CHECK: %[[ROW:.*]] = arith.muli %[[PID]], %[[SX]] : i32
// CHECK: %[[ROW64:.*]] = arith.extsi %[[ROW]] : i32 to i64
// CHECK: %[[BYTES:.*]] = arith.muli %[[ROW64]], %{{.*}} : i64
// CHECK: %[[BASE:.*]] = arith.addi %[[X]], %[[BYTES]] : i64
// CHECK: %[[UPPER:.*]] = arith.index_cast %[[N]] : i32 to index
// CHECK: %[[OTHER:.*]] = linalg.fill ins(%{{.*}} : f32)
// CHECK: %[[V:.*]] = tile.load %[[BASE]] strides [4] lower [0] upper [%[[UPPER]]] outs(%[[OTHER]] : tensor<128xf32>)
// CHECK: linalg.reduce { arith.maxnumf } ins(%[[V]] : tensor<128xf32>)
// CHECK: math.exp
// CHECK: linalg.reduce { arith.addf }
// CHECK: arith.divf
// CHECK: tile.store %{{.*}} into %{{.*}} strides [4] lower [0] upper [%[[UPPER]]] : tensor<128xf32>
// CHECK-NOT: "tt.

// BUFFERS-LABEL: func.func @softmax
// BUFFERS: tile.load {{.*}} outs(%{{.*}} : memref<128xf32>)
// BUFFERS: linalg.generic
// BUFFERS: math.exp
// BUFFERS-NOT: memref.copy
// BUFFERS: tile.store {{.*}} : memref<128xf32>
"builtin.module"() ({
  "tt.func"() <{arg_attrs = [{tt.divisibility = 16 : i32}, {}, {}, {}, {}], function_type = (!tt.ptr<f32>, !tt.ptr<f32>, i32, i32, i32) -> (), sym_name = "softmax", sym_visibility = "public"}> ({
  ^bb0(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: i32, %arg3: i32, %arg4: i32):
    %0 = "arith.constant"() <{value = dense<0xFF800000> : tensor<128xf32>}> : () -> tensor<128xf32>
    %1 = "tt.get_program_id"() <{axis = 0 : i32}> : () -> i32
    %2 = "tt.make_range"() <{end = 128 : i32, start = 0 : i32}> : () -> tensor<128xi32>
    %3 = "tt.splat"(%arg4) : (i32) -> tensor<128xi32>
    %4 = "arith.cmpi"(%2, %3) <{predicate = 2 : i64}> : (tensor<128xi32>, tensor<128xi32>) -> tensor<128xi1>
    %5 = "arith.muli"(%1, %arg2) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %6 = "tt.addptr"(%arg1, %5) : (!tt.ptr<f32>, i32) -> !tt.ptr<f32>
    %7 = "tt.splat"(%6) : (!tt.ptr<f32>) -> tensor<128x!tt.ptr<f32>>
    %8 = "tt.addptr"(%7, %2) : (tensor<128x!tt.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tt.ptr<f32>>
    %9 = "tt.load"(%8, %4, %0) <{isVolatile = false, operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<128x!tt.ptr<f32>>, tensor<128xi1>, tensor<128xf32>) -> tensor<128xf32>
    %10 = "tt.reduce"(%9) <{axis = 0 : i32}> ({
    ^bb0(%arg7: f32, %arg8: f32):
      %22 = "arith.maxnumf"(%arg7, %arg8) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "tt.reduce.return"(%22) : (f32) -> ()
    }) : (tensor<128xf32>) -> f32
    %11 = "tt.splat"(%10) : (f32) -> tensor<128xf32>
    %12 = "arith.subf"(%9, %11) <{fastmath = #arith.fastmath<none>}> : (tensor<128xf32>, tensor<128xf32>) -> tensor<128xf32>
    %13 = "math.exp"(%12) <{fastmath = #arith.fastmath<none>}> : (tensor<128xf32>) -> tensor<128xf32>
    %14 = "arith.muli"(%1, %arg3) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %15 = "tt.addptr"(%arg0, %14) : (!tt.ptr<f32>, i32) -> !tt.ptr<f32>
    %16 = "tt.splat"(%15) : (!tt.ptr<f32>) -> tensor<128x!tt.ptr<f32>>
    %17 = "tt.addptr"(%16, %2) : (tensor<128x!tt.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tt.ptr<f32>>
    %18 = "tt.reduce"(%13) <{axis = 0 : i32}> ({
    ^bb0(%arg5: f32, %arg6: f32):
      %21 = "arith.addf"(%arg5, %arg6) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "tt.reduce.return"(%21) : (f32) -> ()
    }) : (tensor<128xf32>) -> f32
    %19 = "tt.splat"(%18) : (f32) -> tensor<128xf32>
    %20 = "arith.divf"(%13, %19) <{fastmath = #arith.fastmath<none>}> : (tensor<128xf32>, tensor<128xf32>) -> tensor<128xf32>
    "tt.store"(%17, %20, %4) : (tensor<128x!tt.ptr<f32>>, tensor<128xf32>, tensor<128xi1>) -> ()
    "tt.return"() : () -> ()
  }) {noinline = false} : () -> ()
}) : () -> ()
