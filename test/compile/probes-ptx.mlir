// Probes that go in at the end of ttgir are clock reads around the same instructions in PTX, and
// one thread's stores of the records before the kernel returns. Without probes there is none.
// RUN: %python -c "from kevolve.cli.main import main; main()" compile %s --target cuda:sm_90 --emit ptx --probes | FileCheck %s
// RUN: %python -c "from kevolve.cli.main import main; main()" compile %s --target cuda:sm_90 --emit ptx | FileCheck %s --check-prefix=PLAIN
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @copy(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %y: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %r = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %p = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %q = tt.addptr %p, %r : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %v = tt.load %q : tensor<128x!tt.ptr<f32>, #blocked>
    %s = tt.splat %y : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %t = tt.addptr %s, %r : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    tt.store %t, %v : tensor<128x!tt.ptr<f32>, #blocked>
    tt.return
  }
}

// CHECK-LABEL: .entry copy(
// CHECK: .param .u64 {{.*}}copy_param_2
// The kernel begins.
// CHECK: mov.u64 %[[BEGIN:rd[0-9]+]], %clock64;
// CHECK-NOT: ld.global
// CHECK: mov.u64 %[[LOAD_BEGIN:rd[0-9]+]], %clock64;
// CHECK: ld.global
// CHECK: mov.u64 %[[LOAD_END:rd[0-9]+]], %clock64;
// CHECK: sub.s64 %[[LOAD:rd[0-9]+]], %[[LOAD_END]], %[[LOAD_BEGIN]];
// CHECK-NOT: st.global
// CHECK: mov.u64 %[[STORE_BEGIN:rd[0-9]+]], %clock64;
// CHECK: st.global
// CHECK: mov.u64 %[[STORE_END:rd[0-9]+]], %clock64;
// CHECK: sub.s64 %[[STORE:rd[0-9]+]], %[[STORE_END]], %[[STORE_BEGIN]];
// CHECK: mov.u64 %[[END:rd[0-9]+]], %clock64;
// CHECK: sub.s64 %[[KERNEL:rd[0-9]+]], %[[END]], %[[BEGIN]];
// Three sites of 32 bytes for each program.
// CHECK: mad.lo.s64 %{{.*}}, %{{.*}}, 96, %
// CHECK: setp.eq.b32 %[[FIRST:p[0-9]+]], %{{.*}}, 0;
// CHECK: @%[[FIRST]] st.global.b64 {{.*}} { %[[KERNEL]] };
// CHECK: @%[[FIRST]] st.global.b64 {{.*}} { %[[LOAD]] };
// CHECK: @%[[FIRST]] st.global.b64 {{.*}} { %[[STORE]] };
// CHECK-NOT: %clock64
// CHECK: ret;

// PLAIN: .entry copy(
// PLAIN-NOT: clock64
// PLAIN: ret;
