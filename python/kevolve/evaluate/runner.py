"""How a target runs a candidate on this machine, inside the candidate's process."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import torch

from kevolve.compile.targets import find_target
from kevolve.evaluate.job import Job, Mode, ProfiledKernel
from kevolve.records import KernelLaunch


class Runner(Protocol):
    """One target's way to run a model and to say what its launches cost."""

    def run(
        self, model: torch.nn.Module, inputs: Sequence[object]
    ) -> torch.Tensor | Sequence[torch.Tensor]:
        """One forward pass."""
        ...

    def launches(self) -> tuple[KernelLaunch, ...]:
        """The launches since the last call, in order."""
        ...

    def profile(self, forward: Callable[[], Any], job: Job) -> tuple[ProfiledKernel, ...]:
        """Runs `forward` instrumented; leaves IR and records in the job's directory."""
        ...


def make_runner(job: Job) -> Runner:
    """The runner for the job's mode. Each imports what it needs, and only that."""
    if job.mode is Mode.SIMULATE:
        from kevolve.evaluate.simulated import SimulatedRunner

        return SimulatedRunner(find_target(job.target).chip)
    if job.mode is Mode.MEASURE:
        from kevolve.evaluate.measured import MeasuredRunner

        return MeasuredRunner()
    if job.mode is Mode.INTERPRET:
        from kevolve.evaluate.interpreted import InterpretedRunner

        return InterpretedRunner()
    from kevolve.evaluate.estimated import EstimatedRunner

    return EstimatedRunner(job.target, job.path("artifacts"))
