"""MTIA as a target of Triton: `kernel[grid](...)` on CPU tensors runs on the simulator.

    from kevolve.backends import mtia

    mtia.activate()              # where no GPU driver is active, this is the default already
    kernel[grid](x, y, n)
    for launch in mtia.take_launches():
        print(launch.kernel, launch.report.cycles)

`import triton` imports this package, so nothing here imports Triton, MLIR or the simulator until a
function is called.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kevolve.backends.mtia.launch import Launch

DEFAULT_CHIP = "mtia-2i"


def activate(chip: str = DEFAULT_CHIP) -> None:
    """Makes `chip` the device that Triton kernels of this process run on."""
    # First: it imports our drivers, and needs them whole.
    import triton  # noqa: F401

    from kevolve.backends.mtia import driver

    driver.activate(chip)


def take_launches() -> list[Launch]:
    """The launches since the last call, in order; they are forgotten here."""
    from kevolve.backends.mtia import device

    return device.current().take_launches()


def reset_device() -> None:
    """Empties the caches of the device: the next launch starts cold."""
    from kevolve.backends.mtia import device

    device.current().reset()


def enable_profiling(enabled: bool = True) -> None:
    """Launches from now on run a build with probes, and keep their records."""
    from kevolve.backends.mtia import device

    device.current().profiling = enabled
