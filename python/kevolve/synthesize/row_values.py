"""Reductions inside a kernel body: of a tile, and in which pass over a row each one happens."""

from __future__ import annotations

from dataclasses import dataclass

from kevolve.synthesize.expressions import REDUCTIONS, identity
from kevolve.synthesize.graph import Graph, Kind, Node
from kevolve.synthesize.kernel_text import TileKernel
from kevolve.synthesize.lowering import wide
from kevolve.synthesize.space import Space
from kevolve.synthesize.tile_code import Frame, Value


def reduced_type(node: Node) -> str:
    return str(node.attributes["compute"])


def operand_text(kernel: TileKernel, node: Node, frame: Frame) -> str:
    """The operand of a reduction as a tile, with the identity outside of the row."""
    value = kernel.body.value(node.sources[0], frame)
    text = frame.spread(value.text, value.row, value.col, True)
    kind = wide(value.dtype) if node.function.startswith("arg") else reduced_type(node)
    if kind != value.dtype:
        text = f"{text}.to(tl.{kind})"
    if frame.col_mask is None:
        return text
    mask = frame.spread(frame.col_mask, False, True, True)
    return f"tl.where({mask}, {text}, {identity(node.function, kind)})"


def reduced(kernel: TileKernel, node: Node, text: str, axis: int) -> str:
    """The expression that reduces the tile `text`."""
    if node.function == "prod":
        kernel.helpers.add("multiply")
    expression = REDUCTIONS[node.function].reduce.format(text, axis=axis)
    cast = f".to(tl.{node.dtype})" if node.function.startswith("arg") else ""
    return expression + cast


def write_reduction(kernel: TileKernel, node: Node, frame: Frame) -> None:
    text = operand_text(kernel, node, frame)
    kernel.body.comment(node)
    kernel.lines.add(f"{node.name} = {reduced(kernel, node, text, frame.axis)}")
    define(kernel, node)


def define(kernel: TileKernel, node: Node, text: str | None = None) -> None:
    """From here on the result of `node` has a name."""
    kernel.body.values[node.name] = Value(text or node.name, reduced_type(node), True, False)


@dataclass(frozen=True)
class Pair:
    """Two dependent reductions that one pass can compute: softmax's or the variance's."""

    kind: str
    first: str
    second: str
    value: str
    mean: str = ""


def find_pairs(graph: Graph, space: Space) -> list[Pair]:
    inside = [graph[name] for name in space.nodes]
    pairs = (_pair(graph, node) for node in inside if node.kind is Kind.REDUCTION)
    return [pair for pair in pairs if pair is not None and pair.first in space.nodes]


def _pair(graph: Graph, second: Node) -> Pair | None:
    """`second` with the reduction that its operand is centred by, where it has that form."""
    if second.function != "sum":
        return None
    outer = graph[second.sources[0]]
    if outer.function not in ("exp", "square") or outer.kind is not Kind.POINTWISE:
        return None
    centre = graph[outer.sources[0]]
    if centre.function != "sub" or len(centre.sources) != 2:
        return None
    value, by = centre.sources[0], graph[graph.base(centre.sources[1])]
    if outer.function == "exp":
        fits = by.function == "amax" and by.sources[0] == value
        return Pair("softmax", by.name, second.name, value) if fits else None
    if by.function != "div" or len(by.sources) != 1:
        return None
    total = graph[graph.base(by.sources[0])]
    fits = total.function == "sum" and total.sources[0] == value
    return Pair("variance", total.name, second.name, value, by.name) if fits else None


@dataclass(frozen=True)
class Passes:
    """In which pass over the row each reduction is accumulated; which results a pass may use."""

    level: dict[str, int]
    pass_of: dict[str, int]
    count: int


def passes_of(graph: Graph, space: Space, pairs: list[Pair]) -> Passes:
    """Levels: a value of level n needs n passes over the row before it can be computed."""
    first_of = {pair.second: pair.first for pair in pairs}
    level: dict[str, int] = {}
    pass_of: dict[str, int] = {}
    for name in space.nodes:
        node = graph[name]
        needed = max((level.get(graph.base(s), 0) for s in node.sources), default=0)
        if node.kind is Kind.REDUCTION:
            pass_of[name] = pass_of[first_of[name]] if name in first_of else needed
            needed = pass_of[name] + 1
        level[name] = needed
    return Passes(level, pass_of, max(pass_of.values(), default=-1) + 1)
