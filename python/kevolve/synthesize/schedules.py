"""The default configuration of a kernel, and how much local memory a schedule needs."""

from __future__ import annotations

from kevolve.synthesize.kernel_text import cdiv, next_power_of_two
from kevolve.synthesize.limits import Limits
from kevolve.synthesize.plan import Schedule
from kevolve.synthesize.space import Access, Space

BYTES = {"bool": 1, "int8": 1, "uint8": 1, "int16": 2, "float16": 2, "bfloat16": 2}
BYTES |= {"int32": 4, "float32": 4, "int64": 8, "float64": 8}
SMALLEST_BLOCK = 256
# tl.dot wants at least 16 along every axis on every GPU target.
SMALLEST_DOT = 16
# The second kernel reads this many partial results a row at most; so do the rewrites.
_MOST_SPLIT = 16


def default_schedule(space: Space, limits: Limits) -> Schedule:
    """What every kernel starts with, in the baseline as in the seed."""
    match space.template:
        case "pointwise":
            return _pointwise(space, limits)
        case "rows":
            return _rows(space, limits)
        case _:
            return _matmul(space, limits)


def _pointwise(space: Space, limits: Limits) -> Schedule:
    """Tiles of the default size, smaller where that leaves processors without work."""
    elements = limits.block_elements
    total = space.rows * space.cols
    for size in space.outer:
        total *= size
    while elements > SMALLEST_BLOCK and total // elements < limits.processors:
        elements //= 2
    block_cols = min(next_power_of_two(space.cols), elements)
    block_rows = min(next_power_of_two(space.rows), max(1, elements // block_cols))
    return Schedule("pointwise", block_rows, block_cols)


def _rows(space: Space, limits: Limits) -> Schedule:
    if space.cols > limits.row_elements:
        split = _row_split(space, limits)
        block = min(limits.block_elements, space.cols // split)
        return Schedule("rows", 1, block, reduction="multi-pass", split=split)
    block_cols = next_power_of_two(space.cols)
    block_rows = max(1, limits.block_elements // block_cols)
    rows = space.rows
    while block_rows > 1 and (block_rows > rows or cdiv(rows, block_rows) < limits.processors):
        block_rows //= 2
    return Schedule("rows", block_rows, block_cols)


def _row_split(space: Space, limits: Limits) -> int:
    """Programs that share a long row when there are too few rows to give every processor one.

    As eager PyTorch's own reductions do. Only for results of one number a row: a kernel that also
    writes whole rows would have to read them again.
    """
    if any(access.strides[space.col_axis] for access in space.stores):
        return 1
    rows = space.rows
    for size in space.outer:
        rows *= size
    split = 1
    while (
        split < _MOST_SPLIT and rows * split < limits.processors and space.cols % (2 * split) == 0
    ):
        split *= 2
    return split


def _matmul(space: Space, limits: Limits) -> Schedule:
    sizes = (space.rows, space.cols, space.depth)
    rows, cols, depth = (
        max(SMALLEST_DOT, min(block, next_power_of_two(size)))
        for block, size in zip(limits.matrix_block, sizes, strict=True)
    )
    return Schedule("matmul", rows, cols, depth)


def local_bytes(space: Space, schedule: Schedule) -> int:
    """An upper estimate of the fast memory that one program of the kernel fills."""
    if space.template == "matmul":
        return _matmul_bytes(space, schedule)
    tile = schedule.block_rows * schedule.block_cols
    depth = max(schedule.cb_multiplier, 1)
    moved = sum(_tile_bytes(space, a, schedule) for a in (*space.loads.values(), *space.stores))
    # Values that live across a reduction, and its tile of accumulators, are kept in float32.
    kept = 0 if space.template == "pointwise" else 2
    return moved * depth + kept * 4 * tile


def _tile_bytes(space: Space, access: Access, schedule: Schedule) -> int:
    span = space.spans[access.name]
    rows = schedule.block_rows if space.row_axis in span else 1
    cols = schedule.block_cols if space.col_axis in span else 1
    return rows * cols * BYTES[access.dtype]


def _matmul_bytes(space: Space, schedule: Schedule) -> int:
    rows, cols, depth = schedule.block_rows, schedule.block_cols, schedule.block_depth
    operands = (rows + cols) * depth * BYTES[space.loads["lhs"].dtype]
    rest = [a for key, a in space.loads.items() if key not in ("lhs", "rhs")]
    epilogue = sum(_tile_bytes(space, a, schedule) for a in (*rest, *space.stores))
    buffers = max(schedule.cb_multiplier, schedule.num_stages)
    return operands * buffers + rows * cols * 4 * 2 + epilogue
