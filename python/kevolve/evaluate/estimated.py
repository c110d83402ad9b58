"""Prices a candidate's launches for a GPU that is not here: compiled and instrumented, not run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch

from kevolve.compile.artifact import Artifact
from kevolve.compile.compiler import compile_kernel
from kevolve.compile.probes import probe_pipeline
from kevolve.compile.static_model import estimate
from kevolve.compile.targets import Target, find_target
from kevolve.evaluate.job import Job, ProfiledKernel
from kevolve.records import KernelLaunch
from kevolve.triton_bridge import crossing
from kevolve.triton_bridge.kernels import FunctionSource
from kevolve.triton_bridge.launches import recording


class EstimatedRunner:
    """Launches are recorded, compiled for the target, and timed by the static model.

    Args:
        target: name of a cuda or hip target.
        root: folder for the artifacts.
    """

    def __init__(self, target: str, root: Path) -> None:
        self._target: Target = find_target(target)
        self._root = root
        self._sources: list[FunctionSource] = []
        self._priced: list[KernelLaunch] = []

    def run(
        self, model: torch.nn.Module, inputs: Sequence[object]
    ) -> torch.Tensor | Sequence[torch.Tensor]:
        with recording(self._target.triton) as sources:
            outputs: torch.Tensor | Sequence[torch.Tensor] = model(*inputs)
        self._sources = sources
        return outputs

    def launches(self) -> tuple[KernelLaunch, ...]:
        self._priced = [self._price(source) for source in self._sources]
        return tuple(self._priced)

    def profile(self, forward: Callable[[], Any], job: Job) -> tuple[ProfiledKernel, ...]:
        return tuple(
            self._instrument(source, launch, index, job)
            for index, (source, launch) in enumerate(zip(self._sources, self._priced, strict=True))
        )

    def _price(self, source: FunctionSource) -> KernelLaunch:
        estimated = estimate(self._compile(source))
        assert source.grid is not None
        times = {metric.name: metric.value for metric in estimated.metrics}
        time_ns = estimated.time_ns + times.get("launch.time", 0.0)
        return KernelLaunch(source.name, source.grid, time_ns, estimated.metrics)

    def _instrument(
        self, source: FunctionSource, launch: KernelLaunch, index: int, job: Job
    ) -> ProfiledKernel:
        # The instrumented binary is what a machine with the device would run.
        compile_kernel(source, self._target, pipeline=probe_pipeline(self._target), root=self._root)
        module = crossing.from_triton_text(self._compile(source).text("ttgir"))
        crossing.run_passes(module, "probe-insert")
        ir_file = f"{index}.mlir"
        job.path(ir_file).write_text(crossing.print_module(module))
        return ProfiledKernel(launch, ir_file, "")

    def _compile(self, source: FunctionSource) -> Artifact:
        return compile_kernel(source, self._target, root=self._root)
