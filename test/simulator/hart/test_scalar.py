"""Random scalar instructions (I, M, A, F, D, C, Zba, Zbb, Zbs, Zfh), against qemu."""

from __future__ import annotations

import random
from pathlib import Path

import guest
import pytest
import scalar_cases
from vector_cases import EPILOGUE

SIZE = scalar_cases.RESULT_BYTES


def source_of(cases: list[list[str]]) -> str:
    body = [line for lines in cases for line in lines]
    bss = [".bss", ".balign 64", f"results: .zero {len(cases) * SIZE}"]
    parts = [scalar_cases.PROLOGUE, *body, EPILOGUE, scalar_cases.SCRATCH, *bss]
    return "\n".join(parts) + "\n"


@pytest.mark.usefixtures("qemu")
@pytest.mark.parametrize("part", range(2))
def test_scalar(part: int, tmp_path: Path, runner: Path, seed: int, cases: int) -> None:
    print(f"seed {seed}")
    rng = random.Random(seed * 1000 + 500 + part)
    drawn = [scalar_cases.case(rng) for _ in range(4 * cases)]
    asm = tmp_path / "scalar.S"
    asm.write_text(source_of([lines for _, lines in drawn]))
    elf = guest.build(asm)
    theirs, ours = guest.run_on_qemu(elf), guest.run_on_hart(runner, elf)
    assert (theirs.status, ours.status) == (0, 0), theirs.errors + ours.errors
    assert len(theirs.output) == len(drawn) * SIZE
    for k, (text, lines) in enumerate(drawn):
        a, b = (o.output[k * SIZE : (k + 1) * SIZE] for o in (ours, theirs))
        detail = "\n".join(lines)
        assert a == b, f"case {k}: {text}\nhart {a.hex(' ', 8)}\nqemu {b.hex(' ', 8)}\n{detail}"
