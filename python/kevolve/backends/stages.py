"""Stages that run our passes in process.

Stages hand each other text, with locations: it is what `kevolve compile --emit` prints, what the
cache keeps, and what a compiler engineer edits and runs again.
"""

from __future__ import annotations

from typing import Any

from mlir import ir
from mlir.dialects import llvm
from mlir.passmanager import PassManager

from kevolve.backends.diagnostics import compile_error
from kevolve.errors import CompileError
from kevolve.triton_bridge import crossing, generic


def make_linalg(module: Any) -> str:
    """Triton's module on tensors of upstream dialects and `tile`."""
    return lower(generic.print_generic(module), "convert-triton-to-linalg", "linalg")


def lower(text: str, pipeline: str, stage: str) -> str:
    """The text of `lower_module`."""
    return crossing.print_module(lower_module(text, pipeline, stage), generic_form=False)


def lower_module(text: str, pipeline: str, stage: str) -> crossing.Module:
    """The module in `text` after the passes of `pipeline`; `stage` is who fails."""
    module = crossing.parse(text, crossing.new_context())
    run_pipeline(module, pipeline, stage)
    return module


def run_pipeline(module: crossing.Module, pipeline: str, stage: str) -> None:
    """Runs passes on a module in place; their first diagnostic is the error."""
    try:
        with module.context:
            PassManager.parse(f"builtin.module({pipeline})").run(module.operation)
    except ir.MLIRError as error:
        raise compile_error(error, stage) from error
    except ValueError as error:
        raise CompileError(f"{stage}: {error}") from error


def translate(module: crossing.Module) -> str:
    """LLVM IR of a module in the LLVM dialect."""
    with module.context:
        translated = llvm.translate_module_to_llvmir(module.operation)
    if not translated:
        raise CompileError("llir: the module does not translate to LLVM IR")
    return str(translated)
