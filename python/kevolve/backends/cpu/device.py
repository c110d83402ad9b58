"""The CPU as a device of this process: its threads, and what ran on them."""

from __future__ import annotations

import os
import platform
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kevolve.errors import CompileError

if TYPE_CHECKING:
    from kevolve.backends.cpu.launch import Launch

# By `platform.machine()`: the names that LLVM's triples have.
_ARCHITECTURES = {"x86_64": "x86_64", "AMD64": "x86_64", "aarch64": "aarch64", "arm64": "aarch64"}
# Longer histories are of no use to anyone: whoever wants launches takes them.
_KEPT_LAUNCHES = 10_000


@dataclass
class Device:
    """The threads that programs run on; they are made once and live as long as the process.

    Attributes:
        num_threads: how many a launch uses that does not say so itself.
    """

    num_threads: int
    _pools: dict[int, ThreadPoolExecutor] = field(default_factory=dict)
    _launches: list[Launch] = field(default_factory=list)

    def pool(self, num_threads: int) -> ThreadPoolExecutor:
        """Threads beside the calling one, `num_threads` in all."""
        if num_threads not in self._pools:
            self._pools[num_threads] = ThreadPoolExecutor(num_threads - 1, "kevolve-cpu")
        return self._pools[num_threads]

    def record(self, launch: Launch) -> None:
        self._launches.append(launch)
        del self._launches[:-_KEPT_LAUNCHES]

    def take_launches(self) -> list[Launch]:
        taken, self._launches = self._launches, []
        return taken


def num_cpus() -> int:
    """CPUs that this process may run on."""
    return len(os.sched_getaffinity(0))


def architecture() -> str:
    """LLVM's name of this machine's instruction set."""
    machine = platform.machine()
    if platform.system() != "Linux" or machine not in _ARCHITECTURES:
        raise CompileError(
            f"the cpu backend makes code for Linux on x86-64 and aarch64, not for "
            f"{platform.system()} on {machine}"
        )
    return _ARCHITECTURES[machine]


_current: Device | None = None


def _forget() -> None:
    """A forked process has the device's threads in its books, but not the threads."""
    global _current
    if _current is not None:
        _current = Device(_current.num_threads)


os.register_at_fork(after_in_child=_forget)


def current() -> Device:
    """The device that launches go to."""
    global _current
    if _current is None:
        _current = Device(num_cpus())
    return _current
