"""Row reductions that several programs share: partial results, then a kernel that joins them."""

from __future__ import annotations

from kevolve.synthesize.emit_row_loops import RowLoops
from kevolve.synthesize.expressions import REDUCTIONS
from kevolve.synthesize.graph import Node
from kevolve.synthesize.kernel_text import Job, KernelText, TileKernel, Workspace
from kevolve.synthesize.row_values import Pair, define
from kevolve.synthesize.tile_code import ONE_ELEMENT, pointer


def emit_split(job: Job) -> list[KernelText]:
    return [_partial(job), _join(job)]


def _partial(job: Job) -> KernelText:
    kernel = TileKernel(job)
    rows, split = kernel.outer_count * kernel.space.rows, job.schedule.split
    count = rows * split
    with kernel.tiles(count, 1):
        loops = _part_loops(kernel)
        plain, pairs = loops.parts(0)
        loops.accumulate(plain, pairs, [], "first", "last")
        for name in partial_names(plain, pairs):
            kernel.workspaces.append(Workspace(f"{name}_partial", (rows, split)))
            kernel.body.use(f"{name}_partial")
            place = f"{pointer(f'{name}_partial')} + tile{ONE_ELEMENT}"
            kernel.lines.add(f"tl.store({place}, {name})")
    title = f"Partial reductions: {split} programs share each row."
    return kernel.finish(count, f"{job.name}_partial", title)


def partial_names(plain: list[Node], pairs: list[Pair]) -> list[str]:
    """The variables that a part of a row leaves behind."""
    names = [node.name for node in plain]
    for pair in pairs:
        names += [pair.first if pair.kind == "softmax" else f"{pair.first}_mean", pair.second]
    return names


def _part_loops(kernel: TileKernel) -> RowLoops:
    """Writes the row and the part of it that the program has."""
    kernel.constants |= {"SPLIT": kernel.schedule.split, "COLS": kernel.space.cols}
    kernel.lines.add("line = tile // SPLIT")
    kernel.lines.add("part = tile % SPLIT")
    kernel.lines.add("first = part * (COLS // SPLIT)")
    kernel.lines.add("last = first + COLS // SPLIT")
    row = kernel.row_index(kernel.split_outer("line", kernel.space.rows))
    return RowLoops(kernel, row)


def _join(job: Job) -> KernelText:
    kernel = TileKernel(job)
    rows, split = kernel.outer_count * kernel.space.rows, job.schedule.split
    writes_tiles = any(kernel.body.extent(access.name)[1] for access in job.space.stores)
    count = rows * split if writes_tiles else rows
    with kernel.tiles(count, 1):
        loops = _part_loops(kernel) if writes_tiles else _row_loops(kernel)
        _join_partials(kernel, *loops.parts(0))
        _write_results(kernel, loops, writes_tiles)
    return kernel.finish(count, f"{job.name}_join", f"Joins {split} partial reductions of a row.")


def _row_loops(kernel: TileKernel) -> RowLoops:
    kernel.constants["SPLIT"] = kernel.schedule.split
    kernel.lines.add("line = tile")
    return RowLoops(kernel, kernel.row_index(kernel.split_outer("line", kernel.space.rows)))


def _join_partials(kernel: TileKernel, plain: list[Node], pairs: list[Pair]) -> None:
    lines = kernel.lines
    lines.add("parts = line * SPLIT + tl.arange(0, SPLIT)")
    for name in partial_names(plain, pairs):
        kernel.body.use(f"{name}_partial")
        lines.add(f"{name}_parts = tl.load({pointer(f'{name}_partial')} + parts)")
    for node in plain:
        text = REDUCTIONS[node.function].reduce.format(f"{node.name}_parts", axis=0)
        lines.add(f"{node.name} = {text}")
        define(kernel, node)
    for pair in pairs:
        _join_pair(kernel, pair)


def _join_pair(kernel: TileKernel, pair: Pair) -> None:
    lines, first, second = kernel.lines, pair.first, pair.second
    if pair.kind == "softmax":
        lines.add(f"{first} = tl.max({first}_parts, axis=0)")
        lines.add(f"weights = tl.exp({first}_parts - {first})")
        lines.add(f"{second} = tl.sum({second}_parts * weights, axis=0)")
    else:
        mean = f"{first}_mean"
        lines.add(f"{mean} = tl.sum({mean}_parts, axis=0) / SPLIT")
        lines.add(f"distance = {mean}_parts - {mean}")
        lines.add("between = tl.sum(distance * distance, axis=0) * (COLS // SPLIT)")
        lines.add(f"{second} = tl.sum({second}_parts, axis=0) + between")
        kernel.constants["COLS"] = kernel.space.cols
        lines.add(f"{first} = {mean} * COLS")
    for name in (first, second):
        define(kernel, kernel.body.graph[name])


def _write_results(kernel: TileKernel, loops: RowLoops, writes_tiles: bool) -> None:
    if not writes_tiles:
        loops.write_row_stores()
        return
    stores = loops.tile_stores()
    loops.write_rows_for([access.name for access in stores])
    if len(stores) < len(kernel.space.stores):
        kept = dict(kernel.body.values)
        with kernel.lines.block("if part == 0:"):
            loops.write_row_stores()
        kernel.body.values = kept
    loops.loop("first", "last", lambda frame: loops.store_all(stores, frame))
