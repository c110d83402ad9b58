"""Row reductions in passes over the row: one per dependent reduction, or online in fewer."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from kevolve.synthesize.expressions import LOWEST, REDUCTIONS, identity
from kevolve.synthesize.graph import Graph, Node
from kevolve.synthesize.kernel_text import KernelText, TileKernel
from kevolve.synthesize.lowering import wide
from kevolve.synthesize.row_values import (
    Pair,
    Passes,
    define,
    find_pairs,
    operand_text,
    passes_of,
    reduced,
    reduced_type,
)
from kevolve.synthesize.space import Access
from kevolve.synthesize.tile_code import Frame

Step = Callable[[Frame], None]


def emit_looped(kernel: TileKernel) -> KernelText:
    count = kernel.outer_count * kernel.tiles_of_rows
    with kernel.tiles(count, 1):
        tile = kernel.split_outer("tile", kernel.tiles_of_rows)
        row = kernel.row_index(tile)
        RowLoops(kernel, row).write_all("0", "COLS")
    return kernel.finish(count)


class RowLoops:
    """The passes of one row tile over the columns from `start` to `stop`."""

    def __init__(self, kernel: TileKernel, row: tuple[str, str | None]) -> None:
        self.kernel = kernel
        self.body = kernel.body
        self.graph: Graph = kernel.body.graph
        self.row = row
        online = kernel.schedule.reduction == "online"
        self.pairs: list[Pair] = find_pairs(self.graph, kernel.space) if online else []
        self.passes: Passes = passes_of(self.graph, kernel.space, self.pairs)
        self.row_frame = kernel.frame(row, ("cols", None))

    def write_all(self, start: str, stop: str) -> None:
        stores = self.tile_stores()
        for number in range(self.passes.count):
            here = [a for a in stores if self.passes.level[a.name] == number]
            self.write_pass(number, here, start, stop)
        late = [a for a in stores if self.passes.level[a.name] >= self.passes.count]
        if late:
            self.write_rows_for([access.name for access in late])
            self.loop(start, stop, lambda frame: self.store_all(late, frame))
        self.write_row_stores()

    def tile_stores(self) -> list[Access]:
        return [a for a in self.kernel.space.stores if self.body.extent(a.name)[1]]

    def write_row_stores(self) -> None:
        for access in self.kernel.space.stores:
            if not self.body.extent(access.name)[1]:
                self.body.store(access, self.row_frame)

    def write_pass(self, number: int, stores: list[Access], start: str, stop: str) -> None:
        """One pass: accumulators, the loop, and what the accumulators come to."""
        plain, pairs = self.parts(number)
        self.accumulate(plain, pairs, stores, start, stop)
        for pair in pairs:
            self._finish_pair(pair)

    def parts(self, number: int) -> tuple[list[Node], list[Pair]]:
        """The reductions of pass `number`: those on their own, and pairs."""
        nodes = [self.graph[n] for n, p in self.passes.pass_of.items() if p == number]
        paired = {pair.second: pair for pair in self.pairs}
        firsts = {pair.first for pair in self.pairs}
        pairs = [paired[node.name] for node in nodes if node.name in paired]
        return [n for n in nodes if n.name not in paired and n.name not in firsts], pairs

    def accumulate(
        self, plain: list[Node], pairs: list[Pair], stores: list[Access], start: str, stop: str
    ) -> None:
        operands = [n.sources[0] for n in plain] + [pair.value for pair in pairs]
        self.write_rows_for([*operands, *(access.name for access in stores)])
        for node in plain:
            self._start(node)
        for pair in pairs:
            self._start_pair(pair)

        def step(frame: Frame) -> None:
            for node in plain:
                self._accumulate(node, frame)
            for pair in pairs:
                self._accumulate_pair(pair, frame, start)
            self.store_all(stores, frame)

        self.loop(start, stop, step)
        for node in plain:
            self._finish(node)

    def loop(self, start: str, stop: str, step: Step) -> None:
        """Code of one column block in a loop over them; its values live one iteration."""
        kernel, outer = self.kernel, dict(self.body.values)
        stages = kernel.schedule.num_stages
        if kernel.space.cols <= kernel.schedule.block_cols and start == "0":
            kernel.lines.add("start = 0")
            step(kernel.frame(self.row, kernel.col_index("0")))
        else:
            header = f"for start in tl.range({start}, {stop}, BLOCK_COLS, num_stages={stages}):"
            with kernel.lines.block(header):
                step(kernel.frame(self.row, kernel.col_index("start")))
        self.body.values = outer

    def write_rows_for(self, names: Iterable[str]) -> None:
        """Values of the row alone that the next loop needs are made before it."""
        for name in names:
            self._write_rows(name)

    def _write_rows(self, name: str) -> None:
        base = self.graph.base(name)
        if name in self.kernel.space.loads or base not in self.kernel.space.nodes:
            if not self.body.extent(name)[1]:
                self.body.value(name, self.row_frame)
            return
        if base in self.body.values:
            return
        if not self.body.extent(base)[1]:
            self.body.value(base, self.row_frame)
            return
        for source in self.graph[base].sources:
            self._write_rows(source)

    def store_all(self, stores: list[Access], frame: Frame) -> None:
        for access in stores:
            self.body.store(access, frame)

    # Accumulators -------------------------------------------------------------------------

    def _shape(self, whole: bool) -> str:
        if self.row_frame.two_dimensional:
            return "(BLOCK_ROWS, BLOCK_COLS)" if whole else "(BLOCK_ROWS,)"
        return "(BLOCK_COLS,)" if whole else "()"

    def _fill(self, name: str, whole: bool, value: str, kind: str) -> None:
        self.kernel.constants |= {
            "BLOCK_COLS": self.kernel.schedule.block_cols,
            "COLS": self.kernel.space.cols,
        }
        shape = self._shape(whole)
        if shape == "()":
            self.kernel.lines.add(f"{name} = tl.full((), {value}, tl.{kind})")
        else:
            self.kernel.lines.add(f"{name} = tl.full({shape}, {value}, tl.{kind})")

    def _start(self, node: Node) -> None:
        self.body.comment(node)
        if not node.function.startswith("arg"):
            kind = reduced_type(node)
            self._fill(f"{node.name}_acc", True, identity(node.function, kind), kind)
            return
        kind = wide(self.graph[node.sources[0]].dtype)
        self._fill(f"{node.name}_best", False, identity(node.function, kind), kind)
        self._fill(node.name, False, "0", node.dtype)

    def _accumulate(self, node: Node, frame: Frame) -> None:
        text, lines = operand_text(self.kernel, node, frame), self.kernel.lines
        if not node.function.startswith("arg"):
            joined = REDUCTIONS[node.function].join.format(f"{node.name}_acc", text)
            lines.add(f"{node.name}_acc = {joined}")
            return
        best = "amax" if node.function == "argmax" else "amin"
        lines.add(f"{node.name}_tile = {text}")
        tile = f"{node.name}_tile"
        lines.add(f"block_best = {REDUCTIONS[best].reduce.format(tile, axis=frame.axis)}")
        lines.add(f"block_index = start + {reduced(self.kernel, node, tile, frame.axis)}")
        lines.add(f"better = block_best {REDUCTIONS[node.function].join} {node.name}_best")
        lines.add(f"{node.name} = tl.where(better, block_index, {node.name})")
        lines.add(f"{node.name}_best = tl.where(better, block_best, {node.name}_best)")

    def _finish(self, node: Node) -> None:
        if not node.function.startswith("arg"):
            text = reduced(self.kernel, node, f"{node.name}_acc", self.row_frame.axis)
            self.kernel.lines.add(f"{node.name} = {text}")
        define(self.kernel, node)

    # Pairs --------------------------------------------------------------------------------

    def _start_pair(self, pair: Pair) -> None:
        self.body.comment(self.graph[pair.second])
        if pair.kind == "softmax":
            self._fill(pair.first, False, LOWEST, "float32")
        else:
            self._fill(f"{pair.first}_mean", False, "0.0", "float32")
        self._fill(pair.second, False, "0.0", "float32")

    def _accumulate_pair(self, pair: Pair, frame: Frame, start: str) -> None:
        value = self.body.value(pair.value, frame)
        text = frame.spread(value.text, value.row, value.col, True)
        if pair.kind == "softmax":
            self._online_softmax(pair, frame, text)
        else:
            self._online_variance(pair, frame, text, start)

    def _online_softmax(self, pair: Pair, frame: Frame, text: str) -> None:
        """Milakov and Gimelshein 2018: rescale the sum whenever the maximum grows."""
        lines, axis = self.kernel.lines, frame.axis
        if frame.col_mask is not None:
            mask = frame.spread(frame.col_mask, False, True, True)
            text = f'tl.where({mask}, {text}, float("-inf"))'
            lines.add(f"masked = {text}")
            text = "masked"
        peak, total = pair.first, pair.second
        lines.add(f"new_max = tl.maximum({peak}, tl.max({text}, axis={axis}))")
        spread = frame.spread("new_max", True, False, True)
        lines.add(f"exponent = tl.exp({text} - {spread})")
        lines.add(f"scaled = {total} * tl.exp({peak} - new_max)")
        lines.add(f"{total} = scaled + tl.sum(exponent, axis={axis})")
        lines.add(f"{peak} = new_max")

    def _online_variance(self, pair: Pair, frame: Frame, text: str, start: str) -> None:
        """Chan, Golub and LeVeque 1979: join the mean and squares of a block to those before it."""
        lines, axis = self.kernel.lines, frame.axis
        cols, block = self.kernel.space.cols, self.kernel.schedule.block_cols
        mask = frame.col_mask and frame.spread(frame.col_mask, False, True, True)
        count = "BLOCK_COLS" if cols % block == 0 else "block_count"
        if count == "block_count":
            lines.add("block_count = min(BLOCK_COLS, COLS - start)")
        inside = f"tl.where({mask}, {text}, 0.0)" if mask else text
        lines.add(f"block_mean = tl.sum({inside}, axis={axis}) / {count}")
        lines.add(f"distance = {text} - {frame.spread('block_mean', True, False, True)}")
        squares = "distance * distance"
        squares = f"tl.where({mask}, {squares}, 0.0)" if mask else squares
        mean, before = f"{pair.first}_mean", "start" if start == "0" else f"(start - {start})"
        lines.add(f"delta = block_mean - {mean}")
        lines.add(f"share = {count} / ({before} + {count})")
        lines.add(
            f"{pair.second} += tl.sum({squares}, axis={axis}) + delta * delta * {before} * share"
        )
        lines.add(f"{mean} += delta * share")

    def _finish_pair(self, pair: Pair) -> None:
        if pair.kind == "variance":
            self.kernel.lines.add(f"{pair.first} = {pair.first}_mean * COLS")
        define(self.kernel, self.graph[pair.first])
        define(self.kernel, self.graph[pair.second])
