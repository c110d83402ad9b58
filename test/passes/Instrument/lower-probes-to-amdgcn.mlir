// RUN: kevolve-opt %s --allow-unregistered-dialect --probe-insert --probe-lower-to-amdgcn | FileCheck %s --implicit-check-not=probe.
// RUN: kevolve-opt %s --allow-unregistered-dialect --probe-insert --probe-lower-to-amdgcn=arch=gfx1100 | FileCheck %s --check-prefix=GFX11
// RUN: kevolve-opt %s --allow-unregistered-dialect --probe-insert --probe-lower-to-amdgcn=arch=gfx1201 | FileCheck %s --check-prefix=GFX12
// RUN: kevolve-opt %s --allow-unregistered-dialect --probe-insert --probe-lower-to-amdgcn --mlir-print-op-generic --mlir-print-debuginfo | %python %S/Inputs/compile_ttgir.py hip:gfx942 amdgcn | FileCheck %s --check-prefix=GCN

// CHECK-LABEL: "tt.func"() <{arg_attrs = [{tt.divisibility = 16 : i32}, {}, {tt.divisibility = 16 : i32}], function_type = (!tt.ptr<f32>, i32, !tt.ptr<i64>) -> ()
// CHECK: "tt.elementwise_inline_asm"() <{asm_string = "s_memtime $0\0A\09s_waitcnt lgkmcnt(0)", constraints = "=s", packed_element = 1 : i32, pure = false}> : () -> i64
// CHECK: scf.for {{.*}} -> (tensor<512xf32, {{.*}}>, i64, i64, i64, i64)
// CHECK: "tt.store"({{.*}}) : (!tt.ptr<i64>, i64) -> ()

// GFX11: asm_string = "s_sendmsg_rtn_b64 $0, sendmsg(MSG_RTN_GET_REALTIME)\0A\09s_waitcnt lgkmcnt(0)"
// GFX12: asm_string = "s_sendmsg_rtn_b64 $0, sendmsg(MSG_RTN_GET_REALTIME)\0A\09s_wait_kmcnt 0x0"

// The binary: kernel, loop; each load (LLVM unrolls the loop) between its two reads.
// GCN-LABEL: sum:
// GCN-NOT: _load_dwordx4
// GCN: s_memtime
// GCN: s_memtime
// GCN-NOT: _load_dwordx4
// GCN: s_memtime
// GCN-NOT: s_memtime
// GCN: {{global|buffer}}_load_dwordx4
// GCN-NOT: _load_dwordx4
// GCN: s_memtime
// GCN: s_cbranch
// GCN: s_memtime
// GCN: {{global|buffer}}_store_dwordx4
// GCN: s_memtime
// GCN: s_memtime
// GCN-NOT: s_memtime
// GCN: {{global|buffer}}_store_dwordx{{[24]}}
// GCN: s_endpgm
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, ttg.target = "hip:gfx942", "ttg.threads-per-warp" = 64 : i32} {
  "tt.func"() <{arg_attrs = [{tt.divisibility = 16 : i32}, {}], function_type = (!tt.ptr<f32>, i32) -> (), sym_name = "sum", sym_visibility = "public"}> ({
  ^bb0(%x: !tt.ptr<f32>, %n: i32):
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %start = arith.constant dense<0.0> : tensor<512xf32, #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [64], warpsPerCTA = [2], order = [0]}>>
    %range = "tt.make_range"() <{end = 512 : i32, start = 0 : i32}> : () -> tensor<512xi32, #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [64], warpsPerCTA = [2], order = [0]}>>
    %base = "tt.splat"(%x) : (!tt.ptr<f32>) -> tensor<512x!tt.ptr<f32>, #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [64], warpsPerCTA = [2], order = [0]}>>
    %pointers = "tt.addptr"(%base, %range) : (tensor<512x!tt.ptr<f32>, #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [64], warpsPerCTA = [2], order = [0]}>>, tensor<512xi32, #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [64], warpsPerCTA = [2], order = [0]}>>) -> tensor<512x!tt.ptr<f32>, #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [64], warpsPerCTA = [2], order = [0]}>>
    %sum = scf.for %i = %zero to %n step %one iter_args(%acc = %start) -> (tensor<512xf32, #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [64], warpsPerCTA = [2], order = [0]}>>) : i32 {
      %v = "tt.load"(%pointers) <{isVolatile = false, operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<512x!tt.ptr<f32>, #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [64], warpsPerCTA = [2], order = [0]}>>) -> tensor<512xf32, #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [64], warpsPerCTA = [2], order = [0]}>>
      %next = arith.addf %acc, %v : tensor<512xf32, #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [64], warpsPerCTA = [2], order = [0]}>>
      scf.yield %next : tensor<512xf32, #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [64], warpsPerCTA = [2], order = [0]}>>
    } {tt.num_stages = 2 : i32}
    "tt.store"(%pointers, %sum) : (tensor<512x!tt.ptr<f32>, #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [64], warpsPerCTA = [2], order = [0]}>>, tensor<512xf32, #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [64], warpsPerCTA = [2], order = [0]}>>) -> ()
    "tt.return"() : () -> ()
  }) : () -> ()
}
