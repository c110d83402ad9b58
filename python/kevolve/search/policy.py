"""Selection policies: in which order nodes are offered for expansion."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from kevolve.search.tree import Tree
from kevolve.store import NodeRecord


class SelectionPolicy(Protocol):
    """Yields nodes to expand, the most wanted first; the driver takes the first that can grow."""

    name: str

    def order(self, tree: Tree) -> Iterator[NodeRecord]: ...


class Greedy:
    """The fastest correct candidate first, then the next fastest, and so on.

    A node is left for the next one only when its synthesizer has nothing more to propose, so the
    search climbs from each new best and falls back to earlier nodes when it is stuck. The baseline
    comes last: it is where a search goes on whose own first kernel is wrong.
    """

    name = "greedy"

    def order(self, tree: Tree) -> Iterator[NodeRecord]:
        yield from tree.correct()
        if tree.baseline is not None and tree.baseline.time_ns is not None:
            yield tree.baseline
