"""Runs a candidate on this machine's CPU and times its launches by the wall clock."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from typing import Any

import torch

from kevolve.backends import cpu
from kevolve.backends.cpu.launch import Launch
from kevolve.evaluate.job import Job, ProfiledKernel
from kevolve.records import KernelLaunch

# The first pass compiles, the second still finds cold caches and sleeping threads.
_WARM_UP_PASSES = 2
_TIMED_PASSES = 15


class MeasuredRunner:
    """A forward pass runs several times; each launch takes the median of its times.

    The outputs are those of the last timed pass: what was timed is what is compared.
    """

    def __init__(self) -> None:
        cpu.activate()
        self._passes: list[list[Launch]] = []

    def run(
        self, model: torch.nn.Module, inputs: Sequence[object]
    ) -> torch.Tensor | Sequence[torch.Tensor]:
        for _ in range(_WARM_UP_PASSES):
            model(*inputs)
        cpu.take_launches()
        self._passes = []
        for _ in range(_TIMED_PASSES):
            outputs: torch.Tensor | Sequence[torch.Tensor] = model(*inputs)
            self._passes.append(cpu.take_launches())
        return outputs

    def launches(self) -> tuple[KernelLaunch, ...]:
        return median_launches(self._passes)

    def profile(self, forward: Callable[[], Any], job: Job) -> tuple[ProfiledKernel, ...]:
        """Kernels for the CPU have no probes yet: there is nothing to tell."""
        return ()


def median_launches(passes: Sequence[Sequence[Launch]]) -> tuple[KernelLaunch, ...]:
    """The launches of a pass, each with the median time of its place in all passes."""
    if len({tuple((one.kernel, one.grid) for one in launches) for launches in passes}) != 1:
        raise ValueError("ModelNew launches other kernels when it runs again")
    return tuple(
        KernelLaunch(same[0].kernel, same[0].grid, statistics.median(one.time_ns for one in same))
        for same in zip(*passes, strict=True)
    )
