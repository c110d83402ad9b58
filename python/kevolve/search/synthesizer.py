"""What the search asks of a synthesizer, whatever writes the kernels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from kevolve.search.tree import Tree
from kevolve.store import NodeRecord


@dataclass(frozen=True)
class Proposal:
    """A candidate to evaluate: its source text and where it comes from.

    `answers` names the bottleneck of the parent that the operator was chosen for, and
    `expected_effect` says in words and numbers what it should do.
    """

    source: str
    source_hash: str
    operator: str
    parameters: str = ""
    answers: str = ""
    expected_effect: str = ""


class Synthesizer(Protocol):
    """Writes candidates. The same arguments must give the same proposal."""

    name: str

    def baseline(self) -> Proposal:
        """What eager PyTorch would run, as kernels of the target."""
        ...

    def seed(self) -> Proposal:
        """The first kernel of the search's own."""
        ...

    def expand(self, node: NodeRecord, tree: Tree) -> Proposal | None:
        """The next candidate to grow from `node`, None when nothing is left to try there."""
        ...
