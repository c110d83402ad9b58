"""How good a candidate is: one number to rank by."""

from __future__ import annotations

from kevolve.search.tree import Tree
from kevolve.store import NodeRecord


def speedup(node: NodeRecord, tree: Tree) -> float:
    """Baseline time over the node's time; zero when the node, or the baseline, is not correct."""
    baseline = tree.baseline
    if baseline is None or baseline.time_ns is None or node.time_ns is None:
        return 0.0
    return baseline.time_ns / node.time_ns
