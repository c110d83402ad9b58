"""Whatever runs in the sandbox, the caller gets an answer and nothing is left behind."""

import os
import time
from pathlib import Path

import hostile
import pytest
from kevolve.evaluate import sandbox
from kevolve.evaluate.sandbox import Limits

LIMITS = Limits(wall_time_s=30.0, address_space_bytes=8 << 30, file_bytes=8 << 20)
SHORT = Limits(wall_time_s=1.0)


def run(function, directory, limits=LIMITS):
    return sandbox.run(function, str(directory), directory / "log", limits, warm=True)


def alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    # A killed child of a killed parent may wait for init to collect it.
    return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"


def test_result_and_output_come_back(tmp_path):
    ended = run(hostile.write_result, tmp_path)
    assert ended.clean
    assert (tmp_path / "result").read_text() == "done"
    assert set((tmp_path / "log").read_text().split("\n")) == {"hello", "to stderr", ""}


@pytest.mark.parametrize("function", [hostile.hang, hostile.hang_deaf])
def test_hang_is_ended(function, tmp_path):
    ended = run(function, tmp_path, SHORT)
    assert ended.timed_out
    assert not ended.clean
    assert ended.describe(SHORT) == "did not end within 1 s"


def test_segfault_is_told(tmp_path):
    assert run(hostile.segfault, tmp_path).describe(LIMITS) == "killed by SIGSEGV"


def test_exit_status_is_told(tmp_path):
    ended = run(hostile.exit_seven, tmp_path)
    assert ended.code == 7
    assert "status 7" in ended.describe(LIMITS)


def test_exit_zero_without_a_result_is_told(tmp_path):
    ended = run(hostile.exit_early, tmp_path)
    assert ended.clean
    assert not (tmp_path / "result").exists()


def test_memory_is_limited(tmp_path):
    ended = run(hostile.take_memory, tmp_path, Limits(address_space_bytes=4 << 30))
    assert not ended.clean
    assert "MemoryError" in (tmp_path / "log").read_text()


@pytest.mark.parametrize("function", [hostile.fill_disk, hostile.flood_output])
def test_files_are_limited(function, tmp_path):
    ended = run(function, tmp_path)
    assert not ended.clean
    assert all(path.stat().st_size <= LIMITS.file_bytes for path in tmp_path.iterdir())


def test_children_are_ended(tmp_path):
    assert run(hostile.leave_children, tmp_path).clean
    child = int((tmp_path / "child").read_text())
    deadline = time.monotonic() + 10
    while alive(child) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not alive(child)
