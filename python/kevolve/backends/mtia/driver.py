"""What Triton asks of a driver, answered for the simulated device.

`import triton` imports this module, so it stays light: no torch, no MLIR, no simulator.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from triton.backends.compiler import GPUTarget

from kevolve.backends.host_driver import HostDriver, HostInterface
from kevolve.backends.mtia import device
from kevolve.backends.mtia.compiler import PROBED_SUFFIX

# In this order Triton's own drivers would win; ours is the default only without them.
_GPU_BACKENDS = ("nvidia", "amd")
# A PE runs one program at a time, and Triton compares this with num_warps * warp_size.
_MAX_THREADS = 1 << 20


class MtiaUtils:
    """Triton's `driver.utils`: properties, and binaries that need no loading."""

    @staticmethod
    def get_device_properties(number: int) -> dict[str, int]:
        return {
            "max_shared_mem": 1 << 30,
            "multiprocessor_count": device.current().num_pes,
            "max_num_regs": 32,
            "warpSize": 1,
        }

    @staticmethod
    def load_binary(
        name: str, binary: bytes, shared: int, number: int
    ) -> tuple[bytes, bytes, int, int, int]:
        """(module, function, registers, spills, most threads): the ELF is both of the first."""
        return binary, binary, 0, 0, _MAX_THREADS

    @staticmethod
    def unload_module(module: bytes) -> None:
        """Nothing was loaded."""


class MtiaEvent:
    """An event of `triton.testing.do_bench`: simulated time, in place of a GPU's."""

    def __init__(self, enable_timing: bool = False) -> None:
        self.time_ms = 0.0

    def record(self, stream: object = None) -> None:
        self.time_ms = device.current().elapsed_ns / 1e6

    def synchronize(self) -> None:
        """Launches are synchronous."""

    def elapsed_time(self, end: MtiaEvent) -> float:
        """Milliseconds from this event to `end`."""
        return end.time_ms - self.time_ms


class MtiaInterface(HostInterface):
    """One device, and events that time it."""

    Event = MtiaEvent

    @staticmethod
    def current_device() -> int:
        return device.current().number


class MtiaDriver(HostDriver):
    """CPU tensors in, simulator below."""

    def __init__(self) -> None:
        self.utils = MtiaUtils()

    @property
    def launcher_cls(self) -> type[Any]:
        from kevolve.backends.mtia.launch import Launcher

        return Launcher

    @staticmethod
    def is_active() -> bool:
        from triton.backends import backends

        return not any(
            backends[name].driver.is_active() for name in _GPU_BACKENDS if name in backends
        )

    def get_current_target(self) -> GPUTarget:
        chosen = device.current()
        suffix = PROBED_SUFFIX if chosen.profiling else ""
        return GPUTarget("mtia", chosen.chip + suffix, 1)

    def get_current_device(self) -> int:
        return device.current().number

    def get_device_interface(self) -> type[MtiaInterface]:
        return MtiaInterface

    def get_benchmarker(self) -> Callable[..., float | Sequence[float]]:
        return simulated_bench

    def get_empty_cache_for_benchmark(self) -> Any:
        import torch

        return torch.empty(0, dtype=torch.int8)

    def clear_cache(self, cache: Any) -> None:
        device.current().reset()


def simulated_bench(
    kernel_call: Callable[[], object], *, quantiles: list[float] | None = None, **_: object
) -> float | list[float]:
    """Milliseconds of simulated time of one cold run. It is exact: all quantiles are equal."""
    chosen = device.current()
    chosen.reset()
    before_ns = chosen.elapsed_ns
    kernel_call()
    time_ms = (chosen.elapsed_ns - before_ns) / 1e6
    return [time_ms] * len(quantiles) if quantiles else time_ms


def activate(chip: str) -> None:
    """Makes the simulator the device of this process's Triton kernels."""
    from triton.runtime import driver

    device.select(chip)
    if not isinstance(driver._active, MtiaDriver):
        driver.set_active(MtiaDriver())
