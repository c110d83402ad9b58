//===- Passes.td - Passes of TileToLoops ------------------------*- tablegen -*-===//
#ifndef KEVOLVE_PASSES_TILETOLOOPS
#define KEVOLVE_PASSES_TILETOLOOPS

include "mlir/Pass/PassBase.td"

def TileToLoops : Pass<"tile-to-loops"> {
  let summary = "Lower bufferized tile operations to loops over elements";
  let description = [{
    Every tile operation on memrefs or scalars becomes scf loops around loads,
    stores and atomics of the LLVM dialect, at addresses made by `llvm.inttoptr`.
    Boxes are cut to the tile, so that loops only visit elements that are moved.
    This is the lowering for targets without a unit that moves tiles, and for
    accesses that such a unit cannot do. Operations on tensors are left alone.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::LLVM::LLVMDialect"];
}

def WidenBooleanBuffers : Pass<"widen-boolean-buffers"> {
  let summary = "Store booleans as bytes";
  let description = [{
    Buffers of i1 become buffers of i8, for upstream's lowering of memref.store,
    which knows no integers of less than eight bits. Runs when only memref
    operations touch the buffers (after linalg has become loops). Globals are
    not changed.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"];
}

#endif // KEVOLVE_PASSES_TILETOLOOPS
