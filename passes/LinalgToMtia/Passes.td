//===- Passes.td - Passes of LinalgToMtia -------------------*- tablegen -*-===//
#ifndef KEVOLVE_PASSES_LINALGTOMTIA
#define KEVOLVE_PASSES_LINALGTOMTIA

include "mlir/Pass/PassBase.td"

def MtiaFuseElementwise : Pass<"mtia-fuse-elementwise", "::mlir::func::FuncOp"> {
  let summary = "Fuse elementwise linalg operations for a PE's vector core and SE";
  let description = [{
    Works on tensors. Named elementwise, broadcast and reduce operations become
    `linalg.generic`; cheap producers (ranges, splats, broadcasts, casts) are fused
    into every use, expensive ones into their only use. With `use-se`, a
    transcendental over at least `se-min-elements` elements stays alone, so that
    `mtia-place-on-units` can hand it to the SE. Loads whose contiguous dimension
    is not the innermost one are loaded transposed, and transposes are folded into
    the indexing maps of `linalg.matmul`.
  }];
  let options = [
    Option<"useSe", "use-se", "bool", /*default=*/"true",
           "Keep transcendentals apart for the SE">,
    Option<"seMinElements", "se-min-elements", "int64_t", /*default=*/"128",
           "Elements from which a command to the SE pays">
  ];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

def MtiaDistributePrograms : Pass<"mtia-distribute-programs", "::mlir::func::FuncOp"> {
  let summary = "Loop over the programs of the grid that belong to this PE";
  let description = [{
    Turns a kernel `(arguments.., program_id_xyz, num_programs_xyz)` into
    `(arguments.., grid_xyz, probe_area)` with a loop over linear program ids
    `pe_id, pe_id + num_pes, ..` around its body; x runs fastest.
  }];
  let dependentDialects = ["::kevolve::mtia::MtiaDialect", "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def MtiaCarryInPlace : Pass<"mtia-carry-in-place", "::mlir::func::FuncOp"> {
  let summary = "Let loop-carried tiles keep one buffer";
  let description = [{
    Works on tensors, before bufferization: what a loop yields for a tile is
    computed into the tile itself where all other uses come before, and copied
    into it otherwise. Bufferization then needs no buffer per iteration.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def MtiaPlaceOnUnits : Pass<"mtia-place-on-units", "::mlir::func::FuncOp"> {
  let summary = "Give tile and linalg operations on buffers to the units of a PE";
  let description = [{
    Works on memrefs. `tile.load` and `tile.store` go to the DMA engine; a fill
    that a load overwrites happens only when the box does not cover the tile.
    Matrix products of f16, bf16 and i8 go to the DPE, lone transcendentals over
    contiguous buffers to the SE. Everything else is left to the vector core.
    Commands are not waited for: see `mtia-insert-waits`.
  }];
  let options = [
    Option<"useSe", "use-se", "bool", /*default=*/"true", "Use the SE">,
    Option<"seMinElements", "se-min-elements", "int64_t", /*default=*/"128",
           "Elements from which a command to the SE pays">
  ];
  let dependentDialects = ["::kevolve::mtia::MtiaDialect", "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect", "::mlir::memref::MemRefDialect"];
}

def MtiaVectorize : Pass<"mtia-vectorize", "::mlir::func::FuncOp"> {
  let summary = "Turn linalg operations on buffers into loops of fixed vectors";
  let description = [{
    One loop of every `linalg` operation is vectorized, in vectors of `lmul`
    registers of 512 bits; reductions keep vector accumulators and combine their
    lanes once at the end. Operations of other forms become scalar loops.
  }];
  let options = [Option<"lmul", "lmul", "int64_t", /*default=*/"4",
                        "Registers of a vector: 1, 2, 4 or 8">];
  let dependentDialects = ["::mlir::vector::VectorDialect", "::mlir::scf::SCFDialect",
                           "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::affine::AffineDialect", "::mlir::linalg::LinalgDialect"];
}

def MtiaExpandMath : Pass<"mtia-expand-math", "::mlir::func::FuncOp"> {
  let summary = "Expand math that no instruction computes into arithmetic";
  let description = [{
    Transcendentals become polynomials in f32, on scalars and on vectors. bf16
    arithmetic is computed in f32 and rounded.
  }];
  let dependentDialects = ["::mlir::math::MathDialect", "::mlir::vector::VectorDialect",
                           "::mlir::arith::ArithDialect"];
}

def MtiaPipeline : Pass<"mtia-pipeline", "::mlir::func::FuncOp"> {
  let summary = "Overlap data movement with computation by circular buffers";
  let description = [{
    Buffers that a loop loads or stores by DMA get `cb-multiplier` slots. Loads
    whose addresses depend only on the induction variable are issued
    `cb-multiplier - 1` iterations ahead; stores are waited for when their slot
    comes round again. Buffers that only commands touch need no waits: the command
    processor orders them. `cb-multiplier=1` changes nothing.
  }];
  let options = [Option<"cbMultiplier", "cb-multiplier", "int64_t", /*default=*/"2",
                        "Slots of a circular buffer">];
  let dependentDialects = ["::kevolve::mtia::MtiaDialect", "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect", "::mlir::memref::MemRefDialect"];
}

def MtiaInsertWaits : Pass<"mtia-insert-waits", "::mlir::func::FuncOp"> {
  let summary = "Wait for commands exactly where a hart touches their data";
  let description = [{
    Before a hart reads a buffer that an unfinished command writes, or writes one
    that an unfinished command reads or writes, its ticket is waited for. Tickets
    leave loops and conditionals as results. A DMA load from global memory waits
    for unfinished stores that may overlap it.
  }];
  let dependentDialects = ["::kevolve::mtia::MtiaDialect", "::mlir::scf::SCFDialect"];
}

def MtiaPlanLocalMemory : Pass<"mtia-plan-local-memory", "::mlir::func::FuncOp"> {
  let summary = "Give every buffer a place in local memory";
  let description = [{
    Buffers that are never live together share memory; a buffer lives until the
    last hart operation on it and until every command on it is known to be done.
    `memref.alloc` becomes `mtia.local_buffer`.
  }];
  let options = [Option<"localMemoryBytes", "local-memory-bytes", "int64_t",
                        /*default=*/"393216", "Bytes of local memory of a PE">];
  let dependentDialects = ["::kevolve::mtia::MtiaDialect"];
}

#endif // KEVOLVE_PASSES_LINALGTOMTIA
