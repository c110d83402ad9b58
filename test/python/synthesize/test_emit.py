"""Emitted candidates: right results, deterministic and clean text, plans in their headers."""

import ast
import os
import subprocess
import sys

import pytest
from kevolve.problem import load_problem
from kevolve.synthesize.emit import emit
from kevolve.synthesize.plan import Plan
from kevolve.synthesize.seeder import baseline, seed
from problem_files import EXAMPLES, ROOT

example = pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)


def both(path, target="mtia"):
    problem = load_problem(path)
    return problem, [emit(problem, make(problem, target)) for make in (baseline, seed)]


def test_examples_are_right(assert_right):
    assert_right(*map(both, EXAMPLES))


@example
def test_the_seed_has_fewer_kernels_than_eager_has_operators(path):
    problem = load_problem(path)
    assert len(seed(problem, "mtia").kernels) < len(baseline(problem, "mtia").kernels)


@example
def test_the_plan_is_in_the_header(path):
    problem, candidates = both(path)
    for candidate in candidates:
        assert emit(problem, candidate.plan) == candidate
        assert Plan.from_json(candidate.plan.to_json()) == candidate.plan


@example
def test_forward_only_allocates_and_launches(path):
    """No ATen compute: every call in forward makes a buffer, a view or a launch."""
    _, candidates = both(path)
    allowed = {"empty", "view", "as_strided", "tuned"}
    for candidate in candidates:
        tree = ast.parse(candidate.source)
        model = next(n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == "ModelNew")
        calls = [n.func for n in ast.walk(model) if isinstance(n, ast.Call)]
        assert calls
        for called in calls:
            name = getattr(called, "attr", getattr(called, "id", None))
            assert isinstance(called, ast.Subscript) or name in allowed, ast.dump(called)


def test_sources_are_clean(tmp_path):
    for path in EXAMPLES:
        for index, candidate in enumerate(both(path)[1]):
            (tmp_path / f"{path.stem}_{index}.py").write_text(candidate.source)
    rules = ["--select", "E,F,I,B,UP,SIM,RUF", "--line-length", "100", "--isolated"]
    command = [sys.executable, "-m", "ruff", "check", *rules, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


HASHES = """
import sys
from pathlib import Path
from kevolve.problem import load_problem
from kevolve.synthesize.emit import emit
from kevolve.synthesize.seeder import baseline, seed
for path in sorted(Path(sys.argv[1]).glob("*.py")):
    problem = load_problem(path)
    print(path.stem, emit(problem, seed(problem, "mtia")).hash,
          emit(problem, baseline(problem, "mtia")).hash)
"""


def test_text_does_not_depend_on_the_process():
    outputs = set()
    for hash_seed in ("0", "1"):
        environment = os.environ | {"PYTHONHASHSEED": hash_seed}
        environment["PYTHONPATH"] = str(ROOT / "python")
        command = [sys.executable, "-c", HASHES, str(ROOT / "examples")]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        outputs.add(done.stdout)
    assert len(outputs) == 1
    assert len(outputs.pop().splitlines()) == len(EXAMPLES)
