"""The command-line tool mtia-sim: the same machine, files for tensors."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import kevolve
import numpy as np
import pytest
from launching import c_kernel, kernel

TOOL = Path(kevolve.__file__).parent / "bin" / "mtia-sim"


def run(*arguments):
    return subprocess.run([TOOL, *map(str, arguments)], capture_output=True, text=True, check=False)


@pytest.fixture
def elf(tmp_path):
    path = tmp_path / "copy.elf"
    path.write_bytes(kernel("copy"))
    return path


def test_copies_a_file_and_reports(tmp_path, elf):
    source = np.random.default_rng(9).bytes(100_000)
    (tmp_path / "x.bin").write_bytes(source)
    outputs = [tmp_path / name for name in ("y.bin", "counters.json", "trace.json")]
    done = run(
        *(elf, f"in:{tmp_path / 'x.bin'}", f"out:{outputs[0]}:100000", 100_000),
        *("--pes", 1, "--repeat", 2, "--counters", outputs[1], "--trace", outputs[2]),
    )
    assert done.returncode == 0, done.stderr
    assert outputs[0].read_bytes() == source
    assert "kernel.cycles" in done.stdout
    counters = json.loads(outputs[1].read_text())
    assert counters["chip"] == "mtia-2i"
    assert counters["pes"][0]["written_bytes"] == 100_000
    events = json.loads(outputs[2].read_text())["traceEvents"]
    assert sum(event["name"] == "dma_load" for event in events) == 4


def test_arguments_are_slots(tmp_path):
    path = tmp_path / "k.elf"
    path.write_bytes(c_kernel("for (int i = 1; i < 7; ++i) ((uint64_t *)a[0])[i] = a[i];"))
    out = tmp_path / "o.bin"
    arguments = ["-3", "0x10", "f32:1.5", "f64:-2.5"]
    done = run(path, f"out:{out}:64", *arguments, "--grid", "5,6", "--pes", 1)
    assert done.returncode == 0, done.stderr
    slots = np.frombuffer(out.read_bytes(), np.int64)
    assert slots[1:3].tolist() == [-3, 16]
    assert slots[3:4].view(np.float32)[0] == 1.5
    assert slots[4:5].view(np.float64)[0] == -2.5
    assert slots[5:7].tolist() == [5, 6]


ERRORS = {
    "no kernel": ([], "no kernel given"),
    "absent file": (["/nowhere.elf"], "/nowhere.elf: cannot be read"),
    "not an ELF": ([__file__], "ELF"),
    "unknown option": (["{elf}", "--speed", "9"], "unknown option --speed"),
    "option without value": (["{elf}", "--grid"], "--grid needs a value"),
    "bad grid": (["{elf}", "--grid", "1,2,3,4"], "not a grid"),
    "bad argument": (["{elf}", "12x"], "'12x' is not an argument"),
    "bad output": (["{elf}", "out:file"], "expected out:FILE:BYTES"),
    "absent entry": (["{elf}", "--entry", "main"], "no symbol 'main'"),
    "fault": (["{elf}", "0", "0", "64", "--pes", "1"], "dma_load: row 0 of plane 0"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors_are_one_line(elf, name):
    arguments, expected = ERRORS[name]
    done = run(*(argument.replace("{elf}", str(elf)) for argument in arguments))
    assert done.returncode == 1
    assert done.stderr.startswith("mtia-sim: error: ")
    assert expected in done.stderr
    assert done.stderr.count("\n") == 1
