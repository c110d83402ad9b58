"""Problem files: what is read from them, and one clear line for each thing wrong with them."""

import pytest
import torch
from kevolve.errors import ProblemError
from kevolve.problem import load_problem, tolerance

GOOD = """import torch
from torch import nn


class Model(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(n))

    def forward(self, x):
        return x * self.weight


def get_inputs():
    return [torch.randn(4, 8)]


def get_init_inputs():
    return [8]
"""


def write(tmp_path, text):
    path = tmp_path / "problem.py"
    path.write_text(text)
    return path


def test_a_problem_is_loaded(tmp_path):
    problem = load_problem(write(tmp_path, GOOD))
    assert problem.name == "problem"
    (x,) = problem.inputs()
    assert problem.reference(problem.make_model(), [x]).shape == (4, 8)


def test_the_seed_decides_weights_and_inputs(tmp_path):
    problem = load_problem(write(tmp_path, GOOD))
    before = torch.random.get_rng_state()
    first, again, other = problem.inputs(1), problem.inputs(1), problem.inputs(2)
    assert torch.equal(first[0], again[0])
    assert not torch.equal(first[0], other[0])
    assert torch.equal(problem.make_model(3).weight, problem.make_model(3).weight)
    assert torch.equal(before, torch.random.get_rng_state())


def test_the_hash_is_that_of_the_content(tmp_path):
    one = load_problem(write(tmp_path, GOOD))
    (tmp_path / "other").mkdir()
    two = load_problem(write(tmp_path / "other", GOOD))
    assert one.hash == two.hash
    assert one.hash != load_problem(write(tmp_path, GOOD + "# changed\n")).hash


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        (GOOD.replace("x * self", "x * * self"), 11, "syntax error"),
        (GOOD.replace("class Model", "class Other"), None, "no class Model"),
        (GOOD.replace("class Model(nn.Module)", "class Model(int)"), 5, "not a torch.nn.Module"),
        (GOOD.replace("get_inputs", "inputs"), None, "no function get_inputs"),
        (GOOD.replace("import torch\n", "import torch, no_such_module\n"), 1, "no_such_module"),
    ],
)
def test_a_file_that_is_no_problem(tmp_path, text, line, words):
    with pytest.raises(ProblemError, match=words) as caught:
        load_problem(write(tmp_path, text))
    assert caught.value.line == line
    assert caught.value.file.endswith("problem.py")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "line", "use"),
    [
        ("return [torch.randn(4, 8)]", "return [torch.randn(-4)]", 15, "inputs"),
        ("return [8]", "raise ValueError('bad size')", 19, "make_model"),
        ("torch.randn(n)", "torch.randn(n, 'x')", 8, "make_model"),
        ("return [torch.randn(4, 8)]", "return 5", None, "inputs"),
    ],
)
def test_what_a_problem_raises_names_its_line(tmp_path, old, new, line, use):
    problem = load_problem(write(tmp_path, GOOD.replace(old, new)))
    with pytest.raises(ProblemError) as caught:
        getattr(problem, use)()
    assert caught.value.line == line


def test_a_failing_reference_names_its_line(tmp_path):
    problem = load_problem(write(tmp_path, GOOD.replace("x * self.weight", "x @ self.weight[1:]")))
    with pytest.raises(ProblemError) as caught:
        problem.reference(problem.make_model(), problem.inputs())
    assert caught.value.line == 11


def test_a_missing_file(tmp_path):
    with pytest.raises(ProblemError, match="no such problem file"):
        load_problem(tmp_path / "none.py")


def test_tolerances():
    assert tolerance(torch.float32).atol == 1e-4
    assert tolerance(torch.float32).rtol == 5e-4
    assert tolerance(torch.int64).atol == 0
    assert tolerance(torch.bool).rtol == 0
