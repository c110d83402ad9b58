"""`kevolve compile` as its users call it: every target, with and without probes, and bad input."""

import re
import subprocess
import sys

import pytest

KEVOLVE = [sys.executable, "-c", "from kevolve.cli.main import main; main()"]

ADD = """\
import triton
import triton.language as tl


@triton.jit
def add(x, y, z, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(z + offsets, tl.load(x + offsets, mask) + tl.load(y + offsets, mask), mask)
"""


@pytest.fixture
def kernel(tmp_path):
    path = tmp_path / "add.py"
    path.write_text(ADD)
    return f"{path}:add"


def run(*arguments):
    return subprocess.run([*KEVOLVE, *arguments], capture_output=True, text=True, timeout=300)


def emit(kernel, target, level, *more):
    done = run(
        "compile",
        kernel,
        *("--signature", "*fp32,*fp32,*fp32,i32", "--constant", "BLOCK=1024"),
        *("--target", target, "--emit", level),
        *more,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


# How each machine's code reads a clock.
CLOCKS = [
    ("cuda:sm_90", "ptx", r"%clock64|%globaltimer"),
    ("hip:gfx942", "amdgcn", r"s_memtime|s_memrealtime|s_getreg"),
    ("mtia", "asm", r"rdcycle"),
]


@pytest.mark.parametrize(("target", "level", "clock"), CLOCKS)
def test_probes_read_the_clock_and_nothing_else_does(kernel, target, level, clock):
    assert not re.search(clock, emit(kernel, target, level))
    # Two loads and a store, each with a begin and an end.
    assert len(re.findall(clock, emit(kernel, target, level, "--probes"))) >= 6


@pytest.mark.parametrize("level", ["ttir", "linalg", "mtia", "llir", "asm"])
def test_every_level_of_mtia_names_the_kernel(kernel, level):
    assert "add" in emit(kernel, "mtia", level)


def one_line(done):
    assert done.returncode != 0
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1, done.stderr
    return lines[0]


def test_ir_that_does_not_parse_is_named_with_its_line(tmp_path):
    path = tmp_path / "broken.ttir"
    path.write_text("module {\n  tt.func public @f() {\n    %0 = tt.frobnicate : i32\n  }\n}\n")
    for target in ("mtia", "cuda"):
        line = one_line(run("compile", str(path), "--target", target))
        assert f"{path}:3" in line, line


def test_an_op_that_mtia_cannot_run_is_named_with_its_line(tmp_path):
    path = tmp_path / "assembly.py"
    path.write_text(
        ADD.replace(
            "    tl.store(",
            '    n = tl.inline_asm_elementwise("mov.u32 $0, $1;", "=r,r", [n], tl.int32, True, 1)\n'
            "    tl.store(",
        ).replace("+ tl.load(y", "+ n + tl.load(y")
    )
    line = one_line(
        run(
            "compile",
            f"{path}:add",
            *("--signature", "*fp32,*fp32,*fp32,i32", "--constant", "BLOCK=1024"),
        )
    )
    assert f"{path}:9" in line and "inline" in line, line
