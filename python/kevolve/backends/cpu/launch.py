"""One launch: arguments into slots, programs onto threads."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from kevolve.backends.cpu import device
from kevolve.backends.cpu.loading import RunPrograms
from kevolve.backends.slots import Slots


@dataclass(frozen=True)
class Launch:
    """What one launch did.

    Attributes:
        kernel: name of the kernel.
        grid: programs in x, y and z.
        num_threads: threads that ran them.
        time_ns: wall-clock time from the first program's start to the last one's end.
    """

    kernel: str
    grid: tuple[int, int, int]
    num_threads: int
    time_ns: int


class Launcher:
    """Triton's launcher class: made once per compiled kernel, called once per launch."""

    def __init__(self, source: Any, metadata: Any) -> None:
        self.slots = Slots(source.signature.values(), "cpu")
        self.metadata = metadata

    def __call__(
        self,
        grid_x: int,
        grid_y: int,
        grid_z: int,
        stream: object,
        function: RunPrograms,
        packed_metadata: object,
        launch_metadata: Any,
        enter_hook: Any,
        exit_hook: Any,
        *arguments: Any,
    ) -> None:
        grid = (int(grid_x), int(grid_y), int(grid_z))
        if enter_hook is not None:
            enter_hook(launch_metadata)
        if min(grid) > 0:
            device.current().record(self._launch(function, grid, arguments))
        if exit_hook is not None:
            exit_hook(launch_metadata)

    def _launch(
        self, function: RunPrograms, grid: tuple[int, int, int], arguments: Sequence[Any]
    ) -> Launch:
        values = self.slots.pack(arguments)
        block = (ctypes.c_uint64 * max(len(values), 1))(*values)
        programs = grid[0] * grid[1] * grid[2]
        num_threads = min(self.metadata.num_threads or device.current().num_threads, programs)
        begin_ns = time.perf_counter_ns()
        _run(function, ctypes.addressof(block), grid, num_threads)
        end_ns = time.perf_counter_ns()
        return Launch(self.metadata.name, grid, num_threads, end_ns - begin_ns)


def _run(function: RunPrograms, block: int, grid: tuple[int, int, int], num_threads: int) -> None:
    """The calling thread takes the first part of the programs; it returns when all have ended."""
    first, *others = parts(grid[0] * grid[1] * grid[2], num_threads)
    if not others:
        function(block, *first, *grid)
        return
    pool = device.current().pool(num_threads)
    running = [pool.submit(function, block, *part, *grid) for part in others]
    function(block, *first, *grid)
    for one in running:
        one.result()


def parts(programs: int, num_parts: int) -> Iterator[tuple[int, int]]:
    """Numbers of the first program and of the one after the last, of parts of nearly equal size."""
    for part in range(num_parts):
        yield programs * part // num_parts, programs * (part + 1) // num_parts
