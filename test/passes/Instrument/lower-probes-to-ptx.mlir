// RUN: kevolve-opt %s --allow-unregistered-dialect --probe-insert --probe-lower-to-ptx | FileCheck %s --implicit-check-not=probe.
// RUN: kevolve-opt %s --allow-unregistered-dialect --probe-insert --probe-lower-to-ptx --mlir-print-op-generic --mlir-print-debuginfo | %python %S/Inputs/compile_ttgir.py cuda:90 ptx | FileCheck %s --check-prefix=PTX

// The sites of the loop are carried through it in registers; all records are
// stored at the end.

// CHECK-LABEL: "tt.func"() <{arg_attrs = [{tt.divisibility = 16 : i32}, {}, {tt.divisibility = 16 : i32}], function_type = (!tt.ptr<f32>, i32, !tt.ptr<i64>) -> (), sym_name = "sum", sym_visibility = "public"}>
// CHECK-NEXT: ^bb0(%[[X:.*]]: !tt.ptr<f32>, %[[N:.*]]: i32, %[[AREA:.*]]: !tt.ptr<i64>):
// CHECK-NEXT: %[[KERNEL:.*]] = "tt.elementwise_inline_asm"() <{asm_string = "mov.u64 $0, %clock64;", constraints = "=l", packed_element = 1 : i32, pure = false}> : () -> i64
// CHECK: %[[LOOP:.*]] = "tt.elementwise_inline_asm"
// CHECK: %[[ZERO:.*]] = arith.constant 0 : i64
// CHECK: %[[FOR:.*]]:5 = scf.for {{.*}} iter_args(%[[SUM:.*]] = %{{.*}}, %[[COUNT:.*]] = %[[ZERO]], %[[TOTAL:.*]] = %[[ZERO]], %[[FIRST:.*]] = %[[ZERO]], %{{.*}} = %[[ZERO]]) -> (tensor<512xf32, {{.*}}>, i64, i64, i64, i64)
// CHECK: %[[BEGIN:.*]] = "tt.elementwise_inline_asm"
// CHECK-NEXT: %[[LOADED:.*]] = "tt.load"
// CHECK-NEXT: %[[END:.*]] = "tt.elementwise_inline_asm"
// CHECK-DAG: %[[COUNT1:.*]] = arith.addi %[[COUNT]], %c1_i64
// CHECK-DAG: %[[ELAPSED:.*]] = arith.subi %[[END]], %[[BEGIN]]
// CHECK-DAG: %[[TOTAL1:.*]] = arith.addi %[[TOTAL]], %[[ELAPSED]]
// CHECK-DAG: %[[IS_FIRST:.*]] = arith.cmpi eq, %[[COUNT]], %{{.*}}
// CHECK: %[[FIRST1:.*]] = arith.select %[[IS_FIRST]], %[[BEGIN]], %[[FIRST]]
// CHECK: scf.yield %{{.*}}, %[[COUNT1]], %[[TOTAL1]], %[[FIRST1]], %[[END]]
// CHECK: } {tt.num_stages = 2 : i32}
// CHECK: %[[LOOP_END:.*]] = "tt.elementwise_inline_asm"
// CHECK: arith.subi %[[LOOP_END]], %[[LOOP]]
// CHECK: "tt.store"({{.*}} -> ()
// CHECK-NEXT: "tt.elementwise_inline_asm"
// CHECK: %[[KERNEL_END:.*]] = "tt.elementwise_inline_asm"
// CHECK: %[[KERNEL_TIME:.*]] = arith.subi %[[KERNEL_END]], %[[KERNEL]]
// The worker, x + num_x * (y + num_y * z), has 4 sites of 4 words each.
// CHECK: %[[WORDS:.*]] = arith.constant 16 : i64
// CHECK: %[[Z:.*]] = "tt.get_program_id"() <{axis = 2 : i32}>
// CHECK: "tt.get_num_programs"() <{axis = 1 : i32}>
// CHECK: "tt.get_program_id"() <{axis = 1 : i32}>
// CHECK: "tt.get_num_programs"() <{axis = 0 : i32}>
// CHECK: "tt.get_program_id"() <{axis = 0 : i32}>
// CHECK: %[[OFFSET:.*]] = arith.muli %{{.*}}, %[[WORDS]]
// CHECK: %[[RECORDS:.*]] = "tt.addptr"(%[[AREA]], %[[OFFSET]]) : (!tt.ptr<i64>, i64) -> !tt.ptr<i64>
// CHECK: "tt.store"(%{{.*}}, %{{.*}}) : (!tt.ptr<i64>, i64) -> ()
// CHECK: "tt.store"(%{{.*}}, %[[KERNEL_TIME]]) : (!tt.ptr<i64>, i64) -> ()
// CHECK: %[[AT:.*]] = arith.constant 8 : i64
// CHECK: %[[LOAD_COUNT:.*]] = "tt.addptr"(%[[RECORDS]], %[[AT]])
// CHECK-NEXT: "tt.store"(%[[LOAD_COUNT]], %[[FOR]]#1) : (!tt.ptr<i64>, i64) -> ()
// CHECK: "tt.return"

// The binary: kernel, loop; the load between its two reads; loop, store, kernel; then records.
// PTX: .entry sum(
// PTX: mov.u64 %[[KERNEL:.*]], %clock64;
// PTX: mov.u64 %{{.*}}, %clock64;
// PTX: [[BODY:\$L__BB0_.*]]:
// PTX-NOT: ld.global
// PTX: mov.u64 %{{.*}}, %clock64;
// PTX-NOT: clock64
// PTX: ld.global.v4.b32
// PTX-NOT: ld.global
// PTX: mov.u64 %{{.*}}, %clock64;
// PTX-NOT: ld.global
// PTX: bra [[BODY]];
// PTX: mov.u64 %{{.*}}, %clock64;
// PTX: mov.u64 %{{.*}}, %clock64;
// PTX-NOT: clock64
// PTX: st.global.v4.b32
// PTX: mov.u64 %{{.*}}, %clock64;
// PTX: mov.u64 %[[KERNEL_END:.*]], %clock64;
// PTX-NOT: clock64
// PTX: sub.s64 %{{.*}}, %[[KERNEL_END]], %[[KERNEL]];
// PTX-COUNT-16: @%p{{.*}} st.global.b64
// PTX-NOT: st.global
// PTX: ret;
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  "tt.func"() <{arg_attrs = [{tt.divisibility = 16 : i32}, {}], function_type = (!tt.ptr<f32>, i32) -> (), sym_name = "sum", sym_visibility = "public"}> ({
  ^bb0(%x: !tt.ptr<f32>, %n: i32):
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %start = arith.constant dense<0.0> : tensor<512xf32, #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>
    %range = "tt.make_range"() <{end = 512 : i32, start = 0 : i32}> : () -> tensor<512xi32, #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>
    %base = "tt.splat"(%x) : (!tt.ptr<f32>) -> tensor<512x!tt.ptr<f32>, #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>
    %pointers = "tt.addptr"(%base, %range) : (tensor<512x!tt.ptr<f32>, #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>, tensor<512xi32, #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>) -> tensor<512x!tt.ptr<f32>, #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>
    %sum = scf.for %i = %zero to %n step %one iter_args(%acc = %start) -> (tensor<512xf32, #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>) : i32 {
      %v = "tt.load"(%pointers) <{isVolatile = false, operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<512x!tt.ptr<f32>, #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>) -> tensor<512xf32, #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>
      %next = arith.addf %acc, %v : tensor<512xf32, #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>
      scf.yield %next : tensor<512xf32, #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>
    } {tt.num_stages = 2 : i32}
    "tt.store"(%pointers, %sum) : (tensor<512x!tt.ptr<f32>, #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>, tensor<512xf32, #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>) -> ()
    "tt.return"() : () -> ()
  }) : () -> ()
}
