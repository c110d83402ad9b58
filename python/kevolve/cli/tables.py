"""Tables for the terminal."""

from __future__ import annotations

from rich.table import Table

from kevolve.records import Result


def result_table(result: Result) -> Table:
    """The outcome of a search, a line each."""
    table = Table(title=f"{result.problem} on {result.target}", show_header=False)
    kind = f" ({result.time_kind})" if result.time_kind else ""
    rows = [
        ("verdict", result.verdict or "nothing evaluated"),
        ("eager baseline", _time(result.baseline_time_ns) + kind),
        ("first seed", _time(result.first_seed_time_ns)),
        ("best kernel", _time(result.best_time_ns)),
        ("speedup over eager", f"{result.speedup:.2f}x" if result.speedup else "-"),
        ("bottleneck before", result.bottleneck_before or "-"),
        ("bottleneck after", result.bottleneck_after or "-"),
        ("candidates", f"{result.correct_candidates} correct of {result.candidates}"),
        ("kernel", result.best_file or "-"),
        ("report", result.report or "-"),
    ]
    for name, value in rows:
        table.add_row(name, str(value))
    return table


def _time(time_ns: float | None) -> str:
    return f"{time_ns / 1e3:.2f} us" if time_ns is not None else "-"
