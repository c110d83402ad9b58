"""Pointwise kernels: flat, or over tiles of rows and columns."""

from __future__ import annotations

from kevolve.synthesize.kernel_text import Job, KernelText, TileKernel, cdiv
from kevolve.synthesize.tile_code import Frame


def emit_pointwise(job: Job) -> list[KernelText]:
    kernel = TileKernel(job)
    return [_flat(kernel) if job.space.flat else _tiled(kernel)]


def _flat(kernel: TileKernel) -> KernelText:
    size, block = kernel.space.cols, kernel.schedule.block_cols
    count = cdiv(size, block)
    kernel.constants |= {"SIZE": size, "BLOCK": block}
    with kernel.tiles(count, kernel.schedule.num_stages):
        kernel.lines.add("offsets = tile * BLOCK + tl.arange(0, BLOCK)")
        mask = None
        if size % block:
            mask = "mask"
            kernel.lines.add("mask = offsets < SIZE")
        write_values(kernel, Frame(False, "0", "offsets", None, mask))
    return kernel.finish(count)


def _tiled(kernel: TileKernel) -> KernelText:
    rows, cols = kernel.tiles_of_rows, kernel.tiles_of_cols
    count = kernel.outer_count * rows * cols
    hoist = kernel.schedule.hoist and cols == 1
    col = kernel.col_index("0") if hoist else None
    if col is not None:
        hoist_columns(kernel, kernel.frame(("row", None), col))
    with kernel.tiles(count, kernel.schedule.num_stages):
        tile = kernel.split_outer("tile", rows * cols)
        tile_row, tile_col = write_order(kernel, tile, rows, cols)
        row = kernel.row_index(tile_row)
        if col is None:
            start = "0" if cols == 1 else f"{tile_col} * BLOCK_COLS"
            here = kernel.col_index(start)
        else:
            here = col
        write_values(kernel, kernel.frame(row, here))
    return kernel.finish(count)


def write_order(kernel: TileKernel, tile: str, rows: int, cols: int) -> tuple[str, str]:
    """Writes which tile row and column tile number `tile` is; returns their names."""
    if cols == 1:
        return tile, "0"
    if rows == 1:
        return "0", tile
    lines, order = kernel.lines, kernel.schedule.order
    if order == "rows":
        lines.add(f"tile_row = {tile} // {cols}")
        lines.add(f"tile_col = {tile} % {cols}")
    elif order == "cols":
        lines.add(f"tile_row = {tile} % {rows}")
        lines.add(f"tile_col = {tile} // {rows}")
    else:
        _grouped(kernel, tile, rows, cols)
    return "tile_row", "tile_col"


def _grouped(kernel: TileKernel, tile: str, rows: int, cols: int) -> None:
    """Groups of GROUP tile rows, walked column by column, so that operands stay in the cache."""
    lines = kernel.lines
    kernel.constants["GROUP"] = kernel.schedule.group
    lines.add(f"first_row = {tile} // (GROUP * {cols}) * GROUP")
    lines.add(f"group_rows = min({rows} - first_row, GROUP)")
    lines.add(f"tile_row = first_row + {tile} % (GROUP * {cols}) % group_rows")
    lines.add(f"tile_col = {tile} % (GROUP * {cols}) // group_rows")


def hoist_columns(kernel: TileKernel, frame: Frame) -> None:
    """Values that run along columns only are made once, before the loop over tiles."""
    space, body = kernel.space, kernel.body
    for name, access in space.loads.items():
        along_outer = any(access.strides[axis] for axis in range(len(space.outer)))
        if body.extent(name) == (False, True) and not along_outer:
            body.value(name, frame)


def write_values(kernel: TileKernel, frame: Frame) -> None:
    """Computes and stores everything that the kernel stores."""
    outer = dict(kernel.body.values)
    for name in kernel.space.nodes:
        kernel.body.value(name, frame)
    for access in kernel.space.stores:
        kernel.body.store(access, frame)
    kernel.body.values = outer
