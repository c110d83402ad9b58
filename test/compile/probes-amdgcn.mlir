// The same on AMD: s_memtime around the same instructions, each waited for.
// RUN: %python -c "from kevolve.cli.main import main; main()" compile %s --target hip:gfx942 --emit amdgcn --probes | FileCheck %s
// RUN: %python -c "from kevolve.cli.main import main; main()" compile %s --target hip:gfx942 --emit amdgcn | FileCheck %s --check-prefix=PLAIN
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [64], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx942", "ttg.threads-per-warp" = 64 : i32} {
  tt.func public @copy(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %y: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %r = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #blocked>
    %p = tt.splat %x : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>, #blocked>
    %q = tt.addptr %p, %r : tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xi32, #blocked>
    %v = tt.load %q : tensor<256x!tt.ptr<f32>, #blocked>
    %s = tt.splat %y : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>, #blocked>
    %t = tt.addptr %s, %r : tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xi32, #blocked>
    tt.store %t, %v : tensor<256x!tt.ptr<f32>, #blocked>
    tt.return
  }
}

// CHECK-LABEL: {{^}}copy:
// The kernel begins, and then the load.
// CHECK: s_memtime s[[[BEGIN:[0-9]+]]:
// CHECK: s_waitcnt lgkmcnt(0)
// CHECK: s_memtime s[[[LOAD_BEGIN:[0-9]+]]:
// CHECK: s_waitcnt lgkmcnt(0)
// CHECK: global_load_dword
// CHECK: s_memtime s[[[LOAD_END:[0-9]+]]:
// CHECK: s_waitcnt lgkmcnt(0)
// CHECK: s_memtime s[[[STORE_BEGIN:[0-9]+]]:
// CHECK: global_store_dword v
// CHECK: s_memtime s[[[STORE_END:[0-9]+]]:
// CHECK: s_memtime s[[[END:[0-9]+]]:
// One thread stores the records.
// CHECK: s_and_saveexec_b64
// CHECK: s_cbranch_execz
// CHECK-DAG: s_sub_u32 s{{[0-9]+}}, s[[END]], s[[BEGIN]]
// CHECK-DAG: s_sub_u32 s{{[0-9]+}}, s[[STORE_END]], s[[STORE_BEGIN]]
// CHECK-DAG: s_sub_u32 s{{[0-9]+}}, s[[LOAD_END]], s[[LOAD_BEGIN]]
// CHECK: global_store_dwordx4
// CHECK-NOT: s_memtime
// CHECK: s_endpgm

// PLAIN: {{^}}copy:
// PLAIN-NOT: s_memtime
// PLAIN: s_endpgm
