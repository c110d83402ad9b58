from pathlib import Path

import pytest
import triton.language as tl
from kevolve.compile.specs import load_source, parse_spec, split_top_level
from kevolve.compile.targets import find_target
from kevolve.errors import CompileError
from kevolve.triton_bridge.kernels import DIVISIBLE_BY_16, FileSource

CUDA = find_target("cuda")
KERNELS = Path(__file__).parents[2] / "kernels"
ELEMENTWISE = KERNELS / "elementwise.py"

FILE = """\
import torch
import triton
import triton.language as tl


@triton.jit
def first(x_ptr, n, BLOCK: tl.constexpr, KIND: tl.constexpr = tl.float32):
    tl.store(x_ptr + tl.arange(0, BLOCK), tl.full((BLOCK,), n, KIND))


@triton.jit
def second(x_ptr):
    tl.store(x_ptr, 1)
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "kernels.py"
    path.write_text(FILE)
    return path


def test_signature_and_constants(file):
    spec = parse_spec(f"{file}:first", "*fp32,i32:16", ["BLOCK=64", "KIND=tl.float16"])
    source = load_source(spec, CUDA)
    assert source.runtime_parameters() == [("x_ptr", "*fp32"), ("n", "i32")]
    assert source.constants == {(2,): 64, (3,): tl.float16}
    assert source.attributes == {(0,): DIVISIBLE_BY_16, (1,): DIVISIBLE_BY_16}


def test_default_of_a_constant_and_hints(file):
    source = load_source(parse_spec(f"{file}:first", "*fp32:1,i32:1", ["BLOCK=64"]), CUDA)
    assert source.constants == {(1,): 1, (2,): 64, (3,): tl.float32}
    assert source.attributes == {}
    assert source.runtime_parameters() == [("x_ptr", "*fp32")]


def test_a_constant_may_replace_a_runtime_parameter(file):
    source = load_source(parse_spec(f"{file}:first", "*fp32", ["BLOCK=64", "n=7"]), CUDA)
    assert source.constants[(1,)] == 7


def test_types_from_the_example_of_the_file():
    source = load_source(parse_spec(f"{ELEMENTWISE}:gelu"), CUDA)
    assert source.signature == {
        "x_ptr": "*fp32",
        "out_ptr": "*fp16",
        "n": "i32",
        "BLOCK": "constexpr",
    }
    assert source.constants == {(3,): 1024}
    assert source.options["num_warps"] == 8
    assert source.grid == (1, 1, 1)
    assert source.arguments == {"n": 1000, "BLOCK": 1024}


def test_command_line_options_win_over_the_example():
    spec = parse_spec(f"{ELEMENTWISE}:gelu", options={"num_warps": 2}, grid=(9, 1, 1))
    source = load_source(spec, CUDA)
    assert (source.options["num_warps"], source.grid) == (2, (9, 1, 1))


def test_forward_pass_of_a_candidate_is_an_example(tmp_path):
    path = tmp_path / "candidate.py"
    path.write_text(
        FILE
        + """

class ModelNew(torch.nn.Module):
    def __init__(self, size):
        super().__init__()
        self.size = size

    def forward(self, x):
        out = torch.empty(self.size, device="cuda")
        first[(3, 2)](out, x.shape[0], BLOCK=64)
        return out


def get_inputs():
    return [torch.ones(48)]


def get_init_inputs():
    return [64]
"""
    )
    source = load_source(parse_spec(str(path)), CUDA)
    assert source.name == "first"
    assert source.grid == (3, 2, 1)
    assert source.arguments["n"] == 48


def test_ir_file(tmp_path):
    path = tmp_path / "k.ttir"
    path.write_text("module {}")
    assert load_source(parse_spec(str(path)), CUDA) == FileSource(path)


@pytest.mark.parametrize(
    ("function", "signature", "constants", "message"),
    [
        ("first", "*fp32", ["BLOCK=64"], "takes 2 types (x_ptr, n), the signature has 1"),
        ("first", "*fp32,i32", [], "needs a type or a value for BLOCK"),
        ("first", "*fp32,float", ["BLOCK=64"], "'float' is not a Triton type"),
        ("first", "*fp32,i32:8", ["BLOCK=64"], "only :1 and :16"),
        ("first", "*fp32,i32", ["BLOCK=64", "WIDTH=2"], "has no parameter WIDTH"),
        ("third", "*fp32", [], "no @triton.jit function 'third'; there are first, second"),
        ("", "*fp32", [], "name the kernel"),
        ("first", None, [], "launched by no kevolve_example* function"),
        ("first", None, ["BLOCK=64"], "constants go with a signature"),
    ],
)
def test_bad_specs(file, function, signature, constants, message):
    spec = parse_spec(f"{file}:{function}", signature, constants)
    with pytest.raises(CompileError) as caught:
        load_source(spec, CUDA)
    assert message in str(caught.value)
    assert str(caught.value).startswith(str(file))


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("def f(:\n", 1, "invalid syntax"),
        ("import torch\nimport no_such_module\n", 2, "No module named 'no_such_module'"),
        ("x = 1\ny = x / 0\n", 2, "ZeroDivisionError"),
        ("def kevolve_example():\n    raise ValueError('no')\n", 2, "ValueError: no"),
    ],
)
def test_errors_in_the_file_name_its_line(tmp_path, text, line, message):
    path = tmp_path / "broken.py"
    path.write_text(text)
    with pytest.raises(CompileError) as caught:
        load_source(parse_spec(f"{path}:k"), CUDA)
    assert str(caught.value).startswith(f"{path}:{line}: ")
    assert message in str(caught.value)


def test_constant_without_a_value():
    with pytest.raises(CompileError, match="'BLOCK' is not of the form NAME=VALUE"):
        parse_spec("k.py:f", "i32", ["BLOCK"])


@pytest.mark.parametrize("name", ["nowhere.py:f", "nowhere.ttir"])
def test_missing_file(name):
    with pytest.raises(CompileError, match="no such file"):
        load_source(parse_spec(name), CUDA)


def test_split_top_level():
    assert split_top_level("a, b{x=1,y=2}, tensordesc<fp16[8, 8]>,") == [
        "a",
        "b{x=1,y=2}",
        "tensordesc<fp16[8, 8]>",
    ]
