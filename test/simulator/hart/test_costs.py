"""Cycles, as the default CostModel counts them."""

from __future__ import annotations

from pathlib import Path

import guest
import pytest
from test_faults import assemble


def cycles(tmp_path: Path, runner: Path, body: str) -> int:
    outcome = guest.run_on_hart(runner, assemble(tmp_path, body), "--counters")
    assert outcome.status == 0, outcome.errors
    counters = dict(line.split() for line in outcome.errors.splitlines())
    return int(counters["cycles"])


@pytest.mark.parametrize(
    ("slow", "fast", "difference"),
    [
        # The next instruction waits for a load, a product or an FP result.
        ("ld a1, 0(sp); add a2, a1, a1", "ld a1, 0(sp); add a2, a3, a3", 1),
        ("mul a1, a2, a3; add a2, a1, a1", "mul a1, a2, a3; add a2, a3, a3", 2),
        (
            "fadd.s fa0, fa1, fa2; fadd.s fa3, fa0, fa0",
            "fadd.s fa0, fa1, fa2; fadd.s fa3, fa1, fa1",
            3,
        ),
        # One after the next does not.
        ("ld a1, 0(sp); nop; add a2, a1, a1", "ld a1, 0(sp); nop; add a2, a3, a3", 0),
        ("ld zero, 0(sp); add a2, zero, zero", "ld zero, 0(sp); add a2, a3, a3", 0),
        ("div a1, a2, a3", "add a1, a2, a3", 19),
        ("beq zero, zero, 1f; 1: nop", "bne zero, zero, 1f; 1: nop", 2),
    ],
)
def test_scalar(slow: str, fast: str, difference: int, tmp_path: Path, runner: Path) -> None:
    assert cycles(tmp_path, runner, slow) - cycles(tmp_path, runner, fast) == difference


def vector(setting: str, instruction: str, avl: str = "zero") -> str:
    return f"li a5, 3; vsetvli t0, {avl}, {setting}, ta, ma; {instruction}"


@pytest.mark.parametrize(
    ("slow", "fast", "difference"),
    [
        # 64 bytes a cycle: an m8 group takes 8 cycles, an m1 group one.
        (vector("e8, m8", "vadd.vv v8, v8, v8"), vector("e8, m1", "vadd.vv v8, v8, v8"), 7),
        # What counts are the bytes up to vl, not the group.
        (vector("e8, m8", "vadd.vv v8, v8, v8", "a5"), vector("e8, m1", "vadd.vv v8, v8, v8"), 0),
        # A widening result is twice as wide.
        (vector("e8, m2", "vwadd.vv v8, v4, v6"), vector("e8, m2", "vadd.vv v8, v4, v6"), 2),
        (vector("e32, m1", "vfdiv.vv v8, v4, v6"), vector("e32, m1", "vfmul.vv v8, v4, v6"), 7),
        (vector("e32, m1", "vredsum.vs v8, v4, v6"), vector("e32, m1", "vadd.vv v8, v4, v6"), 6),
    ],
)
def test_vector(slow: str, fast: str, difference: int, tmp_path: Path, runner: Path) -> None:
    assert cycles(tmp_path, runner, slow) - cycles(tmp_path, runner, fast) == difference
