"""Where the nodes of a search tree are drawn."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from kevolve.store import NodeRecord

COLUMN_PX = 84
ROW_PX = 34
MARGIN_PX = 28


@dataclass(frozen=True)
class Placed:
    """A node and the centre of its circle, in pixels."""

    node: NodeRecord
    x: int
    y: int


@dataclass(frozen=True)
class Edge:
    """A line from a parent's circle to a child's."""

    begin: Placed
    end: Placed


@dataclass(frozen=True)
class TreeDrawing:
    """Everything an SVG of the tree needs."""

    placed: tuple[Placed, ...]
    edges: tuple[Edge, ...]
    width: int
    height: int


def draw_tree(nodes: Sequence[NodeRecord]) -> TreeDrawing:
    """Depth goes right; each leaf gets a row of its own, a parent the row of its first child."""
    children: dict[int | None, list[NodeRecord]] = defaultdict(list)
    for node in nodes:
        children[node.parent_id].append(node)
    placed: dict[int, Placed] = {}
    row = 0
    # Depth first with an explicit stack: a long chain of improvements must not overflow Python's.
    stack = [(root, 0) for root in reversed(children[None])]
    while stack:
        node, depth = stack.pop()
        placed[node.id] = Placed(node, MARGIN_PX + depth * COLUMN_PX, MARGIN_PX + row * ROW_PX)
        grown = children[node.id]
        if not grown:
            row += 1
        stack.extend((child, depth + 1) for child in reversed(grown))
    edges = tuple(
        Edge(placed[node.parent_id], placed[node.id])
        for node in nodes
        if node.parent_id is not None
    )
    width = max((place.x for place in placed.values()), default=0) + MARGIN_PX
    height = max((place.y for place in placed.values()), default=0) + MARGIN_PX
    return TreeDrawing(tuple(placed.values()), edges, width, height)
