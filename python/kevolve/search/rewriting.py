"""The rewrite synthesizer: rewrites of plans, chosen by the diagnosis. No network, no model."""

from __future__ import annotations

from collections import Counter

from kevolve.problem import Problem
from kevolve.search.fitness import speedup
from kevolve.search.synthesizer import Proposal
from kevolve.search.tree import Tree
from kevolve.store import NodeRecord
from kevolve.synthesize import seeder
from kevolve.synthesize.emit import emit
from kevolve.synthesize.plan import Plan
from kevolve.synthesize.propose import Proposal as Proposed
from kevolve.synthesize.propose import propose
from kevolve.synthesize.rewrites import Context, Parameters, named

# Each miss halves a rewrite's rank: two misses outweigh a diagnosis that is twice as sure.
_DISCOUNT = 0.5


class RewriteSynthesizer:
    """Grows a node by the rewrite of its plan that its own diagnosis speaks for most.

    What it remembers of the tree: every plan that was evaluated, so that none is tried twice, and
    how often each rewrite disappointed, so that the next most promising one gets its turn.
    """

    name = "rewrite"

    def __init__(self, problem: Problem, target: str, seed: int):
        self._problem = problem
        self._target = target
        self._seed = seed
        self._context = Context(problem, target)

    def baseline(self) -> Proposal:
        return self._proposal(seeder.baseline(self._problem, self._target), "baseline")

    def seed(self) -> Proposal:
        return self._proposal(seeder.seed(self._problem, self._target), "seed")

    def expand(self, node: NodeRecord, tree: Tree) -> Proposal | None:
        plan = Plan.from_source(node.source)
        tried = {Plan.from_source(known.source).to_json() for known in tree.nodes.values()}
        diagnoses = node.evaluation.diagnoses
        times = _times_ns(node)
        found_all = propose(self._context, plan, diagnoses, tried, self._seed, times)
        for found in _discounted(found_all, _disappointments(tree)):
            candidate = emit(self._problem, found.plan)
            # Different plans may give the same text; the text is what was evaluated.
            if tree.has_source(candidate.hash):
                continue
            return Proposal(
                candidate.source,
                candidate.hash,
                found.rewrite,
                _in_words(found.parameters),
                _answered(node, found.rewrite),
                found.reason,
            )
        return None

    def _proposal(self, plan: Plan, operator: str) -> Proposal:
        candidate = emit(self._problem, plan)
        return Proposal(candidate.source, candidate.hash, operator)


def _disappointments(tree: Tree) -> Counter[str]:
    """How often each rewrite of the tree led to a node that is not faster than its parent."""
    missed: Counter[str] = Counter()
    for node in tree.candidates():
        parent = tree.nodes[node.parent_id] if node.parent_id is not None else None
        if parent is not None and speedup(node, tree) <= speedup(parent, tree):
            missed[node.operator] += 1
    return missed


def _discounted(proposals: list[Proposed], missed: Counter[str]) -> list[Proposed]:
    return sorted(proposals, key=lambda one: -one.score * _DISCOUNT ** missed[one.rewrite])


def _times_ns(node: NodeRecord) -> dict[str, float]:
    measurement = node.evaluation.measurement
    times: dict[str, float] = {}
    for launch in measurement.launches if measurement else ():
        times[launch.kernel] = times.get(launch.kernel, 0.0) + launch.time_ns
    return times


def _answered(node: NodeRecord, rewrite: str) -> str:
    answers = named(rewrite).answers
    found = [d.bottleneck for d in node.evaluation.diagnoses if d.bottleneck in answers]
    return ", ".join(dict.fromkeys(found))


def _in_words(parameters: Parameters) -> str:
    return " ".join(f"{name}={value}" for name, value in parameters.items())
