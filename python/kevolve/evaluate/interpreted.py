"""Runs a candidate under Triton's interpreter: right or wrong on a machine without the device."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import Any

import torch

from kevolve.evaluate.job import Job, ProfiledKernel
from kevolve.records import KernelLaunch


class InterpretedRunner:
    """Every `@triton.jit` function runs as NumPy code, program after program; nothing is timed."""

    def __init__(self) -> None:
        # Triton decides at import, also for its own library functions.
        assert "triton" not in sys.modules, "Triton was imported before its interpreter was chosen"
        os.environ["TRITON_INTERPRET"] = "1"
        _exempt_launches_from_dispatch_guard()

    def run(
        self, model: torch.nn.Module, inputs: Sequence[object]
    ) -> torch.Tensor | Sequence[torch.Tensor]:
        return model(*inputs)  # type: ignore[no-any-return]

    def launches(self) -> tuple[KernelLaunch, ...]:
        return ()

    def profile(self, forward: Callable[[], Any], job: Job) -> tuple[ProfiledKernel, ...]:
        return ()


def _exempt_launches_from_dispatch_guard() -> None:
    # The interpreter moves tensors with PyTorch while it runs a kernel. That is not the model's
    # doing, so modes such as the dispatch guard are off inside a launch.
    from torch.utils._python_dispatch import _disable_current_modes
    from triton.runtime.interpreter import GridExecutor

    launch = GridExecutor.__call__

    def unguarded(executor: GridExecutor, *args: Any, **options: Any) -> Any:
        with _disable_current_modes():
            return launch(executor, *args, **options)

    GridExecutor.__call__ = unguarded
