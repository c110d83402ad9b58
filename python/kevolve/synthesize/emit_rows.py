"""Row reductions that keep the whole row in local memory, and the choice between the forms."""

from __future__ import annotations

from kevolve.synthesize.emit_pointwise import hoist_columns
from kevolve.synthesize.emit_row_loops import emit_looped
from kevolve.synthesize.emit_row_split import emit_split
from kevolve.synthesize.graph import Kind
from kevolve.synthesize.kernel_text import Job, KernelText, TileKernel
from kevolve.synthesize.row_values import write_reduction
from kevolve.synthesize.tile_code import Frame


def emit_rows(job: Job) -> list[KernelText]:
    if job.schedule.split > 1:
        return emit_split(job)
    if job.schedule.reduction == "one-pass":
        return [_one_pass(TileKernel(job))]
    return [emit_looped(TileKernel(job))]


def _one_pass(kernel: TileKernel) -> KernelText:
    count = kernel.outer_count * kernel.tiles_of_rows
    col = kernel.col_index("0")
    if kernel.schedule.hoist:
        hoist_columns(kernel, kernel.frame(("row", None), col))
    with kernel.tiles(count, kernel.schedule.num_stages):
        tile = kernel.split_outer("tile", kernel.tiles_of_rows)
        row = kernel.row_index(tile)
        _write_row(kernel, kernel.frame(row, col))
    return kernel.finish(count)


def _write_row(kernel: TileKernel, frame: Frame) -> None:
    body = kernel.body
    for name in kernel.space.nodes:
        node = body.graph[name]
        if node.kind is Kind.REDUCTION:
            write_reduction(kernel, node, frame)
        else:
            body.value(name, frame)
    for access in kernel.space.stores:
        body.store(access, frame)
