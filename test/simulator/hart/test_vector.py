"""Every arithmetic vector instruction, against qemu, bit for bit."""

from __future__ import annotations

import random
import re
import struct
from pathlib import Path

import guest
import pytest
import vector_cases
from vector_table import OPS, VectorOp

GROUPS = 6


def first_difference(texts: list[str], ours: bytes, theirs: bytes) -> str:
    size = vector_cases.RESULT_BYTES
    for index, text in enumerate(texts):
        a, b = ours[index * size : (index + 1) * size], theirs[index * size : (index + 1) * size]
        if a != b:
            at = next(k for k in range(size) if a[k] != b[k])
            where = f"v{at // 64} byte {at % 64}" if at < 2048 else f"word {(at - 2048) // 8}"
            low = at // 64 * 64
            return (
                f"case {index}: {text}: {where}\n hart {a[low : low + 64].hex(' ', 8)}\n"
                f" qemu {b[low : low + 64].hex(' ', 8)}\n"
                f" hart vstart,vl,vtype,fcsr,vcsr,x,f {struct.unpack('<7Q', a[2048:2104])}\n"
                f" qemu vstart,vl,vtype,fcsr,vcsr,x,f {struct.unpack('<7Q', b[2048:2104])}"
            )
    return "lengths differ"


def without_rtz(source: str) -> str:
    """qemu 7.2 asserts on vfcvt.rtz.*: there, round dynamically under frm = 1."""
    return re.sub(r"csrwi frm, \d\n(.*\n)?(  vf[wn]?cvt\.)rtz\.", r"csrwi frm, 1\n\1\2", source)


def compare(path: Path, runner: Path, texts: list[str], source: str) -> None:
    asm, reference = path / "cases.S", path / "reference.S"
    asm.write_text(source)
    reference.write_text(without_rtz(source))
    theirs = guest.run_on_qemu(guest.build(reference))
    assert theirs.status == 0, f"qemu: {theirs.status} {theirs.errors}"
    ours = guest.run_on_hart(runner, guest.build(asm))
    assert ours.status == 0, ours.errors
    assert len(theirs.output) == len(texts) * vector_cases.RESULT_BYTES
    assert ours.output == theirs.output, first_difference(texts, ours.output, theirs.output)


def draw(rng: random.Random, ops: list[VectorOp], count: int) -> list[tuple[str, list[str]]]:
    """At least one case of each instruction, settings in turn."""
    drawn = []
    for k in range(max(count, len(ops))):
        op = ops[k % len(ops)]
        drawn.append(vector_cases.case(rng, op, rng.choice(vector_cases.settings_for(op))))
    return drawn


@pytest.mark.usefixtures("qemu")
@pytest.mark.parametrize("part", range(GROUPS))
def test_arithmetic(part: int, tmp_path: Path, runner: Path, seed: int, cases: int) -> None:
    print(f"seed {seed}")
    rng = random.Random(seed * 1000 + part)
    drawn = draw(rng, OPS[part::GROUPS], cases)
    source = vector_cases.program(rng, [lines for _, lines in drawn])
    compare(tmp_path, runner, [text for text, _ in drawn], source)
