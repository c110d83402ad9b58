"""The tree of evaluated candidates, as the search sees it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from kevolve.errors import KevolveError
from kevolve.store import NodeRecord

BASELINE_ID = 0
SEED_ID = 1


@dataclass
class Tree:
    """Nodes by id, with the few questions that policies and synthesizers ask of them."""

    nodes: dict[int, NodeRecord] = field(default_factory=dict)

    @classmethod
    def of(cls, nodes: Iterable[NodeRecord]) -> Tree:
        """The tree of `nodes`, which must be in the order of their ids."""
        tree = cls()
        for node in nodes:
            tree.add(node)
        return tree

    def add(self, node: NodeRecord) -> None:
        """Adds an evaluated candidate; its parent must be there."""
        if node.id != len(self.nodes):
            raise KevolveError(f"node {node.id} out of order: {len(self.nodes)} expected")
        if node.parent_id is not None and node.parent_id not in self.nodes:
            raise KevolveError(f"node {node.id} names a parent {node.parent_id} that is missing")
        self.nodes[node.id] = node

    @property
    def next_id(self) -> int:
        return len(self.nodes)

    @property
    def baseline(self) -> NodeRecord | None:
        """What eager PyTorch would do, if evaluated."""
        return self.nodes.get(BASELINE_ID)

    @property
    def seed(self) -> NodeRecord | None:
        """The first kernel of the search's own, if evaluated."""
        return self.nodes.get(SEED_ID)

    def candidates(self) -> list[NodeRecord]:
        """Every node but the baseline, in the order they were made."""
        return [node for node in self.nodes.values() if node.id != BASELINE_ID]

    def correct(self) -> list[NodeRecord]:
        """The correct candidates, fastest first; equal times in the order they were made."""
        found = [node for node in self.candidates() if node.time_ns is not None]
        return sorted(found, key=lambda node: (node.time_ns or 0.0, node.id))

    def best(self) -> NodeRecord | None:
        """The fastest correct candidate."""
        return next(iter(self.correct()), None)

    def children(self, node: NodeRecord) -> list[NodeRecord]:
        return [child for child in self.nodes.values() if child.parent_id == node.id]

    def lineage(self, node: NodeRecord) -> list[NodeRecord]:
        """From the root of the tree down to `node` itself."""
        path = [node]
        while (parent := path[-1].parent_id) is not None:
            path.append(self.nodes[parent])
        return path[::-1]

    def has_source(self, source_hash: str) -> bool:
        return any(node.source_hash == source_hash for node in self.nodes.values())
