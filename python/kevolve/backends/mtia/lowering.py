"""The stages of MTIA between linalg and the code generator: linalg -> mtia -> LLVM IR."""

from __future__ import annotations

from typing import Any

from mlir import ir

from kevolve.backends.mtia import device
from kevolve.backends.mtia.options import MtiaOptions
from kevolve.backends.stages import lower, lower_module, translate
from kevolve.errors import CompileError
from kevolve.triton_bridge import crossing

_SITES_ATTRIBUTE = "probe.sites"


def make_mtia(text: str, metadata: dict[str, Any], options: MtiaOptions) -> str:
    """Programs spread over PEs, buffers in local memory, work on the units."""
    local_memory_bytes = device.chip_parameter(options.arch, "ls.bytes")
    pipeline = f"mtia-lowering-pipeline{{{options.lowering_options(local_memory_bytes)}}}"
    lowered = lower(text, pipeline, "mtia")
    if options.probes:
        metadata["num_sites"] = _count_sites(lowered)
        metadata["probed_ir"] = lowered
    return lowered


def make_llir(text: str) -> str:
    """LLVM IR with the kernel's calling convention, and lines for a debugger."""
    return translate(lower_module(text, "mtia-to-llvm-pipeline", "llir"))


def _count_sites(text: str) -> int:
    module = crossing.parse(text, crossing.new_context())
    attributes = module.operation.attributes
    if _SITES_ATTRIBUTE not in attributes:
        raise CompileError(f"mtia: a probed kernel has no {_SITES_ATTRIBUTE}")
    return len(ir.ArrayAttr(attributes[_SITES_ATTRIBUTE]))
