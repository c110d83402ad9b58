"""Runs a candidate on the MTIA simulator: every `kernel[grid](...)` is a simulated launch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from kevolve.backends import mtia
from kevolve.backends.mtia.launch import Launch
from kevolve.evaluate.job import Job, ProfiledKernel
from kevolve.records import KernelLaunch, Metric

_SOURCE = "mtia simulator"


class SimulatedRunner:
    """Times are simulated; each pass starts with cold caches."""

    def __init__(self) -> None:
        mtia.activate()

    def run(
        self, model: torch.nn.Module, inputs: Sequence[object]
    ) -> torch.Tensor | Sequence[torch.Tensor]:
        mtia.reset_device()
        return model(*inputs)  # type: ignore[no-any-return]

    def launches(self) -> tuple[KernelLaunch, ...]:
        return tuple(_launch(launch) for launch in mtia.take_launches())

    def profile(self, forward: Callable[[], Any], job: Job) -> tuple[ProfiledKernel, ...]:
        mtia.enable_profiling(True)
        forward()
        return tuple(_save(launch, index, job) for index, launch in enumerate(mtia.take_launches()))


def _launch(launch: Launch) -> KernelLaunch:
    metrics = tuple(
        Metric(name, value, unit, _SOURCE) for name, value, unit in launch.report.metrics
    )
    return KernelLaunch(launch.kernel, launch.grid, launch.report.time_ns, metrics)


def _save(launch: Launch, index: int, job: Job) -> ProfiledKernel:
    ir_file, records_file = f"{index}.mlir", f"{index}.records"
    job.path(ir_file).write_text(launch.probed_ir or "")
    job.path(records_file).write_bytes(launch.records or b"")
    return ProfiledKernel(_launch(launch), ir_file, records_file)
