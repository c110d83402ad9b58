//===- Passes.td - Passes of TritonToLinalg ---------------------------*- tablegen -*-===//
#ifndef KEVOLVE_PASSES_TRITONTOLINALG
#define KEVOLVE_PASSES_TRITONTOLINALG

include "mlir/Pass/PassBase.td"

def ConvertTritonToLinalg : Pass<"convert-triton-to-linalg", "::mlir::ModuleOp"> {
  let summary = "Convert Triton IR to linalg on tensors and tile accesses";
  let description = [{
    Takes Triton IR (the generic form of TTIR, parsed with unregistered dialects
    allowed) to func, scf, arith, math, tensor, linalg and tile, for any target.
    Each public function becomes

    ```mlir
    func.func @kernel(<arguments>, %program_id_x: i32, ..., %num_programs_z: i32)
      attributes {kevolve.kernel, kevolve.num_arguments = N}
    ```

    where pointers are i64 byte addresses. Functions that were not inlined by
    Triton are inlined.

    Accesses whose addresses are a scalar plus a stride for each dimension, and
    whose masks are a box, become `tile.load` and `tile.store`; pointer and index
    tensors that a loop moves by the same amount everywhere become scalars.
    Other accesses become `tile.gather` and `tile.scatter`.

    Index arithmetic keeps the width it has in the program (so i32 wraps), but
    the elements of one tile are taken not to wrap around: the first element of a
    tile is exact, the others follow by its strides. (Triton's own analysis of
    contiguity makes the same assumption.)

    Loops yield tensors where they carry them (by
    `bufferization.materialize_in_destination` where need be), so that one-shot
    bufferization works on them; `--eliminate-empty-tensors` before it avoids
    copies.

    `tt.print` and `tt.assert` are dropped with a warning. Operations that are
    not supported are errors at their location.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::cf::ControlFlowDialect",
    "::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect", "::mlir::ub::UBDialect",
    "::kevolve::tile::TileDialect"];
}

def TritonRaiseAccesses : Pass<"triton-raise-accesses", "::mlir::func::FuncOp"> {
  let summary = "Raise structured Triton loads and stores to strided boxes";
  let description = [{
    The stage of `convert-triton-to-linalg` that finds the structure of pointers
    and masks, alone: functions are those of the func dialect already, pointers
    still have Triton's type.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect", "::kevolve::tile::TileDialect"];
}

#endif // KEVOLVE_PASSES_TRITONTOLINALG
