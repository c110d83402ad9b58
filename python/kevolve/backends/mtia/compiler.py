"""MTIA as a Triton backend: which stages a kernel goes through.

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

from kevolve.backends.mtia.options import MtiaOptions
from kevolve.backends.toolchain import toolchain_hash
from kevolve.backends.ttir import make_ttir
from kevolve.errors import CompileError

# What a kernel compiled with probes has at the end of its architecture's name.
PROBED_SUFFIX = ":probed"


class MtiaBackend(BaseBackend):  # type: ignore[misc]
    """TTIR -> linalg -> mtia -> LLVM IR -> assembly -> ELF."""

    binary_ext = "elf"
    supports_native_tensor_specialization = False

    @staticmethod
    def supports_target(target: GPUTarget) -> bool:
        return bool(target.backend == "mtia")

    @functools.lru_cache  # noqa: B019 - one backend per target lives as long as the process
    def hash(self) -> str:
        """Changes with whatever changes the code that comes out."""
        return f"mtia-{self.target.arch}-{toolchain_hash('mtia')}"

    def parse_options(self, options: dict[str, Any]) -> MtiaOptions:
        known = {one.name for one in fields(MtiaOptions)}
        chosen = {
            name: value for name, value in options.items() if name in known and value is not None
        }
        arch = str(self.target.arch)
        chosen["arch"] = arch.removesuffix(PROBED_SUFFIX)
        chosen["probes"] = bool(chosen.get("probes", False)) or arch.endswith(PROBED_SUFFIX)
        if chosen.get("extern_libs"):
            raise CompileError("the mtia backend links no external libraries (extern_libs)")
        return MtiaOptions(**chosen)

    def add_stages(
        self, stages: dict[str, Callable[..., Any]], options: MtiaOptions, language: Language
    ) -> None:
        if language != Language.TRITON:
            raise CompileError("the mtia backend compiles Triton, not Gluon")
        stages["ttir"] = make_ttir
        stages["linalg"] = lambda source, metadata: _stages().make_linalg(source)
        stages["mtia"] = lambda source, metadata: _lowering().make_mtia(source, metadata, options)
        stages["llir"] = lambda source, metadata: _lowering().make_llir(source)
        stages["asm"] = lambda source, metadata: _codegen().make_assembly(source)
        stages["elf"] = lambda source, metadata: _codegen().make_elf(source, metadata["name"])

    def load_dialects(self, context: ir.context) -> None:
        """Ours live in another MLIR: Triton's context needs none of them."""

    def get_module_map(self) -> dict[str, ModuleType]:
        from kevolve.backends import libdevice

        return {"triton.language.extra.libdevice": libdevice}

    def get_codegen_implementation(self, options: MtiaOptions) -> dict[str, Callable[..., Any]]:
        return {"min_dot_size": lambda lhs, rhs: (1, 1, 1)}

    def pack_metadata(self, metadata: Any) -> Any:
        return metadata


def _stages() -> Any:
    from kevolve.backends import stages

    return stages


def _lowering() -> Any:
    from kevolve.backends.mtia import lowering

    return lowering


def _codegen() -> Any:
    from kevolve.backends.mtia import codegen

    return codegen
