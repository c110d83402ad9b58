// RUN: not kevolve-opt %s --probe-insert=kinds=load,lode 2>&1 | FileCheck %s
// CHECK: error: probe-insert: 'lode' is not one of the kinds of operations: load, store, dot, reduce, scan, atomic, barrier, compute
module {
  func.func @f() {
    return
  }
}
