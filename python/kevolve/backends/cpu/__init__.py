"""This machine's CPU as a target of Triton: `kernel[grid](...)` on CPU tensors runs here.

    from kevolve.backends import cpu

    cpu.activate()               # never the default: a GPU or the simulator comes first
    kernel[grid](x, y, n)
    for launch in cpu.take_launches():
        print(launch.kernel, launch.time_ns)

The programs of a grid run on threads, each thread a contiguous part of them in order. So a program
that waits for another one may wait forever, as on a GPU with fewer SMs than programs.

`import triton` imports this package, so nothing here imports Triton or MLIR until a function is
called.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kevolve.backends.cpu.launch import Launch


def activate(num_threads: int | None = None) -> None:
    """Makes the CPU the device of this process's Triton kernels.

    `num_threads` is how many threads a launch uses that does not say so itself; without it, one
    per CPU that this process may run on.
    """
    # First: it imports our drivers, and needs them whole.
    import triton  # noqa: F401

    from kevolve.backends.cpu import driver

    driver.activate(num_threads)


def take_launches() -> list[Launch]:
    """The launches since the last call, in order; they are forgotten here."""
    from kevolve.backends.cpu import device

    return device.current().take_launches()
