"""Compiled C, optimised and vectorised, against qemu."""

from __future__ import annotations

import shutil
from pathlib import Path

import guest
import pytest

SOURCES = sorted((Path(__file__).parent / "programs").glob("*.c"))


@pytest.mark.usefixtures("qemu")
@pytest.mark.parametrize("level", ["-O0", "-O3"])
@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_program(source: Path, level: str, tmp_path: Path, runner: Path) -> None:
    copied = Path(shutil.copy(source, tmp_path))
    elf = guest.build(copied, level, f"-I{source.parent}", "-ffreestanding", "-fno-math-errno")
    theirs, ours = guest.run_on_qemu(elf), guest.run_on_hart(runner, elf)
    assert ours.status == theirs.status, ours.errors
    assert ours.output == theirs.output
    assert len(theirs.output) > 1000


def test_vectorised_code_is_vector_code(tmp_path: Path, runner: Path) -> None:
    copied = Path(shutil.copy(SOURCES[1], tmp_path))
    elf = guest.build(copied, "-O3", f"-I{SOURCES[1].parent}", "-ffreestanding", "-fno-math-errno")
    counters = dict(
        line.split() for line in guest.run_on_hart(runner, elf, "--counters").errors.splitlines()
    )
    assert int(counters["vector_instructions"]) > 1000
    assert int(counters["cycles"]) > int(counters["instructions"])
