"""`kevolve optimize` as a user runs it: a whole small search on the simulator."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from kevolve.search.tree import Tree
from kevolve.store import Store

PROBLEM = """
import torch
from torch import nn


class Model(nn.Module):
    def forward(self, x, y):
        return torch.softmax(x + y, dim=-1)


def get_inputs():
    return [torch.randn(64, 256), torch.randn(64, 256)]
"""
KEVOLVE = [sys.executable, "-c", "from kevolve.cli.main import main; main()"]


def kevolve(*arguments, **options):
    return subprocess.run(
        [*KEVOLVE, *map(str, arguments)], capture_output=True, text=True, timeout=300, **options
    )


@pytest.fixture
def problem(tmp_path):
    path = tmp_path / "add_softmax.py"
    path.write_text(PROBLEM)
    return path


def nodes_of(run_dir):
    with Store.open(run_dir) as store:
        return store.nodes()


def shape(run_dir):
    return [
        (node.id, node.parent_id, node.operator, node.parameters, node.source_hash, node.time_ns)
        for node in nodes_of(run_dir)
    ]


def test_finds_a_faster_kernel_and_says_why(problem, tmp_path):
    run_dir = tmp_path / "run"
    done = kevolve("optimize", problem, "--candidates", 3, "--run-dir", run_dir, "--json")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert result["verdict"] == "correct"
    assert result["time_kind"] == "simulated"
    assert result["best_time_ns"] <= result["first_seed_time_ns"] < result["baseline_time_ns"]
    assert result["speedup"] == pytest.approx(result["baseline_time_ns"] / result["best_time_ns"])
    assert result["candidates"] == 3
    assert result["bottleneck_before"] and result["bottleneck_after"]
    assert "<svg" in Path(result["report"]).read_text()

    # Two eager operators make two launches; their fusion makes one.
    baseline, seed = nodes_of(run_dir)[:2]
    assert len(baseline.evaluation.measurement.launches) == 2
    assert len(seed.evaluation.measurement.launches) == 1

    shown = kevolve("show", run_dir, "--json")
    assert json.loads(shown.stdout) == result

    best = kevolve("profile", result["best_file"], "--json")
    assert best.returncode == 0, best.stderr
    measured = json.loads(best.stdout)["measurement"]["time_ns"]
    assert measured == result["best_time_ns"]


def test_probes_add_up_to_the_kernel(problem, tmp_path):
    run_dir = tmp_path / "run"
    assert kevolve("optimize", problem, "--candidates", 1, "--run-dir", run_dir).returncode == 0
    for diagnosis in nodes_of(run_dir)[1].evaluation.diagnoses:
        kernel = next(hot for hot in diagnosis.hot_sites if hot.site.kind == "kernel")
        total = sum(hot.self_cycles for hot in diagnosis.hot_sites)
        assert total == pytest.approx(kernel.total_cycles, rel=0.02)


def test_kill_9_then_the_same_command_gives_the_same_tree(problem, tmp_path):
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    arguments = ["optimize", problem, "--candidates", "3", "--seed", "5", "--run-dir"]
    assert kevolve(*arguments, whole).returncode == 0
    process = subprocess.Popen(
        [*KEVOLVE, *map(str, arguments), str(killed)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    deadline = time.monotonic() + 240
    while time.monotonic() < deadline and process.poll() is None:
        if (killed / "store.sqlite").is_file() and len(_nodes_or_none(killed)) >= 2:
            break
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    before = shape(killed)
    assert kevolve(*arguments, killed).returncode == 0
    assert shape(killed)[: len(before)] == before
    assert shape(killed) == shape(whole)


def _nodes_or_none(run_dir):
    try:
        return nodes_of(run_dir)
    except Exception:  # the store is being made
        return []


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("def get_inputs(:\n", "add_softmax.py:1: syntax error"),
        (PROBLEM.replace("get_inputs", "make_inputs"), "no function get_inputs()"),
        (PROBLEM.replace("class Model", "class Modell"), "no class Model"),
        (PROBLEM.replace("torch.softmax(x + y, dim=-1)", "torch.fft.fft(x + y)"), "add_softmax.py"),
    ],
)
def test_bad_problems_are_one_line(problem, tmp_path, source, said):
    problem.write_text(source)
    done = kevolve("optimize", problem, "--run-dir", tmp_path / "run")
    assert done.returncode == 1
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stderr.strip().splitlines()[-1].startswith("kevolve: error: ")


def test_unknown_target_and_missing_file_are_one_line(problem, tmp_path):
    for arguments, said in (
        (["optimize", problem, "--target", "tpu"], "unknown target 'tpu'"),
        (["optimize", tmp_path / "none.py"], "none.py"),
        (["show", tmp_path], "no run here"),
        (["compile", f"{problem}:nothing"], "add_softmax.py"),
    ):
        done = kevolve(*arguments)
        assert done.returncode == 1, arguments
        assert said in done.stderr
        assert len(done.stderr.strip().splitlines()) == 1


def test_tree_of_the_store_is_whole(problem, tmp_path):
    run_dir = tmp_path / "run"
    assert kevolve("optimize", problem, "--candidates", 2, "--run-dir", run_dir).returncode == 0
    tree = Tree.of(nodes_of(run_dir))
    assert all(node.time_ns for node in tree.nodes.values())
