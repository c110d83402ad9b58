"""Candidates on this machine's CPU: checked like all others, timed by the wall clock."""

import pytest
from kevolve.backends.cpu.launch import Launch
from kevolve.evaluate.evaluator import Evaluator
from kevolve.evaluate.measured import median_launches
from kevolve.evaluate.sandbox import Limits
from kevolve.problem import load_problem
from kevolve.records import Status, TimeKind

CANDIDATE = """
import torch
import triton
import triton.language as tl
from torch import nn


class Model(nn.Module):
    def forward(self, x):
        return x * 2 + 1


def get_inputs():
    return [torch.randn(1000)]


@triton.jit
def double_and_add(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, mask=at < n) * 2 + ADDEND, mask=at < n)


class ModelNew(Model):
    def forward(self, x):
        out = torch.empty_like(x)
        double_and_add[(4,)](x, out, 1000, BLOCK=256)
        return out
"""


def evaluate(tmp_path, source):
    path = tmp_path / "candidate.py"
    path.write_text(source)
    return Evaluator(load_problem(path), "cpu", 0, Limits(wall_time_s=120))(source)


def test_a_correct_candidate_is_timed(tmp_path):
    evaluation = evaluate(tmp_path, CANDIDATE.replace("ADDEND", "1"))
    assert evaluation.verdict.status is Status.CORRECT, evaluation.verdict.reason
    measurement = evaluation.measurement
    assert measurement.time_kind is TimeKind.MEASURED
    assert [(one.kernel, one.grid) for one in measurement.launches] == [
        ("double_and_add", (4, 1, 1))
    ]
    assert measurement.time_ns == measurement.launches[0].time_ns > 0


def test_a_wrong_candidate_is_told(tmp_path):
    assert evaluate(tmp_path, CANDIDATE.replace("ADDEND", "1.5")).verdict.status is Status.INCORRECT


def launch(kernel, time_ns):
    return Launch(kernel, (1, 1, 1), 2, time_ns)


def test_a_launch_takes_the_median_of_its_place():
    passes = [[launch("a", first), launch("b", 2 * first)] for first in (500, 10, 20, 30, 15)]
    assert [(one.kernel, one.time_ns) for one in median_launches(passes)] == [("a", 20), ("b", 40)]


def test_passes_launch_the_same_kernels():
    with pytest.raises(ValueError, match="launches other kernels when it runs again"):
        median_launches([[launch("a", 1)], [launch("b", 1)]])
