"""Vector loads and stores of every kind, against qemu."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
import test_vector
import vector_cases
import vector_memory_cases


@pytest.mark.usefixtures("qemu")
def test_memory(tmp_path: Path, runner: Path, seed: int, cases: int) -> None:
    print(f"seed {seed}")
    rng = random.Random(seed * 1000 + 700)
    drawn = [vector_memory_cases.case(rng) for _ in range(2 * cases)]
    source = vector_cases.program(rng, [lines for _, lines in drawn])
    source += vector_memory_cases.data(rng)
    test_vector.compare(tmp_path, runner, [text for text, _ in drawn], source)
