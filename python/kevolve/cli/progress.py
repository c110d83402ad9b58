"""Live progress of a search on stderr: what runs now, the best so far, and each result."""

from __future__ import annotations

from types import TracebackType

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from kevolve.records import dominant
from kevolve.search.fitness import speedup
from kevolve.search.synthesizer import Proposal
from kevolve.search.tree import BASELINE_ID, Tree
from kevolve.store import NodeRecord


class SearchProgress:
    """A progress bar over the candidates, and one line for each that has been evaluated."""

    def __init__(self, console: Console, candidates: int, done: int):
        self._console = console
        self._bar = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=console,
            transient=True,
        )
        self._task = self._bar.add_task("starting", total=candidates, completed=done)

    def __enter__(self) -> SearchProgress:
        self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bar.stop()

    def evaluating(self, node_id: int, proposal: Proposal) -> None:
        self._bar.update(self._task, description=f"#{node_id} {proposal.operator}")

    def evaluated(self, node: NodeRecord, tree: Tree) -> None:
        self._bar.update(self._task, completed=len(tree.candidates()))
        # One line stays one line, however narrow the terminal: logs are searched by line.
        self._console.print(describe_node(node, tree), highlight=False, soft_wrap=True)


def describe_node(node: NodeRecord, tree: Tree) -> str:
    """One line on `node` in rich markup: what was done, what came of it and what limits it."""
    name = f"{node.operator} {node.parameters}".strip()
    head = f"#{node.id:<3} {name:<46.46}"
    verdict = node.evaluation.verdict
    if node.time_ns is None:
        return f"{head} [red]{verdict.status}[/red] {_escape(verdict.reason)}"
    diagnosis = dominant(node.evaluation)
    limit = f"  {diagnosis.bottleneck}" if diagnosis else ""
    if node.id == BASELINE_ID:
        return f"{head} {node.time_ns / 1e3:10.2f} us          {limit}"
    best = tree.best()
    mark = "[green]*[/green]" if best is not None and best.id == node.id else " "
    return f"{head} {node.time_ns / 1e3:10.2f} us {speedup(node, tree):6.2f}x {mark}{limit}"


def _escape(text: str) -> str:
    return text.replace("[", r"\[")
