"""What the tests of the synthesizer share: problems, and running candidates in the interpreter."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from kevolve.problem import load_problem
from problem_files import ROOT

INTERPRETER = Path(__file__).with_name("interpret.py")


TEMPLATE = """import torch
import torch.nn.functional as F
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
{init}

    def forward(self, {arguments}):
{body}


def get_inputs():
    return [{inputs}]
"""


def indented(text):
    return "\n".join(f"        {line}" for line in text.splitlines())


@pytest.fixture
def write_problem(tmp_path):
    """Makes a problem of the body of a `forward`, what it takes, and the inputs."""

    def write(body, arguments, inputs, init="", name="problem"):
        path = tmp_path / f"{name}.py"
        fields = {"body": indented(body), "init": indented(init)}
        path.write_text(TEMPLATE.format(arguments=arguments, inputs=inputs, **fields))
        return load_problem(path)

    return write


@pytest.fixture
def interpret(tmp_path):
    """Runs candidates of problems under the Triton interpreter, all in one process.

    Takes (problem, candidates) pairs; gives one record per candidate, in order.
    """

    def run(pairs):
        words = []
        for number, (problem, candidates) in enumerate(pairs):
            words += ["--", str(problem.path)]
            for index, candidate in enumerate(candidates):
                path = tmp_path / f"candidate_{number}_{index}.py"
                path.write_text(candidate.source)
                words.append(str(path))
        # Only Triton's own backends: the interpreter needs none.
        environment = os.environ | {"TRITON_INTERPRET": "1", "TRITON_BACKENDS_IN_TREE": "1"}
        environment["PYTHONPATH"] = str(ROOT / "python")
        command = [sys.executable, str(INTERPRETER), *words]
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=300, check=False
        )
        assert done.returncode == 0, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]

    return run


@pytest.fixture
def assert_right(interpret):
    """Asserts that every candidate computes what its reference computes."""

    def check(*pairs):
        every = [candidate for _, candidates in pairs for candidate in candidates]
        records = interpret(pairs)
        assert len(records) == len(every) > 0
        for record, candidate in zip(records, every, strict=True):
            assert "failure" not in record, record["failure"] + candidate.source
            assert max(record["excess"]) <= 0, candidate.source

    return check
