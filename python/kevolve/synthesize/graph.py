"""The small typed graph that kernels are planned on.

A node is an input, a view, a pointwise function, a reduction or a matrix product. Composite ATen
operators are already taken apart; `origin` says which eager operator a node belongs to, so that
the baseline can put exactly one eager operator into one kernel. Reductions keep their dimensions
(size 1), so operands align by broadcasting alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from math import prod

from kevolve.errors import KevolveError

Scalar = bool | int | float
Operand = str | bool | int | float
Attribute = str | int | bool | tuple[int, ...]


class SeedError(KevolveError):
    """An operator that kevolve cannot write a kernel for."""


class Kind(StrEnum):
    """What a node is."""

    INPUT = "input"
    VIEW = "view"
    POINTWISE = "pointwise"
    REDUCTION = "reduction"
    MATMUL = "matmul"


@dataclass(frozen=True)
class Node:
    """One value of the graph.

    Attributes:
        operands: names of nodes, or literals.
        attributes: what else the function needs, e.g. the dimensions of a reduction.
        aten: the ATen operator it comes from.
        origin: the position of that operator in the eager program.
        line: the line of the problem file that called it.
    """

    name: str
    kind: Kind
    function: str
    operands: tuple[Operand, ...]
    shape: tuple[int, ...]
    dtype: str
    attributes: dict[str, Attribute] = field(default_factory=dict, hash=False)
    aten: str = ""
    origin: int = -1
    line: int | None = None

    @property
    def sources(self) -> tuple[str, ...]:
        """The nodes it reads."""
        return tuple(operand for operand in self.operands if isinstance(operand, str))

    @property
    def computes(self) -> bool:
        return self.kind in (Kind.POINTWISE, Kind.REDUCTION, Kind.MATMUL)

    @property
    def elements(self) -> int:
        return prod(self.shape)

    def dimensions(self, key: str) -> tuple[int, ...]:
        value = self.attributes[key]
        assert isinstance(value, tuple)
        return value


@dataclass(frozen=True)
class Layout:
    """A strided window on a buffer, in elements."""

    buffer: str
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int = 0


@dataclass(frozen=True)
class Graph:
    """A forward pass: nodes in program order, the expressions that inputs are bound to, outputs."""

    nodes: dict[str, Node]
    bindings: dict[str, str]
    arguments: tuple[str, ...]
    outputs: tuple[str, ...]
    returns_tuple: bool

    def __getitem__(self, name: str) -> Node:
        return self.nodes[name]

    def compute_nodes(self) -> Iterator[Node]:
        return (node for node in self.nodes.values() if node.computes)

    @cached_property
    def order(self) -> dict[str, int]:
        """Position of each node in program order."""
        return {name: index for index, name in enumerate(self.nodes)}

    def base(self, name: str) -> str:
        """The node whose buffer `name` is a view of; itself when it is no view."""
        while self.nodes[name].kind is Kind.VIEW:
            name = self.nodes[name].sources[0]
        return name

    @cached_property
    def users(self) -> dict[str, tuple[str, ...]]:
        """The computing nodes that read each computing node or input, through views."""
        found: dict[str, list[str]] = {name: [] for name in self.nodes}
        for node in self.compute_nodes():
            for source in dict.fromkeys(self.base(name) for name in node.sources):
                found[source].append(node.name)
        return {name: tuple(users) for name, users in found.items()}

    @cached_property
    def output_bases(self) -> frozenset[str]:
        return frozenset(self.base(name) for name in self.outputs)

    def stored(self, names: Iterable[str]) -> tuple[str, ...]:
        """Those of `names` that something outside of them reads."""
        inside = set(names)
        return tuple(
            name
            for name in sorted(inside, key=self.order.__getitem__)
            if name in self.output_bases or any(user not in inside for user in self.users[name])
        )

    def layout(self, name: str) -> Layout:
        """Where the elements of `name` lie, its base being a buffer."""
        node = self.nodes[name]
        if node.kind is Kind.INPUT:
            return Layout(name, node.shape, node.dimensions("strides"))
        if node.kind is not Kind.VIEW:
            return Layout(name, node.shape, contiguous_strides(node.shape))
        return view_layout(node, self.layout(node.sources[0]))


def contiguous_strides(shape: tuple[int, ...]) -> tuple[int, ...]:
    strides: list[int] = []
    step = 1
    for size in reversed(shape):
        strides.append(step)
        step *= max(size, 1)
    return tuple(reversed(strides))


def view_layout(node: Node, source: Layout) -> Layout:
    """The layout of the view `node` of `source`."""
    match node.function:
        case "permute":
            order = node.dimensions("dims")
            strides = tuple(source.strides[d] for d in order)
        case "expand":
            strides = _expanded(source, node.shape)
        case "slice":
            return _sliced(node, source)
        case _:
            strides = _reshaped(node, source)
    return Layout(source.buffer, node.shape, strides, source.offset)


def _expanded(source: Layout, shape: tuple[int, ...]) -> tuple[int, ...]:
    lead = len(shape) - len(source.shape)
    pairs = zip(shape[lead:], source.shape, source.strides, strict=True)
    return (0,) * lead + tuple(0 if old == 1 and new != 1 else st for new, old, st in pairs)


def _sliced(node: Node, source: Layout) -> Layout:
    dim, start, step = node.dimensions("window")
    strides = list(source.strides)
    offset = source.offset + start * strides[dim]
    strides[dim] *= step
    return Layout(source.buffer, node.shape, tuple(strides), offset)


def _reshaped(node: Node, source: Layout) -> tuple[int, ...]:
    """The strides of a reshape that needs no copy."""
    if source.strides == contiguous_strides(source.shape):
        return contiguous_strides(node.shape)
    kept = [(size, st) for size, st in zip(source.shape, source.strides, strict=True) if size != 1]
    wanted = list(node.shape)
    strides = [0] * len(wanted)
    position = len(wanted) - 1
    for size, stride in reversed(_merged(kept)):
        while size > 1:
            while position >= 0 and wanted[position] == 1:
                position -= 1
            if position < 0 or size % wanted[position]:
                raise SeedError(f"{node.aten} needs a copy of its operand", line=node.line)
            strides[position] = stride
            stride *= wanted[position]
            size //= wanted[position]
            position -= 1
    return tuple(strides)


def _merged(dims: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """(size, stride) pairs with neighbours that lie contiguously joined."""
    joined: list[tuple[int, int]] = []
    for size, stride in dims:
        if joined and joined[-1][1] == stride * size:
            joined[-1] = (joined[-1][0] * size, stride)
        else:
            joined.append((size, stride))
    return joined
