"""Runs candidates under Triton's interpreter. Started as a process of its own, with
TRITON_INTERPRET=1, because Triton reads that when it is imported.

    python interpret.py PROBLEM.py CANDIDATE.py... [-- PROBLEM.py CANDIDATE.py...]...

prints one JSON line per candidate: the largest error beyond the tolerance, or what went wrong.
"""

import importlib.util
import itertools
import json
import sys
import traceback
from pathlib import Path

import torch
from kevolve.problem import EXACT, load_problem, tolerance


def as_tuple(value):
    return value if isinstance(value, tuple | list) else (value,)


def widened(value):
    return value.double() if torch.is_tensor(value) and value.is_floating_point() else value


def expected_results(problem):
    """The reference in float64, and the types that the reference itself returns."""
    model, inputs = problem.make_model(), problem.inputs()
    kinds = [value.dtype for value in as_tuple(problem.reference(model, inputs))]
    wide = problem.reference(problem.make_model().double(), [widened(x) for x in inputs])
    return list(zip(as_tuple(wide), kinds, strict=True))


def excess(want, got, kind):
    """How far `got` lies outside of the tolerance; not positive when it is right."""
    if got.dtype != kind or got.shape != want.shape:
        return f"{got.dtype}{tuple(got.shape)} instead of {kind}{tuple(want.shape)}"
    limit = tolerance(kind)
    if limit == EXACT:
        return 0.0 if torch.equal(got, want.to(kind)) else 1.0
    got, want = got.double(), want.double()
    error = (got - want).abs() - limit.atol - limit.rtol * want.abs()
    error = torch.where((got == want) | (got.isnan() & want.isnan()), -limit.atol, error)
    return 1e9 if not torch.isfinite(error).all() else error.max().item()


def check(problem, path):
    spec = importlib.util.spec_from_file_location(Path(path).stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    candidate = module.ModelNew(*problem.init_inputs()).eval().requires_grad_(False)
    candidate.load_state_dict(problem.make_model().state_dict())
    with torch.no_grad():
        results = as_tuple(candidate(*problem.inputs()))
    wanted = expected_results(problem)
    assert len(results) == len(wanted)
    return [excess(want, got, kind) for (want, kind), got in zip(wanted, results, strict=True)]


def report(problem, path):
    try:
        record = {"excess": check(problem, path)}
    except Exception:  # reported to the test that started this process
        record = {"failure": traceback.format_exc()[-3000:]}
    print(json.dumps(record), flush=True)


def main():
    for starts, group in itertools.groupby(sys.argv[1:], key=lambda word: word == "--"):
        if starts:
            continue
        problem, *candidates = group
        for path in candidates:
            report(load_problem(problem), path)


if __name__ == "__main__":
    main()
