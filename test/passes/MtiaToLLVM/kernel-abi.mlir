// RUN: kevolve-opt %s --convert-mtia-to-llvm --allow-unregistered-dialect | FileCheck %s

// One 8-byte slot per argument, in order.
// CHECK-LABEL: func.func @kernel(
// CHECK-SAME: %[[BLOCK:.*]]: !llvm.ptr) attributes {kevolve.kernel, passthrough = ["no-builtins"], vscale_range = #llvm.vscale_range<minRange = 8 : i32, maxRange = 8 : i32>}
func.func @kernel(%p: i64 {tt.divisibility = 16 : i64}, %flag: i1, %h: f16, %unused: i32, %n: index) attributes {kevolve.kernel} {
  // CHECK: %[[P:.*]] = llvm.load %[[BLOCK]] {alignment = 8 : i64} : !llvm.ptr -> i64
  // CHECK: %[[S1:.*]] = llvm.getelementptr %[[BLOCK]][8]
  // CHECK: %[[BYTE:.*]] = llvm.load %[[S1]] {alignment = 8 : i64} : !llvm.ptr -> i8
  // CHECK: %[[FLAG:.*]] = arith.trunci %[[BYTE]] : i8 to i1
  // CHECK: %[[S2:.*]] = llvm.getelementptr %[[BLOCK]][16]
  // CHECK: %[[H:.*]] = llvm.load %[[S2]] {alignment = 8 : i64} : !llvm.ptr -> f16
  // CHECK-NOT: [24]
  // CHECK: %[[S4:.*]] = llvm.getelementptr %[[BLOCK]][32]
  // CHECK: %[[N:.*]] = llvm.load %[[S4]] {alignment = 8 : i64} : !llvm.ptr -> i64
  // CHECK: %[[I:.*]] = arith.index_cast %[[N]] : i64 to index
  // CHECK: "test.use"(%[[P]], %[[FLAG]], %[[H]], %[[I]])
  "test.use"(%p, %flag, %h, %n) : (i64, i1, f16, index) -> ()
  return
}

// Other functions keep their signature.
// CHECK-LABEL: func.func @helper(%{{.*}}: i64) -> i64
func.func @helper(%x: i64) -> i64 {
  return %x : i64
}
