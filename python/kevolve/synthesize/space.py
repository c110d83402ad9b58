"""The iteration space of a group of nodes, if one kernel can compute the group.

Dimensions of nodes that must run together are joined (union-find); each class is an axis. A group
is one kernel when its nodes agree on the axes, its reductions agree on the reduced axes, and
everything it stores covers the whole space or exactly its rows.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import prod

from kevolve.synthesize.graph import Graph, Kind, Layout, Node, SeedError

Dim = tuple[str, int]


class FusionError(SeedError):
    """Nodes that one kernel cannot compute together."""


@dataclass(frozen=True)
class Access:
    """A tensor that the kernel reads or writes: its stride along each axis, 0 where it has none."""

    name: str
    buffer: str
    dtype: str
    strides: tuple[int, ...]
    offset: int = 0


@dataclass(frozen=True)
class Space:
    """What a kernel runs over.

    Axes are ordered: outer ones (one program each), rows, columns, and for a matrix product the
    depth. `sizes` and the strides of accesses follow that order.
    """

    template: str
    nodes: tuple[str, ...]
    sizes: tuple[int, ...]
    loads: dict[str, Access]
    stores: tuple[Access, ...]
    spans: dict[str, frozenset[int]] = field(hash=False)

    @property
    def col_axis(self) -> int:
        return len(self.sizes) - (2 if self.template == "matmul" else 1)

    @property
    def row_axis(self) -> int:
        return self.col_axis - 1

    @property
    def rows(self) -> int:
        return self.sizes[self.row_axis]

    @property
    def cols(self) -> int:
        return self.sizes[self.col_axis]

    @property
    def depth(self) -> int:
        return self.sizes[-1]

    @property
    def outer(self) -> tuple[int, ...]:
        return self.sizes[: self.row_axis]

    @cached_property
    def flat(self) -> bool:
        """A single axis: the kernel needs no rows."""
        return (
            self.template == "pointwise"
            and self.rows == 1
            and not any(size > 1 for size in self.outer)
        )


class _Axes:
    """Union-find over (node, dimension)."""

    def __init__(self) -> None:
        self.parent: dict[Dim, Dim] = {}

    def find(self, dim: Dim) -> Dim:
        while self.parent.setdefault(dim, dim) != dim:
            dim = self.parent[dim]
        return dim

    def join(self, left: Dim, right: Dim) -> None:
        self.parent[self.find(left)] = self.find(right)


def space_of(graph: Graph, names: Iterable[str]) -> Space:
    """The space of the group `names`; raises FusionError when it is not one kernel."""
    key = tuple(sorted(set(names), key=graph.order.__getitem__))
    return _Analysis(graph, key).space()


class _Analysis:
    def __init__(self, graph: Graph, names: tuple[str, ...]) -> None:
        self.graph = graph
        self.names = names
        self.inside = frozenset(names)
        self.axes = _Axes()
        self.matmul = self._only_matmul()
        self.reductions = [n for n in self._nodes() if n.kind is Kind.REDUCTION]

    def space(self) -> Space:
        if self.matmul is not None and self.reductions:
            raise FusionError("a matrix product and a reduction in one kernel")
        for node in self._nodes():
            self._join_operands(node)
        reduced = self._reduced_axes()
        order = self._axis_order(reduced)
        loads = self._loads(order)
        stores = [self._store(name, order) for name in self.graph.stored(self.names)]
        self._check_spans(order, reduced)
        return self._collapsed(order, reduced, loads, stores)

    def _nodes(self) -> list[Node]:
        return [self.graph[name] for name in self.names]

    def _only_matmul(self) -> Node | None:
        products = [n for n in self._nodes() if n.kind is Kind.MATMUL]
        if len(products) > 1:
            raise FusionError("two matrix products in one kernel")
        return products[0] if products else None

    def internal(self, operand: str) -> bool:
        return self.graph.base(operand) in self.inside

    # Axes ---------------------------------------------------------------------------------

    def _join_operands(self, node: Node) -> None:
        if node.kind is Kind.MATMUL:
            if any(self.internal(source) for source in node.sources):
                raise FusionError("operands of a matrix product are read from memory")
            return
        for source in node.sources:
            if self.internal(source):
                self._join_views(source)
            self._join_aligned(source, node)

    def _join_aligned(self, source: str, node: Node) -> None:
        """Dimensions of an operand run with those of its user, aligned at the right."""
        shape = self.graph[source].shape
        lead = len(node.shape) - len(shape)
        reduced = node.dimensions("dims") if node.kind is Kind.REDUCTION else ()
        for dim, size in enumerate(shape):
            if size > 1 and dim not in reduced:
                self.axes.join((source, dim), (node.name, dim + lead))

    def _join_views(self, name: str) -> None:
        """A view of a value computed in the group runs with it, dimension by dimension."""
        node = self.graph[name]
        if node.kind is not Kind.VIEW:
            return
        source = node.sources[0]
        for old, new in _same_dims(node, self.graph[source]):
            self.axes.join((source, old), (name, new))
        self._join_views(source)

    def node_axes(self, name: str) -> list[Dim | None]:
        shape = self.graph[name].shape
        return [self.axes.find((name, d)) if size > 1 else None for d, size in enumerate(shape)]

    def _reduced_axes(self) -> frozenset[Dim]:
        sets = set()
        for node in self.reductions:
            axes = self.node_axes(node.sources[0])
            sets.add(frozenset(a for d in node.dimensions("dims") if (a := axes[d]) is not None))
        if len(sets) > 1:
            raise FusionError("reductions over different axes in one kernel")
        return next(iter(sets), frozenset())

    def _rank(self, name: str) -> int:
        return sum(axis is not None for axis in self.node_axes(name))

    def _values(self) -> list[str]:
        """Everything with axes: nodes, and what they read."""
        operands = [s for n in self._nodes() if n.kind is not Kind.MATMUL for s in n.sources]
        return list(dict.fromkeys([*self.names, *operands]))

    def _axis_order(self, reduced: frozenset[Dim]) -> list[Dim]:
        """Kept axes, then reduced ones, each in the order of the widest value's dimensions."""
        widest = max(self._values(), key=self._rank)
        if self.matmul is not None:
            widest = self.matmul.name
        order = [axis for axis in self.node_axes(widest) if axis is not None]
        if len(set(order)) != len(order):
            raise FusionError("a value runs along one axis twice")
        for name in self._values():
            axes = [a for a in self.node_axes(name) if a is not None]
            if not set(axes) <= set(order) or len(set(axes)) != len(axes):
                raise FusionError("values do not share one iteration space")
        kept = [axis for axis in order if axis not in reduced]
        return kept + [axis for axis in order if axis in reduced]

    def _check_spans(self, order: list[Dim], reduced: frozenset[Dim]) -> None:
        whole, rows = set(order), set(order) - reduced
        for node in self.reductions:
            if set(filter(None, self.node_axes(node.sources[0]))) != whole:
                raise FusionError("a reduction of a value that is broadcast")
        for name in self.graph.stored(self.names):
            span = set(filter(None, self.node_axes(name)))
            if span not in (whole, rows):
                raise FusionError("a result that several programs would write")

    # Accesses -----------------------------------------------------------------------------

    def _strides(self, layout: Layout, axes: list[Dim | None], order: list[Dim]) -> tuple[int, ...]:
        by_axis = {a: s for a, s in zip(axes, layout.strides, strict=True) if a is not None}
        return tuple(by_axis.get(axis, 0) for axis in order)

    def _loads(self, order: list[Dim]) -> dict[str, Access]:
        loads: dict[str, Access] = {}
        for node in self._nodes():
            if node.kind is Kind.MATMUL:
                continue
            for source in node.sources:
                if not self.internal(source):
                    axes = self.node_axes(source)
                    loads[source] = self._access(source, axes, order)
        return loads

    def _access(self, name: str, axes: list[Dim | None], order: list[Dim]) -> Access:
        layout = self.graph.layout(name)
        strides = self._strides(layout, axes, order)
        return Access(name, layout.buffer, self.graph[name].dtype, strides, layout.offset)

    def _store(self, name: str, order: list[Dim]) -> Access:
        return self._access(name, self.node_axes(name), order)

    # Collapsing ---------------------------------------------------------------------------

    def _collapsed(
        self,
        order: list[Dim],
        reduced: frozenset[Dim],
        loads: dict[str, Access],
        stores: list[Access],
    ) -> Space:
        sizes = [self._size(axis) for axis in order]
        regions = [int(axis in reduced) for axis in order]
        template = "rows" if self.reductions else "pointwise"
        if self.matmul is not None:
            template = "matmul"
            regions = [*self._matmul_regions(self.matmul, order), 3]
            sizes.append(self.graph[self.matmul.sources[0]].shape[-1])
            loads = {key: _deeper(access) for key, access in loads.items()}
            loads |= self._operands(self.matmul, order)
            stores = [_deeper(access) for access in stores]
        merged = _merge(sizes, regions, [*loads.values(), *stores])
        groups = _padded(merged, regions, template)
        where = {axis: index for index, group in enumerate(groups) for axis in group}
        spans = {
            name: frozenset(where[order.index(a)] for a in self.node_axes(name) if a is not None)
            for name in self._values()
        }
        if self.matmul is not None:
            tile = frozenset((len(groups) - 3, len(groups) - 2))
            for name in (self.matmul.name, *(access.name for access in stores)):
                spans[name] |= tile
        return Space(
            template,
            self.names,
            tuple(prod(sizes[axis] for axis in group) for group in groups),
            {key: _moved(access, groups) for key, access in loads.items()},
            tuple(_moved(access, groups) for access in stores),
            spans,
        )

    def _size(self, axis: Dim) -> int:
        return self.graph[axis[0]].shape[axis[1]]

    def _batch_rank(self, node: Node) -> int:
        return len(node.shape) - 2 if len(self.graph[node.sources[1]].shape) > 2 else 0

    def _matmul_regions(self, node: Node, order: list[Dim]) -> list[int]:
        """0 for batch axes, 1 for rows (M), 2 for columns (N)."""
        axes, batch = self.node_axes(node.name), self._batch_rank(node)
        position = {axis: d for d, axis in enumerate(axes) if axis is not None}
        last = len(axes) - 1
        return [0 if position[a] < batch else 2 if position[a] == last else 1 for a in order]

    def _operands(self, node: Node, order: list[Dim]) -> dict[str, Access]:
        """The accesses of the two operands, over the axes of the product and the depth."""
        axes, batch = self.node_axes(node.name), self._batch_rank(node)
        left, right = (self.graph.layout(name) for name in node.sources)
        middle = (0,) * (len(axes) - 1 - batch)
        windows = {
            "lhs": ((*left.strides[:-1], 0), left.strides[-1], left),
            "rhs": ((*right.strides[:batch], *middle, right.strides[-1]), right.strides[-2], right),
        }
        found = {}
        for (key, (strides, depth, layout)), name in zip(
            windows.items(), node.sources, strict=True
        ):
            along = self._strides(Layout("", node.shape, strides), axes, order)
            dtype = self.graph[name].dtype
            found[key] = Access(name, layout.buffer, dtype, (*along, depth), layout.offset)
        return found


def _moved(access: Access, groups: list[list[int]]) -> Access:
    strides = tuple(access.strides[group[-1]] if group else 0 for group in groups)
    return replace(access, strides=strides)


def _deeper(access: Access) -> Access:
    return replace(access, strides=(*access.strides, 0))


def _same_dims(view: Node, source: Node) -> list[tuple[int, int]]:
    """(source dimension, view dimension) pairs of a view that only moves or adds dimensions."""
    match view.function:
        case "permute":
            return [(old, new) for new, old in enumerate(view.dimensions("dims"))]
        case "expand":
            lead = len(view.shape) - len(source.shape)
            return [(d, d + lead) for d, size in enumerate(source.shape) if size > 1]
        case "reshape":
            old = [d for d, size in enumerate(source.shape) if size > 1]
            new = [d for d, size in enumerate(view.shape) if size > 1]
            if [source.shape[d] for d in old] == [view.shape[d] for d in new]:
                return list(zip(old, new, strict=True))
    raise FusionError(f"{view.aten} of a value that is not in memory yet")


def _merge(sizes: list[int], regions: list[int], accesses: list[Access]) -> list[list[int]]:
    """Neighbouring axes of one region that every access walks as one, as lists of axes."""
    groups: list[list[int]] = []
    for axis, size in enumerate(sizes):
        same = axis > 0 and regions[axis] == regions[axis - 1]
        if same and all(a.strides[axis - 1] == a.strides[axis] * size for a in accesses):
            groups[-1].append(axis)
        else:
            groups.append([axis])
    return groups


def _padded(groups: list[list[int]], regions: list[int], template: str) -> list[list[int]]:
    """`groups` with an empty axis of size 1 where rows or columns are missing."""
    by_region = [[g for g in groups if regions[g[0]] == region] for region in range(4)]
    if template == "pointwise":
        return [[]] * max(0, 2 - len(groups)) + groups
    outer, first, second, depth = by_region
    if template == "rows":
        if len(first) > 1:
            raise FusionError("a reduction over axes that are not next to each other")
        return (outer or [[]]) + (first or [[]])
    if len(first) > 1:
        raise FusionError("rows of a matrix product that do not merge")
    return outer + (first or [[]]) + (second or [[]]) + depth
