"""Records what launches of Triton kernels would compile, without a device and without running.

Inside `recording(target)`, `kernel[grid](...)` on CPU tensors records a `FunctionSource` with the
signature, constants, divisibility, options and grid that a real launch on `target` has. Tensors
asked for on a GPU are made on the CPU; kernels write nothing, so results are meaningless.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from types import SimpleNamespace
from typing import Any
from unittest import mock

import torch
from torch.overrides import TorchFunctionMode
from triton.backends.compiler import GPUTarget
from triton.backends.driver import DriverBase
from triton.compiler import make_backend
from triton.runtime.autotuner import Autotuner
from triton.runtime.driver import driver
from triton.runtime.jit import JITFunction, create_function_from_signature

from kevolve.triton_bridge.kernels import FunctionSource, Grid

# Python wrappers of kernels ask the device for these to choose a grid: an H100's numbers
# (NVIDIA H100 Tensor Core GPU Architecture, V1.04, table 3).
_DEVICE_PROPERTIES = {
    "multiprocessor_count": 132,
    "max_shared_mem": 232448,
    "max_num_regs": 65536,
    "warpSize": 32,
    "sm_clock_rate": 1755000,
}


class _NoDevice(DriverBase):  # type: ignore[misc]
    """Answers for a target that is not there."""

    def __init__(self, target: GPUTarget) -> None:
        self._target = target
        self.utils = SimpleNamespace(get_device_properties=lambda device: _DEVICE_PROPERTIES)

    @classmethod
    def is_active(cls) -> bool:
        return False

    def map_python_to_cpp_type(self, ty: str) -> str:
        raise NotImplementedError(f"no launcher is built while recording, so no C++ type of {ty}")

    def get_current_target(self) -> GPUTarget:
        return self._target

    def get_active_torch_device(self) -> torch.device:
        return torch.device("cpu")

    def get_current_device(self) -> int:
        return 0

    def set_current_device(self, device: int) -> None:
        """There is one."""

    def get_current_stream(self, device: int | None = None) -> int:
        return 0

    def get_benchmarker(self) -> Callable[..., list[float]]:
        return lambda kernel_call, *, quantiles, **options: [0.0] * len(quantiles)


class _GpuTensorsOnCpu(TorchFunctionMode):
    """Turns requests for a GPU device into requests for the CPU."""

    def __torch_function__(
        self,
        func: Callable[..., Any],
        types: Any,
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        return func(
            *(_on_cpu(argument) for argument in args),
            **{name: _on_cpu(argument) for name, argument in (kwargs or {}).items()},
        )


def _on_cpu(argument: Any) -> Any:
    if isinstance(argument, torch.device) and argument.type in ("cuda", "hip"):
        return torch.device("cpu")
    if isinstance(argument, str) and argument.split(":")[0] in ("cuda", "hip"):
        return "cpu"
    return argument


@contextlib.contextmanager
def recording(target: GPUTarget) -> Iterator[list[FunctionSource]]:
    """The launches that happen inside, in order."""
    launches: list[FunctionSource] = []
    recorder = _Recorder(target, launches)
    previous = driver._active
    driver.set_active(_NoDevice(target))
    try:
        with (
            mock.patch.object(JITFunction, "run", recorder.run()),
            mock.patch.object(Autotuner, "run", _run_first_configuration),
            _GpuTensorsOnCpu(),
        ):
            yield launches
    finally:
        # Not reset_active(): that looks for a real device.
        driver._active = previous


class _Recorder:
    def __init__(self, target: GPUTarget, launches: list[FunctionSource]) -> None:
        self._backend = make_backend(target)
        self._launches = launches

    def run(self) -> Callable[..., None]:
        def run(
            function: JITFunction[Any], *args: Any, grid: Any, warmup: bool, **options: Any
        ) -> None:
            for hook in function.pre_run_hooks:
                hook(*args, **options)
            self._launches.append(self._source(function, args, grid, options))

        return run

    def _source(
        self, function: JITFunction[Any], args: tuple[Any, ...], grid: Any, options: dict[str, Any]
    ) -> FunctionSource:
        binder = create_function_from_signature(function.signature, function.params, self._backend)
        bound, specialization, launch_options = binder(*args, **options)
        _, signature, constants, attributes = function._pack_args(
            self._backend, options, bound, specialization, launch_options
        )
        return FunctionSource(
            function,
            signature,
            constants,
            attributes,
            {name: value for name, value in launch_options.items() if value is not None},
            _three(grid(bound) if callable(grid) else grid),
            _scalars(bound),
        )


def _three(grid: tuple[int, ...] | list[int]) -> Grid:
    x, y, z = (*(int(size) for size in grid), 1, 1)[:3]
    return x, y, z


def _scalars(bound: Mapping[str, Any]) -> dict[str, int | float | bool]:
    return {name: value for name, value in bound.items() if isinstance(value, int | float)}


def _run_first_configuration(tuner: Autotuner, *args: Any, **options: Any) -> Any:
    """Autotuning needs timings; the first configuration that pruning leaves stands for all."""
    tuner.nargs = dict(zip(tuner.arg_names, args, strict=False))
    configuration = tuner.prune_configs(options)[0]
    if configuration.pre_hook is not None:
        configuration.pre_hook({**tuner.nargs, **options, **configuration.all_kwargs()})
    return tuner.fn.run(*args, **options, **configuration.all_kwargs())
