"""The command `kevolve-opt` on Triton IR, on other MLIR, and on bad input."""

import subprocess
import sys

import pytest
from kevolve.cli import verify_diagnostics
from kevolve.cli.kevolve_opt import parse_words

KERNEL = """\
module {
  tt.func public @k(%n: i32) {
    %dead = arith.addi %n, %n : i32
    tt.return
  }
}
"""
PLAIN = "func.func @f(%n: i32) {\n  %dead = arith.addi %n, %n : i32\n  return\n}\n"
PROBED = """\
#k = #probe.site<id = 0, kind = kernel, name = "k", loc = "":0:0, parent = -1, bytes = 0, \
flops = 0, trip_count = -1>
module attributes {probe.sites = [#k]} {
  "tt.func"() <{function_type = () -> (), sym_name = "k", sym_visibility = "public"}> ({
    "tt.return"() : () -> ()
  }) : () -> ()
}
"""


def run(*words, stdin=None):
    command = [sys.executable, "-m", "kevolve.cli.kevolve_opt", *map(str, words)]
    return subprocess.run(command, input=stdin, capture_output=True, text=True)


@pytest.fixture
def kernel(tmp_path):
    path = tmp_path / "k.ttir"
    path.write_text(KERNEL)
    return path


def test_file_and_stdin_give_the_same(kernel):
    from_file = run(kernel, "--canonicalize")
    assert "tt.func public @k" in from_file.stdout
    assert "addi" not in from_file.stdout
    assert run("-", "--canonicalize", stdin=KERNEL).stdout == from_file.stdout
    assert run("--canonicalize", stdin=KERNEL).stdout == from_file.stdout


def test_output_file(kernel, tmp_path):
    result = run(kernel, "-o", tmp_path / "out.ttir")
    assert (result.returncode, result.stdout) == (0, "")
    assert "tt.return" in (tmp_path / "out.ttir").read_text()


def test_mlir_that_is_not_triton_goes_to_the_tool_untouched():
    result = run("--canonicalize", stdin=PLAIN)
    assert "func.func @f" in result.stdout
    assert "addi" not in result.stdout


def test_pass_pipeline(kernel):
    assert "addi" not in run(kernel, "--pass-pipeline=builtin.module(canonicalize)").stdout
    assert "addi" not in run(kernel, "--pass-pipeline", "builtin.module(canonicalize)").stdout


def test_split_input_file(kernel):
    kernel.write_text(KERNEL + "// -----\n" + KERNEL.replace("@k", "@second"))
    result = run(kernel, "--split-input-file", "--canonicalize")
    first, second = result.stdout.split("// -----\n")
    assert "@k" in first
    assert "@second" in second


def test_split_input_keeps_line_numbers(kernel):
    kernel.write_text(KERNEL + "// -----\n" + KERNEL.replace("tt.return", "tt.retrun"))
    result = run(kernel, "--split-input-file")
    assert result.returncode == 1
    assert f"{kernel}:11:5: error: " in result.stderr


def test_verify_diagnostics(kernel):
    message = "has probes already"
    kernel.write_text(
        PROBED.replace("module", f"// expected-error @+1 {{{{{message}}}}}\nmodule", 1)
    )
    good = run(kernel, "--probe-insert", "-verify-diagnostics")
    assert (good.returncode, good.stderr) == (0, "")
    kernel.write_text(PROBED)
    bad = run(kernel, "--probe-insert", "-verify-diagnostics")
    assert bad.returncode == 1
    assert f"{kernel}:2: error: unexpected error: " in bad.stderr
    kernel.write_text("// expected-error @below {{never}}\n" + KERNEL)
    missing = run(kernel, "-verify-diagnostics")
    assert missing.returncode == 1
    assert 'expected error "never" was not produced' in missing.stderr


def test_unparsable_triton_is_one_line_with_its_place(kernel):
    kernel.write_text(KERNEL.replace("tt.return", "tt.retrun"))
    result = run(kernel, "--canonicalize")
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith(f"{kernel}:4:5: error: ")


def test_unparsable_generic_is_one_line_with_its_place(tmp_path):
    path = tmp_path / "k.mlir"
    path.write_text(PROBED.replace('"tt.return"() : () -> ()', '"tt.return"() : () ->'))
    result = run(path)
    assert result.returncode == 1
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith(f"{path}:4:")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nowhere.ttir"], "nowhere.ttir: no such file"),
        (["a.mlir", "b.mlir"], "more than one input file: a.mlir, b.mlir"),
        (["--tritongpu-coalesce"], "--tritongpu-coalesce is a pass of Triton's own"),
        (["-convert-triton-to-tritongpu=target=cuda:80"], "is a pass of Triton's own"),
    ],
)
def test_bad_command_lines(words, message):
    result = run(*words, stdin=KERNEL)
    assert result.returncode == 1
    assert result.stderr.count("\n") == 1
    assert message in result.stderr


def test_unknown_pass_has_a_message_and_a_status(kernel):
    result = run(kernel, "--no-such-pass")
    assert result.returncode != 0
    assert "no-such-pass" in result.stderr


def test_binary_input(tmp_path):
    path = tmp_path / "k.cubin"
    path.write_bytes(b"\x7fELF\xff\xfe")
    result = run(path)
    assert result.returncode == 1
    assert f"{path}: not a text file" in result.stderr


def test_unwritable_output(kernel):
    result = run(kernel, "-o", "/nowhere/out.ttir")
    assert result.returncode == 1
    assert "/nowhere/out.ttir: cannot write" in result.stderr


def test_words():
    parsed = parse_words(["-o", "out", "a.mlir", "--pass-pipeline", "x", "--cse"])
    assert (parsed.input, parsed.output) == ("a.mlir", "out")
    assert parsed.passed == ("--pass-pipeline", "x", "--cse")
    assert parsed.asks_for("cse")
    assert not parsed.asks_for("canonicalize")


def test_annotation_places():
    source = "\n".join(
        [
            "// expected-error @below {{one}}",
            "// expected-note @+2 {{two}}",
            "op",
            "op // expected-warning {{three}}",
            "// expected-remark-re @above {{f{{[0-9]+}} (x)}}",
        ]
    )
    diagnostics = "\n".join(
        [
            "f:3:1: error: now one here",
            "f:4:1: note: two",
            "f:4:9: warning: three",
            "f:4:9: remark: f12 (x)",
        ]
    )
    assert verify_diagnostics.compare(source, diagnostics, "f") == []
    assert len(verify_diagnostics.compare(source, "", "f")) == 4
