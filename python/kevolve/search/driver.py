"""The search loop: select, synthesize, evaluate, store; again until the budget is spent.

The loop keeps no state of its own: everything it decides follows from the nodes in the store, so
a search that was killed goes on from its last finished candidate to the same tree.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol

from kevolve.records import Evaluation
from kevolve.search.policy import SelectionPolicy
from kevolve.search.synthesizer import Proposal, Synthesizer
from kevolve.search.termination import Budget
from kevolve.search.tree import BASELINE_ID, SEED_ID, Tree
from kevolve.store import NodeRecord, Store

Evaluate = Callable[[str], Evaluation]


class Progress(Protocol):
    """Who is told what the search is doing."""

    def evaluating(self, node_id: int, proposal: Proposal) -> None: ...

    def evaluated(self, node: NodeRecord, tree: Tree) -> None: ...


def search(
    store: Store,
    synthesizer: Synthesizer,
    evaluate: Evaluate,
    policy: SelectionPolicy,
    budget: Budget,
    progress: Progress,
) -> Tree:
    """Grows the store's tree until `budget` is spent or nothing is left to try."""
    tree = Tree.of(store.nodes())
    while tree.next_id <= SEED_ID or not budget.spent(tree):
        step = _next_step(tree, synthesizer, policy)
        if step is None:
            break
        parent_id, proposal = step
        progress.evaluating(tree.next_id, proposal)
        node = _evaluate(tree.next_id, parent_id, proposal, evaluate)
        store.add(node)
        tree.add(node)
        progress.evaluated(node, tree)
    return tree


def _next_step(
    tree: Tree, synthesizer: Synthesizer, policy: SelectionPolicy
) -> tuple[int | None, Proposal] | None:
    if tree.next_id == BASELINE_ID:
        return None, synthesizer.baseline()
    if tree.next_id == SEED_ID:
        return BASELINE_ID, synthesizer.seed()
    for node in policy.order(tree):
        proposal = synthesizer.expand(node, tree)
        if proposal is not None:
            return node.id, proposal
    return None


def _evaluate(
    node_id: int, parent_id: int | None, proposal: Proposal, evaluate: Evaluate
) -> NodeRecord:
    begin_ns = time.perf_counter_ns()
    evaluation = evaluate(proposal.source)
    return NodeRecord(
        id=node_id,
        parent_id=parent_id,
        operator=proposal.operator,
        parameters=proposal.parameters,
        answers=proposal.answers,
        expected_effect=proposal.expected_effect,
        source=proposal.source,
        source_hash=proposal.source_hash,
        evaluation=evaluation,
        wall_time_ns=time.perf_counter_ns() - begin_ns,
    )
