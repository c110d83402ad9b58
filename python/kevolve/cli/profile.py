"""`kevolve profile`: instrument a candidate, run it, and say why it takes the time it takes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from kevolve.errors import KevolveError
from kevolve.records import Diagnosis, Evaluation, to_json


def profile(
    candidate: Annotated[Path, typer.Argument(help="A file with Model, ModelNew, get_inputs().")],
    target: Annotated[str, typer.Option(help="Where it runs: see `kevolve targets`.")] = "mtia",
    seed: Annotated[int, typer.Option(min=0, help="Seed of the inputs.")] = 0,
    timeout: Annotated[float, typer.Option(min=1, help="Seconds it may take.")] = 300.0,
    ir: Annotated[bool, typer.Option("--ir", help="Print the annotated IR too.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the evaluation as JSON.")] = False,
) -> None:
    """Verifies a candidate, times it, and diagnoses each of its kernels."""
    evaluation = _evaluate(candidate, target, seed, timeout)
    if as_json:
        print(to_json(evaluation))
    else:
        _print(evaluation, ir)
    if not evaluation.verdict.correct:
        raise typer.Exit(1)


def _evaluate(candidate: Path, target_name: str, seed: int, timeout_s: float) -> Evaluation:
    from kevolve.compile.targets import find_target
    from kevolve.evaluate.evaluator import Evaluator
    from kevolve.evaluate.sandbox import Limits
    from kevolve.problem import load_problem

    target = find_target(target_name)
    # A candidate carries its reference, so it is a problem file too.
    problem = load_problem(candidate)
    if "class ModelNew" not in problem.source:
        raise KevolveError("defines no class ModelNew: give a candidate, not a problem", candidate)
    evaluator = Evaluator(problem, target.name, seed, Limits(wall_time_s=timeout_s))
    return evaluator(problem.source)


def _print(evaluation: Evaluation, with_ir: bool) -> None:
    console = Console()
    verdict = evaluation.verdict
    console.print(f"{verdict.status} {verdict.reason}".strip(), highlight=False)
    if evaluation.measurement is not None:
        total_us = evaluation.measurement.time_ns / 1e3
        console.print(f"{total_us:.2f} us ({evaluation.measurement.time_kind})", highlight=False)
    for diagnosis in evaluation.diagnoses:
        console.print(_evidence_table(diagnosis))
        if diagnosis.hot_sites:
            console.print(_site_table(diagnosis))
    if with_ir:
        for name, text in evaluation.annotated_ir.items():
            console.print(f"// {name}", highlight=False)
            print(text)


def _evidence_table(diagnosis: Diagnosis) -> Table:
    title = f"{diagnosis.kernel}: {diagnosis.bottleneck} ({diagnosis.confidence:.0%} sure)"
    table = Table("evidence", "value", "unit", "from", title=title, title_justify="left")
    for metric in diagnosis.evidence:
        table.add_row(metric.name, f"{metric.value:.6g}", metric.unit, metric.source)
    return table


def _site_table(diagnosis: Diagnosis) -> Table:
    table = Table("site", "line", "count", "cycles", "self")
    for hot in diagnosis.hot_sites:
        place = f"{hot.site.line}:{hot.site.column}" if hot.site.line else ""
        name = f"{hot.site.kind} {hot.site.name}"
        table.add_row(name, place, str(hot.count), str(hot.total_cycles), f"{hot.self_share:.1%}")
    return table
