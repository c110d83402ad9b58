// RUN: kevolve-opt %s --allow-unregistered-dialect --convert-triton-to-linalg | FileCheck %s
// RUN: kevolve-opt %s --allow-unregistered-dialect --convert-triton-to-linalg --convert-elementwise-to-linalg --linalg-fuse-elementwise-ops --eliminate-empty-tensors --one-shot-bufferize --canonicalize | FileCheck %s --check-prefix=BUFFERS

// A matrix product whose rows are taken modulo M: those pointers have no
// structure, and the loop carries them as a tensor; those of B become a scalar.

// CHECK-LABEL: func.func @gemm(
// CHECK: %[[ACC:.*]] = linalg.fill {{.*}} -> tensor<32x64xf32>
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[C:.*]] = %[[ACC]], %[[B:.*]] = %{{.*}}) -> (tensor<32x16xi64>, tensor<32x64xf32>, i64)
// CHECK: %[[AV:.*]] = tile.gather %[[A]] : tensor<32x16xi64> mask %{{.*}} : tensor<32x16xi1>
// CHECK: %[[BV:.*]] = tile.load %[[B]] strides [%{{.*}}, %{{.*}}] lower [0, 0] upper [%{{.*}}, %{{.*}}]
// CHECK: linalg.matmul ins(%[[AV]], %[[BV]] : tensor<32x16xf16>, tensor<16x64xf16>) outs(%[[C]] : tensor<32x64xf32>)
// CHECK: arith.truncf
// CHECK: tile.scatter

// BUFFERS-LABEL: func.func @gemm
// BUFFERS: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (i64)
// BUFFERS-NOT: memref.copy
// BUFFERS: linalg.matmul ins(%{{.*}}, %{{.*}} : memref<32x16xf16>, memref<16x64xf16>) outs(%{{.*}} : memref<32x64xf32>)
// BUFFERS: scf.yield
"builtin.module"() ({
  "tt.func"() <{function_type = (!tt.ptr<f16>, !tt.ptr<f16>, !tt.ptr<f16>, i32, i32, i32, i32, i32, i32, i32, i32, i32) -> (), sym_name = "gemm", sym_visibility = "public"}> ({
  ^bb0(%arg0: !tt.ptr<f16>, %arg1: !tt.ptr<f16>, %arg2: !tt.ptr<f16>, %arg3: i32, %arg4: i32, %arg5: i32, %arg6: i32, %arg7: i32, %arg8: i32, %arg9: i32, %arg10: i32, %arg11: i32):
    %0 = "arith.constant"() <{value = 15 : i32}> : () -> i32
    %1 = "arith.constant"() <{value = dense<0.000000e+00> : tensor<32x64xf32>}> : () -> tensor<32x64xf32>
    %2 = "arith.constant"() <{value = dense<0.000000e+00> : tensor<16x64xf16>}> : () -> tensor<16x64xf16>
    %3 = "arith.constant"() <{value = dense<0.000000e+00> : tensor<32x16xf16>}> : () -> tensor<32x16xf16>
    %4 = "arith.constant"() <{value = 1 : i32}> : () -> i32
    %5 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %6 = "arith.constant"() <{value = 16 : i32}> : () -> i32
    %7 = "arith.constant"() <{value = 64 : i32}> : () -> i32
    %8 = "arith.constant"() <{value = 32 : i32}> : () -> i32
    %9 = "tt.get_program_id"() <{axis = 0 : i32}> : () -> i32
    %10 = "tt.get_program_id"() <{axis = 1 : i32}> : () -> i32
    %11 = "arith.muli"(%9, %8) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %12 = "tt.make_range"() <{end = 32 : i32, start = 0 : i32}> : () -> tensor<32xi32>
    %13 = "tt.splat"(%11) : (i32) -> tensor<32xi32>
    %14 = "arith.addi"(%13, %12) <{overflowFlags = #arith.overflow<none>}> : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
    %15 = "tt.splat"(%arg3) : (i32) -> tensor<32xi32>
    %16 = "arith.remsi"(%14, %15) : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
    %17 = "arith.muli"(%10, %7) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %18 = "tt.make_range"() <{end = 64 : i32, start = 0 : i32}> : () -> tensor<64xi32>
    %19 = "tt.splat"(%17) : (i32) -> tensor<64xi32>
    %20 = "arith.addi"(%19, %18) <{overflowFlags = #arith.overflow<none>}> : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
    %21 = "tt.make_range"() <{end = 16 : i32, start = 0 : i32}> : () -> tensor<16xi32>
    %22 = "tt.expand_dims"(%16) <{axis = 1 : i32}> : (tensor<32xi32>) -> tensor<32x1xi32>
    %23 = "tt.splat"(%arg6) : (i32) -> tensor<32x1xi32>
    %24 = "arith.muli"(%22, %23) <{overflowFlags = #arith.overflow<none>}> : (tensor<32x1xi32>, tensor<32x1xi32>) -> tensor<32x1xi32>
    %25 = "tt.splat"(%arg0) : (!tt.ptr<f16>) -> tensor<32x1x!tt.ptr<f16>>
    %26 = "tt.addptr"(%25, %24) : (tensor<32x1x!tt.ptr<f16>>, tensor<32x1xi32>) -> tensor<32x1x!tt.ptr<f16>>
    %27 = "tt.expand_dims"(%21) <{axis = 0 : i32}> : (tensor<16xi32>) -> tensor<1x16xi32>
    %28 = "tt.splat"(%arg7) : (i32) -> tensor<1x16xi32>
    %29 = "arith.muli"(%27, %28) <{overflowFlags = #arith.overflow<none>}> : (tensor<1x16xi32>, tensor<1x16xi32>) -> tensor<1x16xi32>
    %30 = "tt.broadcast"(%26) : (tensor<32x1x!tt.ptr<f16>>) -> tensor<32x16x!tt.ptr<f16>>
    %31 = "tt.broadcast"(%29) : (tensor<1x16xi32>) -> tensor<32x16xi32>
    %32 = "tt.addptr"(%30, %31) : (tensor<32x16x!tt.ptr<f16>>, tensor<32x16xi32>) -> tensor<32x16x!tt.ptr<f16>>
    %33 = "tt.expand_dims"(%21) <{axis = 1 : i32}> : (tensor<16xi32>) -> tensor<16x1xi32>
    %34 = "tt.splat"(%arg8) : (i32) -> tensor<16x1xi32>
    %35 = "arith.muli"(%33, %34) <{overflowFlags = #arith.overflow<none>}> : (tensor<16x1xi32>, tensor<16x1xi32>) -> tensor<16x1xi32>
    %36 = "tt.splat"(%arg1) : (!tt.ptr<f16>) -> tensor<16x1x!tt.ptr<f16>>
    %37 = "tt.addptr"(%36, %35) : (tensor<16x1x!tt.ptr<f16>>, tensor<16x1xi32>) -> tensor<16x1x!tt.ptr<f16>>
    %38 = "tt.expand_dims"(%20) <{axis = 0 : i32}> : (tensor<64xi32>) -> tensor<1x64xi32>
    %39 = "tt.splat"(%arg9) : (i32) -> tensor<1x64xi32>
    %40 = "arith.muli"(%38, %39) <{overflowFlags = #arith.overflow<none>}> : (tensor<1x64xi32>, tensor<1x64xi32>) -> tensor<1x64xi32>
    %41 = "tt.broadcast"(%37) : (tensor<16x1x!tt.ptr<f16>>) -> tensor<16x64x!tt.ptr<f16>>
    %42 = "tt.broadcast"(%40) : (tensor<1x64xi32>) -> tensor<16x64xi32>
    %43 = "tt.addptr"(%41, %42) : (tensor<16x64x!tt.ptr<f16>>, tensor<16x64xi32>) -> tensor<16x64x!tt.ptr<f16>>
    %44 = "arith.addi"(%arg5, %0) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %45 = "arith.divsi"(%44, %6) : (i32, i32) -> i32
    %46:3 = "scf.for"(%5, %45, %4, %32, %43, %1) ({
    ^bb0(%arg12: i32, %arg13: tensor<32x16x!tt.ptr<f16>>, %arg14: tensor<16x64x!tt.ptr<f16>>, %arg15: tensor<32x64xf32>):
      %64 = "arith.muli"(%arg12, %6) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %65 = "arith.subi"(%arg5, %64) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %66 = "tt.splat"(%65) : (i32) -> tensor<1x16xi32>
      %67 = "arith.cmpi"(%27, %66) <{predicate = 2 : i64}> : (tensor<1x16xi32>, tensor<1x16xi32>) -> tensor<1x16xi1>
      %68 = "tt.broadcast"(%67) : (tensor<1x16xi1>) -> tensor<32x16xi1>
      %69 = "tt.load"(%arg13, %68, %3) <{isVolatile = false, operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<32x16x!tt.ptr<f16>>, tensor<32x16xi1>, tensor<32x16xf16>) -> tensor<32x16xf16>
      %70 = "tt.splat"(%65) : (i32) -> tensor<16x1xi32>
      %71 = "arith.cmpi"(%33, %70) <{predicate = 2 : i64}> : (tensor<16x1xi32>, tensor<16x1xi32>) -> tensor<16x1xi1>
      %72 = "tt.splat"(%arg4) : (i32) -> tensor<1x64xi32>
      %73 = "arith.cmpi"(%38, %72) <{predicate = 2 : i64}> : (tensor<1x64xi32>, tensor<1x64xi32>) -> tensor<1x64xi1>
      %74 = "tt.broadcast"(%71) : (tensor<16x1xi1>) -> tensor<16x64xi1>
      %75 = "tt.broadcast"(%73) : (tensor<1x64xi1>) -> tensor<16x64xi1>
      %76 = "arith.andi"(%74, %75) : (tensor<16x64xi1>, tensor<16x64xi1>) -> tensor<16x64xi1>
      %77 = "tt.load"(%arg14, %76, %2) <{isVolatile = false, operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<16x64x!tt.ptr<f16>>, tensor<16x64xi1>, tensor<16x64xf16>) -> tensor<16x64xf16>
      %78 = "tt.dot"(%69, %77, %arg15) <{inputPrecision = 0 : i32, maxNumImpreciseAcc = 0 : i32}> : (tensor<32x16xf16>, tensor<16x64xf16>, tensor<32x64xf32>) -> tensor<32x64xf32>
      %79 = "arith.muli"(%arg7, %6) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %80 = "tt.splat"(%79) : (i32) -> tensor<32x16xi32>
      %81 = "tt.addptr"(%arg13, %80) : (tensor<32x16x!tt.ptr<f16>>, tensor<32x16xi32>) -> tensor<32x16x!tt.ptr<f16>>
      %82 = "arith.muli"(%arg8, %6) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %83 = "tt.splat"(%82) : (i32) -> tensor<16x64xi32>
      %84 = "tt.addptr"(%arg14, %83) : (tensor<16x64x!tt.ptr<f16>>, tensor<16x64xi32>) -> tensor<16x64x!tt.ptr<f16>>
      "scf.yield"(%81, %84, %78) : (tensor<32x16x!tt.ptr<f16>>, tensor<16x64x!tt.ptr<f16>>, tensor<32x64xf32>) -> ()
    }) : (i32, i32, i32, tensor<32x16x!tt.ptr<f16>>, tensor<16x64x!tt.ptr<f16>>, tensor<32x64xf32>) -> (tensor<32x16x!tt.ptr<f16>>, tensor<16x64x!tt.ptr<f16>>, tensor<32x64xf32>)
    %47 = "tt.splat"(%arg10) : (i32) -> tensor<32x1xi32>
    %48 = "arith.muli"(%22, %47) <{overflowFlags = #arith.overflow<none>}> : (tensor<32x1xi32>, tensor<32x1xi32>) -> tensor<32x1xi32>
    %49 = "tt.splat"(%arg2) : (!tt.ptr<f16>) -> tensor<32x1x!tt.ptr<f16>>
    %50 = "tt.addptr"(%49, %48) : (tensor<32x1x!tt.ptr<f16>>, tensor<32x1xi32>) -> tensor<32x1x!tt.ptr<f16>>
    %51 = "tt.splat"(%arg11) : (i32) -> tensor<1x64xi32>
    %52 = "arith.muli"(%38, %51) <{overflowFlags = #arith.overflow<none>}> : (tensor<1x64xi32>, tensor<1x64xi32>) -> tensor<1x64xi32>
    %53 = "tt.broadcast"(%50) : (tensor<32x1x!tt.ptr<f16>>) -> tensor<32x64x!tt.ptr<f16>>
    %54 = "tt.broadcast"(%52) : (tensor<1x64xi32>) -> tensor<32x64xi32>
    %55 = "tt.addptr"(%53, %54) : (tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tt.ptr<f16>>
    %56 = "tt.splat"(%arg3) : (i32) -> tensor<32x1xi32>
    %57 = "arith.cmpi"(%22, %56) <{predicate = 2 : i64}> : (tensor<32x1xi32>, tensor<32x1xi32>) -> tensor<32x1xi1>
    %58 = "tt.splat"(%arg4) : (i32) -> tensor<1x64xi32>
    %59 = "arith.cmpi"(%38, %58) <{predicate = 2 : i64}> : (tensor<1x64xi32>, tensor<1x64xi32>) -> tensor<1x64xi1>
    %60 = "tt.broadcast"(%57) : (tensor<32x1xi1>) -> tensor<32x64xi1>
    %61 = "tt.broadcast"(%59) : (tensor<1x64xi1>) -> tensor<32x64xi1>
    %62 = "arith.andi"(%60, %61) : (tensor<32x64xi1>, tensor<32x64xi1>) -> tensor<32x64xi1>
    %63 = "arith.truncf"(%46#2) : (tensor<32x64xf32>) -> tensor<32x64xf16>
    "tt.store"(%55, %63, %62) : (tensor<32x64x!tt.ptr<f16>>, tensor<32x64xf16>, tensor<32x64xi1>) -> ()
    "tt.return"() : () -> ()
  }) {noinline = false} : () -> ()
}) : () -> ()
