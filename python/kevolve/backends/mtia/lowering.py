"""The stages that run our passes in process: TTIR -> linalg -> mtia -> LLVM IR.

Stages hand each other text, with locations: it is what `kevolve compile --emit` prints, what the
cache keeps, and what a compiler engineer edits and runs again.
"""

from __future__ import annotations

from typing import Any

from mlir import ir
from mlir.dialects import llvm
from mlir.passmanager import PassManager

from kevolve.backends.mtia import device
from kevolve.backends.mtia.diagnostics import compile_error
from kevolve.backends.mtia.options import MtiaOptions
from kevolve.errors import CompileError
from kevolve.triton_bridge import crossing, generic

_SITES_ATTRIBUTE = "probe.sites"


def make_linalg(module: Any) -> str:
    """Triton's module on tensors of upstream dialects and `tile`."""
    return _lower(generic.print_generic(module), "convert-triton-to-linalg", "linalg")


def make_mtia(text: str, metadata: dict[str, Any], options: MtiaOptions) -> str:
    """Programs spread over PEs, buffers in local memory, work on the units."""
    local_memory_bytes = device.chip_parameter(options.arch, "ls.bytes")
    pipeline = f"mtia-lowering-pipeline{{{options.lowering_options(local_memory_bytes)}}}"
    lowered = _lower(text, pipeline, "mtia")
    if options.probes:
        metadata["num_sites"] = _count_sites(lowered)
        metadata["probed_ir"] = lowered
    return lowered


def make_llir(text: str) -> str:
    """LLVM IR with the kernel's calling convention, and lines for a debugger."""
    module = crossing.parse(text, crossing.new_context())
    _run(module, "mtia-to-llvm-pipeline", "llir")
    with module.context:
        translated = llvm.translate_module_to_llvmir(module.operation)
    if not translated:
        raise CompileError("llir: the module does not translate to LLVM IR")
    return str(translated)


def _lower(text: str, pipeline: str, stage: str) -> str:
    module = crossing.parse(text, crossing.new_context())
    _run(module, pipeline, stage)
    return crossing.print_module(module, generic_form=False)


def _run(module: Any, pipeline: str, stage: str) -> None:
    try:
        with module.context:
            PassManager.parse(f"builtin.module({pipeline})").run(module.operation)
    except ir.MLIRError as error:
        raise compile_error(error, stage) from error
    except ValueError as error:
        raise CompileError(f"{stage}: {error}") from error


def _count_sites(text: str) -> int:
    module = crossing.parse(text, crossing.new_context())
    attributes = module.operation.attributes
    if _SITES_ATTRIBUTE not in attributes:
        raise CompileError(f"mtia: a probed kernel has no {_SITES_ATTRIBUTE}")
    return len(ir.ArrayAttr(attributes[_SITES_ATTRIBUTE]))
