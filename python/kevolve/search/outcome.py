"""What a search has found so far, as the record that `kevolve optimize --json` prints."""

from __future__ import annotations

from pathlib import Path

from kevolve.records import Bottleneck, Result, dominant
from kevolve.search.fitness import speedup
from kevolve.search.tree import Tree
from kevolve.store import NodeRecord, RunRecord


def outcome(run: RunRecord, tree: Tree, best_file: Path | None, report: Path | None) -> Result:
    """The outcome of `tree`; paths are given as they are."""
    best = tree.best()
    shown = best or tree.seed
    measurement = best.evaluation.measurement if best else None
    return Result(
        problem=run.problem_name,
        target=run.target,
        verdict=shown.evaluation.verdict.status if shown else None,
        baseline_time_ns=_time_ns(tree.baseline),
        first_seed_time_ns=_time_ns(tree.seed),
        best_time_ns=_time_ns(best),
        speedup=(speedup(best, tree) or None) if best else None,
        time_kind=measurement.time_kind if measurement else None,
        bottleneck_before=_bottleneck(tree.baseline),
        bottleneck_after=_bottleneck(best),
        candidates=len(tree.candidates()),
        correct_candidates=len(tree.correct()),
        best_file=str(best_file) if best_file else None,
        report=str(report) if report else None,
    )


def _time_ns(node: NodeRecord | None) -> float | None:
    return node.time_ns if node else None


def _bottleneck(node: NodeRecord | None) -> Bottleneck | None:
    diagnosis = dominant(node.evaluation) if node else None
    return diagnosis.bottleneck if diagnosis else None
