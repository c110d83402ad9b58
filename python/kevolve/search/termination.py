"""When a search ends."""

from __future__ import annotations

from dataclasses import dataclass

from kevolve.search.tree import Tree


@dataclass(frozen=True)
class Budget:
    """Ends a search after this many evaluated candidates, the baseline not counted."""

    candidates: int

    def spent(self, tree: Tree) -> bool:
        return len(tree.candidates()) >= self.candidates
