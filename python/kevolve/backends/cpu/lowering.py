"""The stages of the CPU before the code generator: linalg -> LLVM dialect -> LLVM IR."""

from __future__ import annotations

from kevolve.backends.cpu.contractions import put_columns_innermost
from kevolve.backends.cpu.fusion import allow_fused_multiply_add
from kevolve.backends.cpu.programs import add_loop_over_programs
from kevolve.backends.stages import lower_module, run_pipeline, translate
from kevolve.triton_bridge import crossing

# Tensors become buffers. What a loop carries keeps one buffer, buffers that every iteration needs
# anew are made once before the loop, and all are freed where their program ends.
TO_BUFFERS = (
    "lift-cf-to-scf,func.func(convert-elementwise-to-linalg,linalg-fuse-elementwise-ops),"
    "canonicalize,cse,loop-invariant-code-motion,func.func(mtia-carry-in-place),"
    "eliminate-empty-tensors,one-shot-bufferize,canonicalize,cse,"
    "func.func(buffer-loop-hoisting),buffer-deallocation-pipeline"
)
TO_LOOPS = "tile-to-loops,func.func(convert-linalg-to-loops)"
TO_LLVM = (
    "widen-boolean-buffers,expand-strided-metadata,lower-affine,"
    "func.func(math-extend-to-supported-types),arith-expand{include-bf16=true},convert-scf-to-cf,"
    "convert-math-to-llvm,convert-math-to-libm,"
    # Aligned allocations are calls, from which LLVM knows that nothing else points there.
    "finalize-memref-to-llvm{use-aligned-alloc=true},"
    "convert-to-llvm,reconcile-unrealized-casts,canonicalize,cse"
)
# Places in the source, for debuggers and profilers.
_LINES = "ensure-debug-info-scope-on-llvm-func"


def make_llvm(text: str, kernel: str, fuse_multiply_add: bool) -> str:
    """The kernel and the loop over its programs, in the LLVM dialect.

    Multiplications and additions may become one operation where `fuse_multiply_add`.
    """
    module = lower_module(text, TO_BUFFERS, "llvm.mlir")
    put_columns_innermost(module)
    run_pipeline(module, TO_LOOPS, "llvm.mlir")
    if fuse_multiply_add:
        allow_fused_multiply_add(module)
    add_loop_over_programs(module, kernel)
    run_pipeline(module, f"{TO_LLVM},{_LINES}", "llvm.mlir")
    return crossing.print_module(module, generic_form=False)


def make_llir(text: str) -> str:
    """The same in LLVM IR."""
    return translate(crossing.parse(text, crossing.new_context()))
