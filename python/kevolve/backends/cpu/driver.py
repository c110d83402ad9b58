"""What Triton asks of a driver, answered for this machine's CPU.

`import triton` imports this module, so it stays light: no torch, no MLIR.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from triton.backends.compiler import GPUTarget

from kevolve.backends.cpu import device
from kevolve.backends.host_driver import HostDriver, HostInterface
from kevolve.errors import LaunchError

# Triton keeps compiled kernels per device number: far from those of the GPUs that may be there too.
_NUMBER = 0x48435055  # "HCPU"
# A thread runs one program at a time, and Triton compares this with num_warps * warp_size.
_MAX_THREADS = 1 << 20
# Larger than the last-level caches of CPUs that kernels are timed on.
_CACHE_BYTES = 512 << 20


class CpuUtils:
    """Triton's `driver.utils`."""

    @staticmethod
    def get_device_properties(number: int) -> dict[str, int]:
        return {
            "max_shared_mem": 1 << 30,
            "multiprocessor_count": device.current().num_threads,
            "max_num_regs": 32,
            "warpSize": 1,
        }

    @staticmethod
    def load_binary(
        name: str, binary: bytes, shared: int, number: int
    ) -> tuple[bytes, Any, int, int, int]:
        """(module, function, registers, spills, most threads)."""
        from kevolve.backends.cpu.loading import load

        return binary, load(name, binary), 0, 0, _MAX_THREADS

    @staticmethod
    def unload_module(module: bytes) -> None:
        """Libraries stay: code of theirs may be running."""


class CpuEvent:
    """An event of `triton.testing.do_bench`: wall-clock time, in place of a GPU's."""

    def __init__(self, enable_timing: bool = False) -> None:
        self.time_ns = 0

    def record(self, stream: object = None) -> None:
        self.time_ns = time.perf_counter_ns()

    def synchronize(self) -> None:
        """Launches are synchronous."""

    def elapsed_time(self, end: CpuEvent) -> float:
        """Milliseconds from this event to `end`."""
        return (end.time_ns - self.time_ns) / 1e6


class CpuInterface(HostInterface):
    """One device, and events that time it."""

    Event = CpuEvent

    @staticmethod
    def current_device() -> int:
        return _NUMBER


class CpuDriver(HostDriver):
    """CPU tensors in, native code below."""

    def __init__(self) -> None:
        self.utils = CpuUtils()

    @property
    def launcher_cls(self) -> type[Any]:
        from kevolve.backends.cpu.launch import Launcher

        return Launcher

    @staticmethod
    def is_active() -> bool:
        """Never by itself: only `activate` chooses the CPU."""
        return False

    def get_current_target(self) -> GPUTarget:
        return GPUTarget("cpu", "native", 1)

    def get_current_device(self) -> int:
        return _NUMBER

    def get_device_interface(self) -> type[CpuInterface]:
        return CpuInterface

    def get_benchmarker(self) -> Callable[..., float | Sequence[float]]:
        from triton.testing import do_bench

        bench: Callable[..., float | Sequence[float]] = do_bench
        return bench

    def get_empty_cache_for_benchmark(self) -> Any:
        import torch

        return torch.empty(_CACHE_BYTES, dtype=torch.int8)

    def clear_cache(self, cache: Any) -> None:
        cache.zero_()


def activate(num_threads: int | None = None) -> None:
    """Makes the CPU the device of this process's Triton kernels."""
    from triton.runtime import driver

    if num_threads is not None and num_threads < 1:
        raise LaunchError(f"num_threads must be at least 1, got {num_threads}")
    device.current().num_threads = num_threads or device.num_cpus()
    if not isinstance(driver._active, CpuDriver):
        driver.set_active(CpuDriver())
