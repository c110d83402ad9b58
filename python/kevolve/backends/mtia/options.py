"""What a launch or a compilation may choose: `kernel[grid](..., vector_lmul=2)`."""

from __future__ import annotations

from dataclasses import dataclass

from kevolve.backends.options import LaunchOptions
from kevolve.errors import CompileError

# RVV 1.0, section 3.4.2: the register groups that a vector operation may span.
_VECTOR_LMULS = (1, 2, 4, 8)


@dataclass(frozen=True)
class MtiaOptions(LaunchOptions):
    """Options of one kernel.

    Attributes:
        cb_multiplier: tiles in flight per load inside a loop: 1 loads a tile when it is needed,
            2 loads the next one while this one is used.
        vector_lmul: registers that one vector operation of core B spans.
        use_se: whether transcendental functions go to the SE rather than to the vector core.
        probes: whether the kernel measures itself.
    """

    cb_multiplier: int = 2
    vector_lmul: int = 4
    use_se: bool = True
    probes: bool = False
    arch: str = "mtia-2i"
    backend_name: str = "mtia"
    supported_fp8_dtypes: tuple[str, ...] = ("fp8e4nv", "fp8e5")

    def __post_init__(self) -> None:
        if self.cb_multiplier < 1:
            raise CompileError(f"cb_multiplier must be at least 1, got {self.cb_multiplier}")
        if self.vector_lmul not in _VECTOR_LMULS:
            raise CompileError(f"vector_lmul must be 1, 2, 4 or 8, got {self.vector_lmul}")

    def lowering_options(self, local_memory_bytes: int) -> str:
        """The options of `mtia-lowering-pipeline` for a PE with that much local memory."""
        options = [
            f"cb-multiplier={self.cb_multiplier}",
            f"vector-lmul={self.vector_lmul}",
            f"use-se={str(self.use_se).lower()}",
            f"local-memory-bytes={local_memory_bytes}",
        ]
        return " ".join(options + ["probes=true"] * self.probes)
