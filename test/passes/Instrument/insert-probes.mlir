// RUN: kevolve-opt %s --allow-unregistered-dialect --probe-insert --split-input-file | FileCheck %s
// RUN: kevolve-opt %s --allow-unregistered-dialect --probe-insert --probe-strip --split-input-file | FileCheck %s --check-prefix=STRIPPED
// RUN: kevolve-opt %s --allow-unregistered-dialect --probe-insert=kinds=dot --split-input-file | FileCheck %s --check-prefix=DOTS
// RUN: kevolve-opt %s --allow-unregistered-dialect --probe-insert=loops=false --split-input-file | FileCheck %s --check-prefix=NOLOOPS
// RUN: kevolve-opt %s --allow-unregistered-dialect --probe-insert="iterations=true max-depth=0" --split-input-file | FileCheck %s --check-prefix=OUTER
// RUN: kevolve-opt %s --allow-unregistered-dialect --probe-insert=iterations=true --split-input-file | FileCheck %s --check-prefix=ITERATIONS
// STRIPPED-NOT: probe

// A matrix product in TTGIR: positions go through variable names, inlined calls
// and fused locations; bytes and flops come from the types.

#kernel = loc("mm.py":4:0)
#load_a = loc("a"("mm.py":9:20))
#loc_sum = loc("mm.py":12:8)
#in_library = loc("triton/language/standard.py":200:11)
#sum = loc(callsite(#in_library at #loc_sum))
#loc_dot = loc("acc"("mm.py":10:15))
#unknown = loc(unknown)
#fused = loc(fused[#unknown, #loc_dot])

// CHECK: probe.sites = [
// CHECK-SAME: #probe.site<id = 0, kind = kernel, name = "mm", loc = "mm.py":4:0, parent = -1, bytes = 0, flops = 0, trip_count = -1>,
// CHECK-SAME: #probe.site<id = 1, kind = loop, name = "scf.for", loc = "mm.py":8:4, parent = 0, bytes = 0, flops = 0, trip_count = 4>,
// CHECK-SAME: #probe.site<id = 2, kind = load, name = "tt.load a", loc = "mm.py":9:20, parent = 1, bytes = 4096, flops = 0, trip_count = -1>,
// CHECK-SAME: #probe.site<id = 3, kind = dot, name = "tt.dot acc", loc = "mm.py":10:15, parent = 1, bytes = 0, flops = 262144, trip_count = -1>,
// CHECK-SAME: #probe.site<id = 4, kind = reduce, name = "tt.reduce", loc = "mm.py":12:8, parent = 0, bytes = 0, flops = 4096, trip_count = -1>,
// CHECK-SAME: #probe.site<id = 5, kind = store, name = "tt.store", loc = "":0:0, parent = 0, bytes = 16384, flops = 0, trip_count = -1>]

// CHECK-LABEL: "tt.func"
// CHECK-NEXT: ^bb0
// CHECK-NEXT: %[[KERNEL:.*]] = probe.begin 0 : !probe.token
// CHECK: %[[LOOP:.*]] = probe.begin 1
// CHECK-NEXT: scf.for
// CHECK-NEXT: %[[LOAD:.*]] = probe.begin 2
// CHECK-NEXT: "tt.load"
// CHECK-NEXT: probe.end %[[LOAD]], 2
// CHECK-NEXT: %[[DOT:.*]] = probe.begin 3
// CHECK-NEXT: "tt.dot"
// CHECK-NEXT: probe.end %[[DOT]], 3
// CHECK: scf.yield
// CHECK-NEXT: }
// CHECK-NEXT: probe.end %[[LOOP]], 1
// CHECK: %[[REDUCE:.*]] = probe.begin 4
// CHECK-NEXT: "tt.reduce"
// CHECK-NOT: probe
// CHECK: tt.reduce.return
// CHECK-NEXT: })
// CHECK-NEXT: probe.end %[[REDUCE]], 4
// CHECK: probe.begin 5
// CHECK-NEXT: "tt.store"
// CHECK-NEXT: probe.end
// CHECK-NEXT: probe.end %[[KERNEL]], 0
// CHECK-NEXT: "tt.return"

// DOTS: probe.sites = [#probe.site<id = 0, kind = kernel,{{[^>]*}}>, #probe.site<id = 1, kind = loop,{{[^>]*}}>, #probe.site<id = 2, kind = dot,{{[^>]*}}>]
// NOLOOPS: probe.sites = [#probe.site<id = 0, kind = kernel,{{[^>]*}}>, #probe.site<id = 1, kind = load,{{[^>]*}} parent = 0,
// OUTER: probe.sites = [#probe.site<id = 0, kind = kernel,{{[^>]*}}>, #probe.site<id = 1, kind = loop,{{[^>]*}}>, #probe.site<id = 2, kind = reduce,{{[^>]*}} parent = 0,
// ITERATIONS: #probe.site<id = 2, kind = scope, name = "iteration of scf.for", loc = "mm.py":8:4, parent = 1, bytes = 0, flops = 0, trip_count = -1>
// ITERATIONS-SAME: #probe.site<id = 3, kind = load,{{[^>]*}} parent = 2,
// ITERATIONS: scf.for
// ITERATIONS-NEXT: %[[ITERATION:.*]] = probe.begin 2
// ITERATIONS-NEXT: probe.begin 3
// ITERATIONS: probe.end %[[ITERATION]], 2
// ITERATIONS-NEXT: scf.yield
module {
  "tt.func"() <{function_type = (!tt.ptr<f16>, !tt.ptr<f32>) -> (), sym_name = "mm", sym_visibility = "public"}> ({
  ^bb0(%x: tensor<64x32x!tt.ptr<f16>, #ttg.blocked<{order = [1, 0]}>>, %y: tensor<64x64x!tt.ptr<f32>>):
    %zero = arith.constant 0 : i32
    %step = arith.constant 32 : i32
    %end = arith.constant 128 : i32
    %start = arith.constant dense<0.0> : tensor<64x64xf32>
    %b = arith.constant dense<1.0> : tensor<32x64xf16>
    %sum = scf.for %i = %zero to %end step %step iter_args(%acc = %start) -> tensor<64x64xf32> : i32 {
      %a = "tt.load"(%x) <{isVolatile = false}> : (tensor<64x32x!tt.ptr<f16>, #ttg.blocked<{order = [1, 0]}>>) -> tensor<64x32xf16> loc(#load_a)
      %next = "tt.dot"(%a, %b, %acc) <{inputPrecision = 0 : i32}> : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32> loc(#fused)
      scf.yield %next : tensor<64x64xf32>
    } loc("mm.py":8:4)
    %rows = "tt.reduce"(%sum) <{axis = 1 : i32}> ({
    ^bb0(%l: f32, %r: f32):
      %add = arith.addf %l, %r : f32
      "tt.reduce.return"(%add) : (f32) -> ()
    }) : (tensor<64x64xf32>) -> tensor<64xf32> loc(#sum)
    "tt.store"(%y, %sum) : (tensor<64x64x!tt.ptr<f32>>, tensor<64x64xf32>) -> () loc(unknown)
    "tt.return"() : () -> ()
  }) : () -> () loc(#kernel)
  "tt.func"() <{function_type = () -> (), sym_name = "callee", sym_visibility = "private"}> ({
    "tt.return"() : () -> ()
  }) : () -> ()
}

// -----

// Asynchronous copies, dots and their waits; shapes out of opaque types.

// CHECK: #probe.site<id = 1, kind = load, name = "ttg.async_copy_global_to_local"{{[^>]*}} bytes = 4096,
// CHECK-SAME: #probe.site<id = 2, kind = barrier, name = "ttg.async_wait"{{[^>]*}} bytes = 0,
// CHECK-SAME: #probe.site<id = 3, kind = dot, name = "ttng.warp_group_dot"{{[^>]*}} flops = 262144,
// CHECK-SAME: #probe.site<id = 4, kind = load, name = "ttng.async_tma_copy_global_to_local"{{[^>]*}} bytes = 8192,
// CHECK-SAME: #probe.site<id = 5, kind = store, name = "amdg.buffer_store"{{[^>]*}} bytes = 256,
// CHECK-SAME: #probe.site<id = 6, kind = scope, name = "ttg.warp_specialize"
// CHECK-NOT: #probe.site<
module {
  "tt.func"() <{function_type = () -> (), sym_name = "async"}> ({
  ^bb0(%src: tensor<64x32x!tt.ptr<f16>>, %dst: !ttg.memdesc<64x32xf16, #ttg.shared_memory, mutable>, %b: !ttg.memdesc<32x64xf16, #ttg.shared_memory>, %acc: tensor<64x64xf32>, %desc: !tt.tensordesc<tensor<64x64xf16>>, %bar: !ttg.memdesc<1xi64>, %to: !ttg.memdesc<64x64xf16>, %p: !tt.ptr<f32>, %offsets: tensor<64xi32>, %value: tensor<64xf32>):
    %t = "ttg.async_copy_global_to_local"(%src, %dst) : (tensor<64x32x!tt.ptr<f16>>, !ttg.memdesc<64x32xf16, #ttg.shared_memory, mutable>) -> !ttg.async.token
    %w = "ttg.async_wait"(%t) <{num = 0 : i32}> : (!ttg.async.token) -> !ttg.async.token
    %d = "ttng.warp_group_dot"(%dst, %b, %acc) : (!ttg.memdesc<64x32xf16, #ttg.shared_memory, mutable>, !ttg.memdesc<32x64xf16, #ttg.shared_memory>, tensor<64x64xf32>) -> tensor<64x64xf32>
    "ttng.async_tma_copy_global_to_local"(%desc, %bar, %to) : (!tt.tensordesc<tensor<64x64xf16>>, !ttg.memdesc<1xi64>, !ttg.memdesc<64x64xf16>) -> ()
    "amdg.buffer_store"(%value, %p, %offsets) : (tensor<64xf32>, !tt.ptr<f32>, tensor<64xi32>) -> ()
    "ttg.warp_specialize"() ({
      %again = "ttg.async_wait"() <{num = 0 : i32}> : () -> !ttg.async.token
      "ttg.warp_yield"() : () -> ()
    }) : () -> ()
    "tt.return"() : () -> ()
  }) : () -> ()
}

// -----

// The mtia lowering: issue and wait are sites, a loop over local memory is one;
// a kernel with two ways out ends on both.

// CHECK: #probe.site<id = 0, kind = kernel, name = "gelu"
// CHECK-SAME: #probe.site<id = 1, kind = loop, name = "scf.for"
// CHECK-SAME: #probe.site<id = 2, kind = load, name = "mtia.dma_load"{{[^>]*}} parent = 1, bytes = 512,
// CHECK-SAME: #probe.site<id = 3, kind = barrier, name = "mtia.wait mtia.dma_load"
// CHECK-SAME: #probe.site<id = 4, kind = compute, name = "scf.for"{{[^>]*}} parent = 1, bytes = 0, flops = 128, trip_count = 8>
// CHECK-SAME: #probe.site<id = 5, kind = compute, name = "linalg.generic"{{[^>]*}} flops = 256,
// CHECK-SAME: #probe.site<id = 6, kind = reduce, name = "linalg.generic"{{[^>]*}} flops = 128,
// CHECK-SAME: #probe.site<id = 7, kind = dot, name = "mtia.dpe_matmul"{{[^>]*}} flops = 65536,
// CHECK-SAME: #probe.site<id = 8, kind = compute, name = "mtia.se_unary"{{[^>]*}} flops = 128,
// CHECK-SAME: #probe.site<id = 9, kind = store, name = "mtia.dma_store"{{[^>]*}} bytes = 512,
// CHECK-LABEL: func.func @gelu
// CHECK: probe.end %{{.*}}, 0
// CHECK-NEXT: return
// CHECK: probe.end %{{.*}}, 0
// CHECK-NEXT: return
// CHECK-LABEL: func.func @not_a_kernel
// CHECK-NOT: probe
module {
  func.func @gelu(%base: i64, %n: index, %odd: i1, %s: vector<16xf32>, %a: memref<32x32xf16>, %c: memref<32x32xf32>) attributes {kevolve.kernel} {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %lanes = arith.constant 16 : index
    %size = arith.constant 128 : index
    %buf = memref.alloc() : memref<128xf32>
    %total = memref.alloc() : memref<f32>
    scf.for %i = %zero to %n step %one {
      %t = mtia.dma_load %base strides [4] lower [0] upper [128] into %buf : memref<128xf32> -> !mtia.ticket
      mtia.wait %t
      scf.for %j = %zero to %size step %lanes {
        %v = vector.load %buf[%j] : memref<128xf32>, vector<16xf32>
        %w = arith.mulf %v, %s : vector<16xf32>
        vector.store %w, %buf[%j] : memref<128xf32>, vector<16xf32>
      }
      linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%buf : memref<128xf32>) {
      ^bb0(%x: f32):
        %y = arith.mulf %x, %x : f32
        %z = math.exp %y : f32
        linalg.yield %z : f32
      }
      linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%buf : memref<128xf32>) outs(%total : memref<f32>) {
      ^bb0(%x: f32, %sum: f32):
        %y = arith.addf %x, %sum : f32
        linalg.yield %y : f32
      }
      %d = mtia.dpe_matmul %a, %a into %c : memref<32x32xf16>, memref<32x32xf16>, memref<32x32xf32> -> !mtia.ticket
      %e = mtia.se_unary <exp> %buf into %buf : memref<128xf32>, memref<128xf32> -> !mtia.ticket
      %u = mtia.dma_store %buf to %base strides [4] lower [0] upper [128] : memref<128xf32> -> !mtia.ticket
    }
    cf.cond_br %odd, ^early, ^late
  ^early:
    return
  ^late:
    return
  }
  func.func @not_a_kernel() {
    return
  }
}
