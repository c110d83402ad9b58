"""Matrix products with a pointwise epilogue; optionally the depth is split over programs."""

from __future__ import annotations

from kevolve.synthesize.emit_pointwise import write_order
from kevolve.synthesize.graph import Kind
from kevolve.synthesize.kernel_text import Job, KernelText, TileKernel, Workspace, cdiv
from kevolve.synthesize.space import Access
from kevolve.synthesize.tile_code import Frame, Value, pointer


def emit_matmul(job: Job) -> list[KernelText]:
    if job.schedule.split == 1:
        return [_whole(job)]
    return [_partial(job), _join(job)]


def _whole(job: Job) -> KernelText:
    kernel = TileKernel(job)
    rows, cols = kernel.tiles_of_rows, kernel.tiles_of_cols
    count = kernel.outer_count * rows * cols
    with kernel.tiles(count, 1):
        tile = kernel.split_outer("tile", rows * cols)
        frame = _tile_frame(kernel, *write_order(kernel, tile, rows, cols))
        _accumulate(kernel, frame, "0", "DEPTH")
        _write_epilogue(kernel, frame)
    return kernel.finish(count)


def _partial(job: Job) -> KernelText:
    kernel = TileKernel(job)
    rows, cols, split = kernel.tiles_of_rows, kernel.tiles_of_cols, job.schedule.split
    count = rows * cols * split
    kernel.constants["SPLIT"] = split
    with kernel.tiles(count, 1):
        kernel.lines.add("part = tile % SPLIT")
        kernel.lines.add("block = tile // SPLIT")
        frame = _tile_frame(kernel, *write_order(kernel, "block", rows, cols))
        kernel.lines.add("first = part * (DEPTH // SPLIT)")
        _accumulate(kernel, frame, "first", "first + DEPTH // SPLIT")
        _store_partial(kernel, frame)
    title = f"Partial products: {split} programs share the depth of each tile."
    return kernel.finish(count, f"{job.name}_partial", title)


def _partial_name(kernel: TileKernel) -> str:
    return f"{product(kernel)}_partial"


def _store_partial(kernel: TileKernel, frame: Frame) -> None:
    name, space = _partial_name(kernel), kernel.space
    kernel.workspaces.append(Workspace(name, (kernel.schedule.split, space.rows, space.cols)))
    kernel.body.use(name)
    mask = frame.mask(True, True)
    guard = f", mask={mask}" if mask else ""
    place = "part * ROWS * COLS + rows[:, None] * COLS + cols[None, :]"
    kernel.lines.add(f"tl.store({pointer(name)} + {place}, acc{guard})")


def _join(job: Job) -> KernelText:
    kernel = TileKernel(job)
    rows, cols = kernel.tiles_of_rows, kernel.tiles_of_cols
    kernel.constants["SPLIT"] = job.schedule.split
    name = _partial_name(kernel)
    with kernel.tiles(rows * cols, 1):
        frame = _tile_frame(kernel, *write_order(kernel, "tile", rows, cols))
        kernel.lines.add("acc = tl.zeros((BLOCK_ROWS, BLOCK_COLS), tl.float32)")
        kernel.body.use(name)
        mask = frame.mask(True, True)
        guard = f", mask={mask}, other=0.0" if mask else ""
        stages = kernel.schedule.num_stages
        with kernel.lines.block(f"for part in tl.range(0, SPLIT, num_stages={stages}):"):
            place = "part * ROWS * COLS + rows[:, None] * COLS + cols[None, :]"
            kernel.lines.add(f"acc += tl.load({pointer(name)} + {place}{guard})")
        _write_epilogue(kernel, frame)
    return kernel.finish(
        rows * cols, f"{job.name}_join", f"Joins {job.schedule.split} partial products."
    )


def _tile_frame(kernel: TileKernel, tile_row: str, tile_col: str) -> Frame:
    """Writes the indices of a tile of the result."""
    space, schedule, lines = kernel.space, kernel.schedule, kernel.lines
    kernel.constants |= {
        "ROWS": space.rows,
        "COLS": space.cols,
        "DEPTH": space.depth,
        "BLOCK_ROWS": schedule.block_rows,
        "BLOCK_COLS": schedule.block_cols,
        "BLOCK_DEPTH": schedule.block_depth,
    }
    masks: list[str | None] = []
    for name, tile, size, block in (
        ("row", tile_row, space.rows, schedule.block_rows),
        ("col", tile_col, space.cols, schedule.block_cols),
    ):
        width = f"BLOCK_{name.upper()}S"
        origin = "" if tile == "0" else f"{tile} * {width} + "
        lines.add(f"{name}s = {origin}tl.arange(0, {width})")
        masks.append(f"{name}_mask" if size % block else None)
        if size % block:
            lines.add(f"{name}_mask = {name}s < {name.upper()}S")
    return Frame(True, "rows", "cols", masks[0], masks[1])


def _accumulate(kernel: TileKernel, frame: Frame, start: str, stop: str) -> None:
    lines, schedule = kernel.lines, kernel.schedule
    lines.add("acc = tl.zeros((BLOCK_ROWS, BLOCK_COLS), tl.float32)")
    header = (
        f"for start in tl.range({start}, {stop}, BLOCK_DEPTH, num_stages={schedule.num_stages}):"
    )
    with lines.block(header):
        lines.add("depth = start + tl.arange(0, BLOCK_DEPTH)")
        ragged = kernel.space.depth % schedule.block_depth != 0
        left = _operand(kernel, "lhs", frame, ragged)
        right = _operand(kernel, "rhs", frame, ragged)
        precision = ', input_precision="ieee"' if _kind(kernel) == "float32" else ""
        lines.add(f"acc = tl.dot({left}, {right}, acc{precision})")


def _kind(kernel: TileKernel) -> str:
    return kernel.space.loads["lhs"].dtype


def _operand(kernel: TileKernel, key: str, frame: Frame, ragged: bool) -> str:
    """Writes the load of one operand's tile; returns its variable."""
    access, left = kernel.space.loads[key], key == "lhs"
    kernel.body.use(access.buffer)
    place = _place(kernel, access, left)
    masks = []
    edge = frame.row_mask if left else frame.col_mask
    if edge:
        masks.append(f"{edge}[:, None]" if left else f"{edge}[None, :]")
    if ragged:
        masks.append("(depth < DEPTH)" + ("[None, :]" if left else "[:, None]"))
    guard = f", mask={' & '.join(masks)}, other=0.0" if masks else ""
    name = f"{'left' if left else 'right'}_tile"
    kernel.lines.add(f"{name} = tl.load({place}{guard})")
    return name


def _place(kernel: TileKernel, access: Access, left: bool) -> str:
    space = kernel.space
    axis = space.row_axis if left else space.col_axis
    terms = [pointer(access.buffer)]
    if access.offset:
        terms.append(str(access.offset))
    for outer, size in enumerate(space.outer):
        if size > 1 and access.strides[outer]:
            terms.append(f"outer{outer} * {access.strides[outer]}")
    along = "rows[:, None]" if left else "cols[None, :]"
    terms.append(_times(along, access.strides[axis], space.depth))
    depth = "depth[None, :]" if left else "depth[:, None]"
    terms.append(_times(depth, access.strides[-1], space.depth))
    return " + ".join(terms)


def _times(index: str, stride: int, depth: int) -> str:
    if stride == 1:
        return index
    return f"{index} * {'DEPTH' if stride == depth else stride}"


def product(kernel: TileKernel) -> str:
    """The name of the matrix product that the kernel computes."""
    graph = kernel.body.graph
    return next(name for name in kernel.space.nodes if graph[name].kind is Kind.MATMUL)


def _write_epilogue(kernel: TileKernel, frame: Frame) -> None:
    body, name = kernel.body, product(kernel)
    body.values = {name: Value("acc", "float32", True, True)}
    for node in kernel.space.nodes:
        body.value(node, frame)
    for access in kernel.space.stores:
        body.store(access, frame)


def depth_parts(depth: int, block_depth: int) -> int:
    """Tiles along the depth of the product."""
    return cdiv(depth, block_depth)
