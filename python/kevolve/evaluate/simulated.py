"""Runs a candidate on the MTIA simulator: every `kernel[grid](...)` is a simulated launch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from kevolve.backends import mtia
from kevolve.backends.mtia import device
from kevolve.backends.mtia.launch import Launch
from kevolve.evaluate.job import Job, ProfiledKernel
from kevolve.profile.records import RECORD_DTYPE, record_file
from kevolve.records import KernelLaunch, Metric

_SOURCE = "mtia simulator"


class SimulatedRunner:
    """Times are simulated; each pass starts with cold caches."""

    def __init__(self, chip: str) -> None:
        mtia.activate(chip)
        self._measured: tuple[KernelLaunch, ...] = ()

    def run(
        self, model: torch.nn.Module, inputs: Sequence[object]
    ) -> torch.Tensor | Sequence[torch.Tensor]:
        mtia.reset_device()
        return model(*inputs)  # type: ignore[no-any-return]

    def launches(self) -> tuple[KernelLaunch, ...]:
        self._measured = tuple(_launch(launch) for launch in mtia.take_launches())
        return self._measured

    def profile(self, forward: Callable[[], Any], job: Job) -> tuple[ProfiledKernel, ...]:
        """The launches of a probed pass, each with the metrics of its unprobed twin.

        Probes cost cycles and bytes of their own, so that what they saw is read beside what the
        launch takes without them.
        """
        mtia.enable_profiling(True)
        forward()
        probed = mtia.take_launches()
        if [launch.kernel for launch in probed] != [launch.kernel for launch in self._measured]:
            return ()  # the candidate launched other kernels the second time: nothing to pair
        return tuple(
            ProfiledKernel(measured, *_save(launch, index, job))
            for index, (measured, launch) in enumerate(zip(self._measured, probed, strict=True))
        )


def _launch(launch: Launch) -> KernelLaunch:
    metrics = tuple(
        Metric(name, value, unit, _SOURCE) for name, value, unit in launch.report.metrics
    )
    return KernelLaunch(launch.kernel, launch.grid, launch.report.time_ns, metrics)


def _save(launch: Launch, index: int, job: Job) -> tuple[str, str]:
    """Writes a probed launch's IR and record file into the job's folder; their names."""
    assert launch.records is not None and launch.probed_ir is not None
    ir_file, file = f"{index}.mlir", f"{index}.records"
    chip = device.current()
    num_sites = len(launch.records) // (chip.num_pes * RECORD_DTYPE.itemsize)
    clock_hz = int(chip.simulator.clock_hz)
    job.path(ir_file).write_text(launch.probed_ir)
    job.path(file).write_bytes(record_file(launch.records, num_sites, "mtia", clock_hz))
    return ir_file, file
