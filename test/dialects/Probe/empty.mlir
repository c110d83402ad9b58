// RUN: kevolve-opt %s | FileCheck %s
// CHECK: func.func @f
func.func @f() { return }
