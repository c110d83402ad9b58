"""Malformed ELF files get one clear line, and never more than that."""

from __future__ import annotations

import random
import struct
from pathlib import Path

import guest
import pytest

SOURCE = """
.text
.globl _start
_start:
  la a0, word
  lw a0, 0(a0)
  li a7, 93
  ecall
.data
word: .word 42
"""


@pytest.fixture
def valid(tmp_path: Path) -> bytes:
    asm = tmp_path / "valid.S"
    asm.write_text(SOURCE)
    return guest.build(asm).read_bytes()


def run_bytes(tmp_path: Path, runner: Path, content: bytes) -> guest.Outcome:
    path = tmp_path / "changed.elf"
    path.write_bytes(content)
    return guest.run_on_hart(runner, path, "--max-instructions=10000")


def patched(content: bytes, offset: int, form: str, value: int) -> bytes:
    changed = bytearray(content)
    struct.pack_into(form, changed, offset, value)
    return bytes(changed)


def test_valid(tmp_path: Path, runner: Path, valid: bytes) -> None:
    assert run_bytes(tmp_path, runner, valid).status == 42


PROGRAM_HEADERS, LOAD_FIELDS = 64, {"offset": 8, "address": 16, "file": 32, "memory": 40}


def _load_header(content: bytes) -> int:
    """The second PT_LOAD: the code."""
    (count,) = struct.unpack_from("<H", content, 56)
    at = [PROGRAM_HEADERS + 56 * k for k in range(count)]
    return [a for a in at if struct.unpack_from("<I", content, a)[0] == 1][1]


@pytest.mark.parametrize(
    ("offset", "form", "value", "message"),
    [
        (0, "<I", 0, "not an ELF file"),
        (4, "<B", 1, "not a 64-bit little-endian file"),
        (5, "<B", 2, "not a 64-bit little-endian file"),
        (16, "<H", 3, "not a linked executable (type 3)"),
        (18, "<H", 62, "machine 62 is not RISC-V"),
        (32, "<Q", 1 << 63, "program header 0 lies outside the file"),
        (40, "<Q", 1 << 40, "section header 0 lies outside the file"),
        (54, "<H", 55, "program headers of an unknown size"),
        (56, "<H", 0, "nothing to load"),
        (58, "<H", 65, "section headers of an unknown size"),
    ],
)
def test_header(
    offset: int, form: str, value: int, message: str, tmp_path: Path, runner: Path, valid: bytes
) -> None:
    outcome = run_bytes(tmp_path, runner, patched(valid, offset, form, value))
    assert outcome.status == 126
    assert outcome.errors.endswith(f"ELF: {message}\n")


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("offset", 1 << 62, "lies outside the file"),
        ("file", 1 << 62, "lies outside the file"),
        ("memory", 1, "is larger in the file than in memory"),
        ("address", (1 << 64) - 4096, "ends above the address space"),
    ],
)
def test_segment(
    field: str, value: int, message: str, tmp_path: Path, runner: Path, valid: bytes
) -> None:
    at = _load_header(valid) + LOAD_FIELDS[field]
    outcome = run_bytes(tmp_path, runner, patched(valid, at, "<Q", value))
    assert outcome.status == 126
    assert message in outcome.errors


def test_truncated(tmp_path: Path, runner: Path, valid: bytes) -> None:
    for size in (0, 1, 63, 64, 100, len(valid) // 2, len(valid) - 1):
        outcome = run_bytes(tmp_path, runner, valid[:size])
        assert outcome.status == 126, size
        assert "ELF: " in outcome.errors


def test_random_damage_is_survived(tmp_path: Path, runner: Path, valid: bytes, seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(80):
        changed = bytearray(valid)
        for _ in range(rng.randrange(1, 6)):
            header = rng.random() < 0.7
            at = rng.randrange(400) if header else rng.randrange(len(changed))
            changed[at] = rng.choice((0, 1, 0x7F, 0x80, 0xFF, rng.randrange(256)))
        outcome = run_bytes(tmp_path, runner, bytes(changed))
        assert outcome.status >= 0, (outcome.status, outcome.errors)
