"""The CPU as a Triton backend: which stages a kernel goes through.

`import triton` imports this module, so it stays light: the stages load MLIR when they run.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import fields
from types import ModuleType
from typing import Any

from triton._C.libtriton import ir
from triton.backends.compiler import BaseBackend, GPUTarget, Language

from kevolve.backends.cpu.options import CpuOptions
from kevolve.backends.toolchain import toolchain_hash
from kevolve.backends.ttir import make_ttir
from kevolve.errors import CompileError


class CpuBackend(BaseBackend):  # type: ignore[misc]
    """TTIR -> linalg -> LLVM dialect -> LLVM IR -> assembly -> shared library."""

    binary_ext = "so"
    supports_native_tensor_specialization = False

    @staticmethod
    def supports_target(target: GPUTarget) -> bool:
        return bool(target.backend == "cpu")

    @functools.lru_cache  # noqa: B019 - one backend per target lives as long as the process
    def hash(self) -> str:
        """Changes with whatever changes the code that comes out; the CPU is part of that."""
        return f"cpu-{_codegen().host_cpu_hash()}-{toolchain_hash('cpu')}"

    def parse_options(self, options: dict[str, Any]) -> CpuOptions:
        known = {one.name for one in fields(CpuOptions)}
        chosen = {
            name: value for name, value in options.items() if name in known and value is not None
        }
        return CpuOptions(**{**chosen, "arch": str(self.target.arch)})

    def add_stages(
        self, stages: dict[str, Callable[..., Any]], options: CpuOptions, language: Language
    ) -> None:
        if language != Language.TRITON:
            raise CompileError("the cpu backend compiles Triton, not Gluon")
        fusion = options.enable_fp_fusion
        stages["ttir"] = make_ttir
        stages["linalg"] = lambda source, metadata: _stages().make_linalg(source)
        stages["llvm.mlir"] = lambda source, metadata: _lowering().make_llvm(
            source, metadata["name"], fusion
        )
        stages["llir"] = lambda source, metadata: _lowering().make_llir(source)
        stages["asm"] = lambda source, metadata: _codegen().make_assembly(source)
        stages["so"] = lambda source, metadata: _codegen().make_library(source)

    def load_dialects(self, context: ir.context) -> None:
        """Ours live in another MLIR: Triton's context needs none of them."""

    def get_module_map(self) -> dict[str, ModuleType]:
        from kevolve.backends import libdevice

        return {"triton.language.extra.libdevice": libdevice}

    def get_codegen_implementation(self, options: CpuOptions) -> dict[str, Callable[..., Any]]:
        return {"min_dot_size": lambda lhs, rhs: (1, 1, 1)}

    def pack_metadata(self, metadata: Any) -> Any:
        return metadata


def _stages() -> Any:
    from kevolve.backends import stages

    return stages


def _lowering() -> Any:
    from kevolve.backends.cpu import lowering

    return lowering


def _codegen() -> Any:
    from kevolve.backends.cpu import codegen

    return codegen
