"""The simulated device of this process: its chip, its launches, its mode."""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kevolve.backends.mtia import DEFAULT_CHIP
from kevolve.errors import LaunchError, UnknownTargetError

if TYPE_CHECKING:
    from kevolve.backends.mtia.launch import Launch

# Triton keeps compiled kernels per device number and asks for the target once per number. So a
# chip and a mode have a number of their own, far from those of the GPUs that may be there too.
_FIRST_NUMBER = 0x4D544941  # "MTIA"


@dataclass
class Device:
    """One chip of the simulator, and what ran on it.

    Attributes:
        chip: name of the chip.
        profiling: whether launches run a build with probes.
        elapsed_ns: simulated time of all launches so far.
    """

    chip: str
    profiling: bool = False
    elapsed_ns: float = 0.0
    _launches: list[Launch] = field(default_factory=list)

    @functools.cached_property
    def simulator(self) -> Any:
        """The `_mtia_sim.Device`; its caches stay warm from launch to launch."""
        from kevolve._native import _mtia_sim

        return _mtia_sim.Device(str(chip_file(self.chip)))

    @property
    def num_pes(self) -> int:
        """PEs of the chip."""
        return chip_parameter(self.chip, "pe.rows") * chip_parameter(self.chip, "pe.columns")

    @property
    def number(self) -> int:
        """What Triton calls this device in this mode."""
        return _FIRST_NUMBER + 2 * chips().index(self.chip) + int(self.profiling)

    def record(self, launch: Launch) -> None:
        self.elapsed_ns += launch.report.time_ns
        self._launches.append(launch)

    def take_launches(self) -> list[Launch]:
        taken, self._launches = self._launches, []
        return taken

    def reset(self) -> None:
        self.simulator.reset()


@functools.cache
def chips() -> tuple[str, ...]:
    """Names of the chips that the simulator has parameters for."""
    return tuple(sorted(path.stem for path in _chip_folder().glob("*.json")))


def chip_file(chip: str) -> Path:
    """The file of parameters of a chip."""
    if chip not in chips():
        raise UnknownTargetError(f"no MTIA chip {chip!r}; there are {', '.join(chips())}")
    return _chip_folder() / f"{chip}.json"


def chip_parameter(chip: str, name: str) -> int:
    """A whole-number parameter of a chip, by its name in the chip's file."""
    return int(_parameters(chip)[name]["value"])


@functools.cache
def _parameters(chip: str) -> dict[str, dict[str, Any]]:
    parsed: dict[str, dict[str, Any]] = json.loads(chip_file(chip).read_text())
    return parsed


def _chip_folder() -> Path:
    folder = Path(str(resources.files("kevolve"))) / "_data" / "chips"
    if not folder.is_dir():
        raise LaunchError(f"the simulator's chips are not installed: no folder {folder}")
    return folder


_current: Device | None = None


def current() -> Device:
    """The device that launches go to."""
    return _current or select(DEFAULT_CHIP)


def select(chip: str) -> Device:
    """Makes `chip` the current device; the same chip keeps its state."""
    global _current
    if _current is None or _current.chip != chip:
        chip_file(chip)
        _current = Device(chip)
    return _current
