"""Whether a schedule can run: capacities, powers of two, and what each template supports."""

from __future__ import annotations

from kevolve.synthesize.graph import Graph
from kevolve.synthesize.kernel_text import cdiv, next_power_of_two
from kevolve.synthesize.limits import Limits
from kevolve.synthesize.plan import KernelPlan, Schedule
from kevolve.synthesize.row_values import find_pairs, passes_of
from kevolve.synthesize.schedules import SMALLEST_DOT, local_bytes
from kevolve.synthesize.space import Space, space_of

# Triton refuses larger tensors (TRITON_MAX_TENSOR_NUMEL).
MOST_TILE_ELEMENTS = 1 << 20
SPLITTABLE = ("sum", "amax", "amin")


def objection(graph: Graph, kernel: KernelPlan, limits: Limits) -> str:
    """Why the kernel cannot run as scheduled; empty when it can."""
    space, schedule = space_of(graph, kernel.nodes), kernel.schedule
    if space.template != schedule.template:
        return f"the nodes make a {space.template} kernel, not {schedule.template}"
    blocks = (schedule.block_rows, schedule.block_cols, schedule.block_depth, schedule.split)
    if any(block < 1 or block & (block - 1) for block in blocks):
        return "blocks and splits are powers of two"
    if schedule.block_rows * schedule.block_cols > MOST_TILE_ELEMENTS:
        return f"a tile has at most {MOST_TILE_ELEMENTS} elements"
    needed = local_bytes(space, schedule)
    if needed > limits.local_bytes:
        return f"tiles of {needed} B in {limits.local_bytes} B of local memory"
    return _extent_objection(space, schedule) or _template_objection(graph, space, schedule)


def _extent_objection(space: Space, schedule: Schedule) -> str:
    smallest = SMALLEST_DOT if space.template == "matmul" else 1
    if schedule.block_rows > max(smallest, next_power_of_two(space.rows)):
        return "a tile is taller than the result"
    if schedule.block_cols > max(smallest, next_power_of_two(space.cols)):
        return "a tile is wider than the result"
    if schedule.programs and schedule.programs >= tile_count(space, schedule):
        return "a persistent grid needs more tiles than programs"
    return ""


def _template_objection(graph: Graph, space: Space, schedule: Schedule) -> str:
    if space.template == "rows":
        return _row_objection(graph, space, schedule)
    if space.template == "matmul":
        return _matmul_objection(space, schedule)
    return "" if schedule.split == 1 else "only reductions are split"


def _row_objection(graph: Graph, space: Space, schedule: Schedule) -> str:
    if schedule.reduction == "one-pass" and schedule.block_cols < space.cols:
        return "one pass needs the whole row in a tile"
    if schedule.split == 1:
        return ""
    if schedule.reduction == "one-pass" or schedule.block_rows != 1:
        return "a split reduction runs in passes over one row"
    if space.cols % (schedule.split * schedule.block_cols):
        return "the parts of a split row are whole blocks"
    return _split_objection(graph, space, schedule)


def _split_objection(graph: Graph, space: Space, schedule: Schedule) -> str:
    pairs = find_pairs(graph, space) if schedule.reduction == "online" else []
    if passes_of(graph, space, pairs).count != 1:
        return "reductions that wait for each other are not split"
    functions = {graph[name].function for name in passes_of(graph, space, pairs).pass_of}
    return "" if functions <= set(SPLITTABLE) else "this reduction is not split"


def _matmul_objection(space: Space, schedule: Schedule) -> str:
    if min(schedule.block_rows, schedule.block_cols, schedule.block_depth) < SMALLEST_DOT:
        return f"tl.dot needs at least {SMALLEST_DOT} along each axis"
    if schedule.block_depth > max(SMALLEST_DOT, next_power_of_two(space.depth)):
        return "a tile is deeper than the product"
    if schedule.split == 1:
        return ""
    if any(size > 1 for size in space.outer):
        return "batched products are not split"
    whole = space.depth % (schedule.split * schedule.block_depth) == 0
    return "" if whole else "the parts of a split depth are whole blocks"


def tile_count(space: Space, schedule: Schedule) -> int:
    """Tiles of the kernel that does the work."""
    count = 1
    for size in space.outer:
        count *= size
    count *= cdiv(space.rows, schedule.block_rows)
    if space.template != "rows":
        count *= cdiv(space.cols, schedule.block_cols)
    return count * schedule.split
