"""What a launch or a compilation may choose: `kernel[grid](..., num_threads=4)`."""

from __future__ import annotations

from dataclasses import dataclass

from kevolve.backends.options import LaunchOptions
from kevolve.errors import CompileError


@dataclass(frozen=True)
class CpuOptions(LaunchOptions):
    """Options of one kernel.

    Attributes:
        num_threads: threads that the programs of a grid are spread over; 0 leaves it to the
            device (`activate`).
    """

    num_threads: int = 0
    arch: str = "native"
    backend_name: str = "cpu"

    def __post_init__(self) -> None:
        if self.num_threads < 0:
            raise CompileError(f"num_threads must not be negative, got {self.num_threads}")
        if self.num_ctas != 1:
            raise CompileError(f"the cpu backend has no clusters: num_ctas={self.num_ctas}")
        if self.launch_cooperative_grid:
            raise CompileError(
                "the cpu backend runs the programs of a grid one after the other on each thread: "
                "they cannot wait for each other (launch_cooperative_grid)"
            )
        if self.extern_libs:
            raise CompileError("the cpu backend links no external libraries (extern_libs)")
