// RUN: kevolve-opt %s --allow-unregistered-dialect --probe-lower-to-ptx --split-input-file | FileCheck %s

// A branch yields the record of a site inside of it, changed or as it was; both
// ways exist afterwards.

#kernel = #probe.site<id = 0, kind = kernel, name = "k", loc = "":0:0, parent = -1, bytes = 0, flops = 0, trip_count = -1>
#scope = #probe.site<id = 1, kind = scope, name = "s", loc = "":0:0, parent = 0, bytes = 0, flops = 0, trip_count = -1>
// CHECK-LABEL: sym_name = "branch"
// CHECK: %[[ZERO:.*]] = arith.constant 0 : i64
// CHECK-NEXT: %[[IF:.*]]:5 = scf.if %{{.*}} -> (i32, i64, i64, i64, i64) {
// CHECK: %[[COUNT:.*]] = arith.addi %[[ZERO]], %{{.*}} : i64
// CHECK: scf.yield %{{.*}}, %[[COUNT]], %{{.*}}, %{{.*}}, %{{.*}} : i32, i64, i64, i64, i64
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %{{.*}}, %[[ZERO]], %[[ZERO]], %[[ZERO]], %[[ZERO]] : i32, i64, i64, i64, i64
// CHECK: "test.use"(%[[IF]]#0)
// A branch without results and without else gets one.
// CHECK: scf.if %{{.*}} -> (i64, i64, i64, i64) {
// CHECK: } else {
// CHECK-NEXT: scf.yield %[[IF]]#1, %[[IF]]#2, %[[IF]]#3, %[[IF]]#4
// CHECK-COUNT-8: "tt.store"
module attributes {probe.sites = [#kernel, #scope]} {
  "tt.func"() <{function_type = (i1) -> (), sym_name = "branch"}> ({
  ^bb0(%c: i1):
    %kernel = probe.begin 0 : !probe.token
    %one = arith.constant 1 : i32
    %r = scf.if %c -> (i32) {
      %s = probe.begin 1 : !probe.token
      %x = "test.work"() : () -> i32
      probe.end %s, 1
      scf.yield %x : i32
    } else {
      scf.yield %one : i32
    }
    "test.use"(%r) : (i32) -> ()
    scf.if %c {
      %s = probe.begin 1 : !probe.token
      %x = "test.work"() : () -> i32
      probe.end %s, 1
    }
    probe.end %kernel, 0
    "tt.return"() : () -> ()
  }) : () -> ()
}

// -----

// In a while loop the record of the site is in memory; that of the kernel is not.

#kernel = #probe.site<id = 0, kind = kernel, name = "k", loc = "":0:0, parent = -1, bytes = 0, flops = 0, trip_count = -1>
#scope = #probe.site<id = 1, kind = scope, name = "s", loc = "":0:0, parent = 0, bytes = 0, flops = 0, trip_count = -1>
// CHECK-LABEL: sym_name = "while"
// CHECK: %[[RECORDS:.*]] = "tt.addptr"(%{{.*}}, %{{.*}}) : (!tt.ptr<i64>, i64)
// CHECK: scf.while : () -> ()
// CHECK: } do {
// CHECK-NEXT: %[[BEGIN:.*]] = "tt.elementwise_inline_asm"
// CHECK-NEXT: "test.work"
// CHECK-NEXT: %[[END:.*]] = "tt.elementwise_inline_asm"
// CHECK: %[[COUNT_AT:.*]] = "tt.addptr"(%[[RECORDS]], %c4_i64)
// CHECK: %[[COUNT:.*]] = "tt.load"(%[[COUNT_AT]]) <{isVolatile = false, operandSegmentSizes = array<i32: 1, 0, 0>}> : (!tt.ptr<i64>) -> i64
// CHECK: %[[NEXT:.*]] = arith.addi %[[COUNT]], %{{.*}} : i64
// CHECK: "tt.store"(%[[COUNT_AT]], %[[NEXT]])
// CHECK-COUNT-3: "tt.store"
// CHECK: scf.yield
// CHECK-COUNT-4: "tt.store"
// CHECK-NOT: "tt.store"
// CHECK: "tt.return"
module attributes {probe.sites = [#kernel, #scope]} {
  "tt.func"() <{function_type = () -> (), sym_name = "while"}> ({
    %kernel = probe.begin 0 : !probe.token
    scf.while : () -> () {
      %c = "test.condition"() : () -> i1
      scf.condition(%c)
    } do {
      %s = probe.begin 1 : !probe.token
      "test.work"() : () -> ()
      probe.end %s, 1
      scf.yield
    }
    probe.end %kernel, 0
    "tt.return"() : () -> ()
  }) : () -> ()
}

// -----

// Two ways out of a kernel.

#kernel = #probe.site<id = 0, kind = kernel, name = "k", loc = "":0:0, parent = -1, bytes = 0, flops = 0, trip_count = -1>
// CHECK-LABEL: sym_name = "exits"
// CHECK: cf.cond_br
// CHECK: ^bb1:
// CHECK-COUNT-4: "tt.store"
// CHECK-NEXT: "tt.return"
// CHECK: ^bb2:
// CHECK-COUNT-4: "tt.store"
// CHECK-NEXT: "tt.return"
module attributes {probe.sites = [#kernel]} {
  "tt.func"() <{function_type = (i1) -> (), sym_name = "exits"}> ({
  ^bb0(%c: i1):
    %kernel = probe.begin 0 : !probe.token
    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
    probe.end %kernel, 0
    "tt.return"() : () -> ()
  ^bb2:
    probe.end %kernel, 0
    "tt.return"() : () -> ()
  }) : () -> ()
}
