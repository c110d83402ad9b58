"""What every emitted kernel is made of: text, arguments, grid, buffers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from kevolve.synthesize.graph import Graph
from kevolve.synthesize.plan import Schedule
from kevolve.synthesize.space import Space
from kevolve.synthesize.tile_code import Body, Frame, Lines, pointer


@dataclass(frozen=True)
class Workspace:
    """A buffer that only lives between two kernels of one group."""

    name: str
    shape: tuple[int, ...]


@dataclass(frozen=True)
class KernelText:
    """One `@triton.jit` function and how it is launched.

    Attributes:
        buffers: the tensors it takes, in order.
        constants: its constexpr arguments.
        programs: size of its grid.
        workspaces: scratch buffers that must exist before it is launched.
        helpers: names of helper functions it calls.
    """

    name: str
    text: str
    buffers: tuple[str, ...]
    constants: dict[str, int]
    programs: int
    schedule: Schedule
    workspaces: tuple[Workspace, ...] = ()
    helpers: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Job:
    """What an emitter is given."""

    graph: Graph
    space: Space
    schedule: Schedule
    source: list[str]
    name: str
    title: str


def cdiv(size: int, block: int) -> int:
    return -(-size // block)


def next_power_of_two(size: int) -> int:
    return 1 << max(size - 1, 0).bit_length()


class TileKernel:
    """A kernel body under construction, with its constants."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.space = job.space
        self.schedule = job.schedule
        self.lines = Lines()
        self.body = Body(job.graph, job.space, job.source, self.lines)
        self.constants: dict[str, int] = {}
        self.helpers: set[str] = set()
        self.workspaces: list[Workspace] = []

    @property
    def tiles_of_rows(self) -> int:
        return cdiv(self.space.rows, self.schedule.block_rows)

    @property
    def tiles_of_cols(self) -> int:
        return cdiv(self.space.cols, self.schedule.block_cols)

    @property
    def outer_count(self) -> int:
        count = 1
        for size in self.space.outer:
            count *= size
        return count

    @contextmanager
    def tiles(self, count: int, stages: int) -> Iterator[None]:
        """The code of one tile: once per program, or in a loop over the tiles of a program."""
        programs = self.programs(count)
        if programs == count:
            self.lines.add("tile = tl.program_id(0)")
            yield
            return
        self.constants["TILES"] = count
        header = "for tile in tl.range(tl.program_id(0), TILES, tl.num_programs(0)"
        with self.lines.block(f"{header}, num_stages={stages}):"):
            yield

    def programs(self, count: int) -> int:
        """Programs that are launched for `count` tiles."""
        return min(count, self.schedule.programs) if self.schedule.programs else count

    def split_outer(self, tile: str, inner: int) -> str:
        """Writes the indices of the outer axes; returns the name of what is left of `tile`."""
        if self.outer_count == 1:
            return tile
        self.lines.add(f"outer = {tile} // {inner}" if inner > 1 else f"outer = {tile}")
        rest = [(axis, size) for axis, size in enumerate(self.space.outer) if size > 1]
        step = self.outer_count
        for position, (axis, size) in enumerate(rest):
            step //= size
            index = f"outer // {step}" if step > 1 else "outer"
            self.lines.add(f"outer{axis} = {index}" + (f" % {size}" if position else ""))
        if inner == 1:
            return "0"
        self.lines.add(f"inner = {tile} % {inner}")
        return "inner"

    def row_index(self, tile: str) -> tuple[str, str | None]:
        """Writes the row indices of tile number `tile`; returns their name and mask."""
        rows, block = self.space.rows, self.schedule.block_rows
        if rows == 1:
            return "0", None
        self.constants["ROWS"] = rows
        if block == 1:
            if tile != "row":
                self.lines.add(f"row = {tile}")
            return "row", None
        self.constants["BLOCK_ROWS"] = block
        self.lines.add(f"rows = {tile} * BLOCK_ROWS + tl.arange(0, BLOCK_ROWS)")
        if rows % block == 0:
            return "rows", None
        self.lines.add("row_mask = rows < ROWS")
        return "rows", "row_mask"

    def col_index(self, start: str) -> tuple[str, str | None]:
        """Writes the column indices from `start` on; returns their name and mask."""
        cols, block = self.space.cols, self.schedule.block_cols
        self.constants["COLS"] = cols
        self.constants["BLOCK_COLS"] = block
        origin = "" if start == "0" else f"{start} + "
        self.lines.add(f"cols = {origin}tl.arange(0, BLOCK_COLS)")
        if cols % block == 0:
            return "cols", None
        self.lines.add("col_mask = cols < COLS")
        return "cols", "col_mask"

    def frame(self, row: tuple[str, str | None], col: tuple[str, str | None]) -> Frame:
        two = self.schedule.block_rows > 1 and self.space.rows > 1
        return Frame(two, row[0], col[0], row[1], col[1])

    def finish(self, count: int, name: str | None = None, title: str | None = None) -> KernelText:
        """The function with everything that was written."""
        buffers = self.body.used_buffers
        constants = {key: value for key, value in self.constants.items() if self._mentions(key)}
        heading = function_heading(
            name or self.job.name, [pointer(b) for b in buffers], list(constants)
        )
        doc = f'    """{title or self.job.title}"""'
        text = "\n".join(["@triton.jit", *heading, doc, *self.lines.lines])
        return KernelText(
            name or self.job.name,
            text,
            tuple(buffers),
            constants,
            self.programs(count),
            self.schedule,
            tuple(self.workspaces),
            frozenset(self.helpers),
        )

    def _mentions(self, constant: str) -> bool:
        words = "\n".join(self.lines.lines)
        return re.search(rf"\b{constant}\b", words) is not None


def function_heading(name: str, pointers: list[str], constants: list[str]) -> list[str]:
    """A function's `def` line, or one argument per line where it would be too long."""
    arguments = [*pointers, *(f"{constant}: tl.constexpr" for constant in constants)]
    line = f"def {name}({', '.join(arguments)}):"
    if len(line) <= 100:
        return [line]
    return [f"def {name}(", *(f"    {argument}," for argument in arguments), "):"]
