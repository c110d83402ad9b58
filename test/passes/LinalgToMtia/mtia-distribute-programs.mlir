// RUN: kevolve-opt %s --split-input-file --allow-unregistered-dialect --mtia-distribute-programs | FileCheck %s

// Program ids come from a loop over this PE's share of the grid, x fastest; the
// grid and the probe area follow the arguments.

// CHECK-LABEL: func.func @ids(
// CHECK-SAME: %[[OUT:.*]]: i64, %[[GX:.*]]: i32, %[[GY:.*]]: i32, %[[GZ:.*]]: i32, %{{.*}}: i64)
// CHECK-DAG: %[[X:.*]] = arith.index_cast %[[GX]]
// CHECK-DAG: %[[Y:.*]] = arith.index_cast %[[GY]]
// CHECK-DAG: %[[Z:.*]] = arith.index_cast %[[GZ]]
// CHECK: %[[XY:.*]] = arith.muli %[[X]], %[[Y]]
// CHECK: %[[ALL:.*]] = arith.muli %[[XY]], %[[Z]]
// CHECK: %[[PE:.*]] = mtia.pe_id
// CHECK: %[[STEP:.*]] = mtia.num_pes
// CHECK: scf.for %[[ID:.*]] = %[[PE]] to %[[ALL]] step %[[STEP]]
// CHECK: %[[ROW:.*]] = arith.divui %[[ID]], %[[X]]
// CHECK: %[[PX:.*]] = arith.remui %[[ID]], %[[X]]
// CHECK: %[[PY:.*]] = arith.remui %[[ROW]], %[[Y]]
// CHECK: %[[PZ:.*]] = arith.divui %[[ROW]], %[[Y]]
// CHECK: %[[PX32:.*]] = arith.index_cast %[[PX]] : index to i32
// CHECK: %[[PY32:.*]] = arith.index_cast %[[PY]] : index to i32
// CHECK: %[[PZ32:.*]] = arith.index_cast %[[PZ]] : index to i32
// CHECK: "test.use"(%[[PX32]], %[[PY32]], %[[PZ32]], %[[GX]]) : (i32, i32, i32, i32) -> ()
func.func @ids(%out: i64, %px: i32, %py: i32, %pz: i32, %nx: i32, %ny: i32, %nz: i32)
    attributes {kevolve.kernel, kevolve.num_arguments = 1 : i64} {
  "test.use"(%px, %py, %pz, %nx) : (i32, i32, i32, i32) -> ()
  return
}

// -----

// Control flow that is not structured keeps its blocks, once per program.

// CHECK-LABEL: func.func @branches
// CHECK: scf.for
// CHECK: scf.execute_region
// CHECK: cf.cond_br
// CHECK: scf.yield
// CHECK: return
func.func @branches(%c: i1, %px: i32, %py: i32, %pz: i32, %nx: i32, %ny: i32, %nz: i32)
    attributes {kevolve.kernel, kevolve.num_arguments = 1 : i64} {
  cf.cond_br %c, ^work, ^done
^work:
  "test.use"(%px) : (i32) -> ()
  cf.br ^done
^done:
  return
}

// -----

// Other functions are left alone.

// CHECK-LABEL: func.func @not_a_kernel(%{{.*}}: i32) {
func.func @not_a_kernel(%a: i32) {
  return
}
