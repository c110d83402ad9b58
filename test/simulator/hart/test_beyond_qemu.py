"""Zvbb and Zvfbfmin, which qemu 7.2 does not know, against models written here."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable
from pathlib import Path

import guest
import operands
import pytest
import vector_cases

BinaryModel = Callable[[int, int, int], int]


def _reverse(value: int, bits: int) -> int:
    return int(f"{value:0{bits}b}"[::-1], 2)


def _rotate_right(a: int, b: int, bits: int) -> int:
    b %= bits
    return (a >> b | a << (bits - b)) % (1 << bits)


def _leading_zeros(a: int, bits: int) -> int:
    return bits - a.bit_length()


# name of the .vv or .v form -> model of (vs2 element, vs1 element, SEW)
BINARY: dict[str, BinaryModel] = {
    "vandn.vv": lambda a, b, w: a & ~b % (1 << w),
    "vror.vv": lambda a, b, w: _rotate_right(a, b, w),
    "vrol.vv": lambda a, b, w: _rotate_right(a, -b, w),
    "vror.vi": lambda a, b, w: _rotate_right(a, 45, w),
}
UNARY: dict[str, BinaryModel] = {
    "vbrev.v": lambda a, b, w: _reverse(a, w),
    "vbrev8.v": lambda a, b, w: int.from_bytes(
        bytes(_reverse(x, 8) for x in a.to_bytes(w // 8, "little")), "little"
    ),
    "vrev8.v": lambda a, b, w: int.from_bytes(a.to_bytes(w // 8, "little"), "big"),
    "vclz.v": lambda a, b, w: _leading_zeros(a, w),
    "vctz.v": lambda a, b, w: _leading_zeros(_reverse(a, w), w),
    "vcpop.v": lambda a, b, w: a.bit_count(),
}


def _elements(register: bytes, bits: int) -> list[int]:
    size = bits // 8
    return [int.from_bytes(register[k : k + size], "little") for k in range(0, 64, size)]


def run_once(
    tmp_path: Path, runner: Path, sew: int, text: str, kind: str, frm: int = 0
) -> tuple[bytes, int]:
    """v0..v31 after `text` under e<sew>, m1, on registers from one pool; fcsr."""
    rng = random.Random(f"{text} {sew} {frm}")
    lines = [f"  la a2, pool_{kind}", "  jal load_vectors"]
    lines += [f"  vsetvli t0, zero, e{sew}, m1, tu, mu", f"  csrwi frm, {frm}"]
    lines += ["  jal dump", f"  {text}", "  jal dump"]
    asm = tmp_path / "one.S"
    asm.write_text(vector_cases.program(rng, [lines, []]))
    ours = guest.run_on_hart(runner, guest.build(asm, march=guest.MARCH))
    assert ours.status == 0, ours.errors
    size = vector_cases.RESULT_BYTES
    return ours.output, struct.unpack_from("<Q", ours.output, size + 2048 + 24)[0]


def registers(output: bytes, after: bool) -> list[bytes]:
    base = vector_cases.RESULT_BYTES if after else 0
    return [output[base + 64 * r : base + 64 * r + 64] for r in range(32)]


@pytest.mark.parametrize("sew", [8, 16, 32, 64])
@pytest.mark.parametrize("name", [*BINARY, *UNARY])
def test_zvbb(name: str, sew: int, tmp_path: Path, runner: Path) -> None:
    second = "" if name in UNARY else ", 45" if name.endswith(".vi") else ", v3"
    output, _ = run_once(tmp_path, runner, sew, f"{name} v4, v2{second}", "int")
    before, after = registers(output, False), registers(output, True)
    model = {**BINARY, **UNARY}[name]
    pairs = zip(_elements(before[2], sew), _elements(before[3], sew), strict=True)
    assert _elements(after[4], sew) == [model(a, b, sew) for a, b in pairs]


@pytest.mark.parametrize("sew", [8, 16, 32])
def test_widening_shift(sew: int, tmp_path: Path, runner: Path) -> None:
    output, _ = run_once(tmp_path, runner, sew, "vwsll.vv v4, v2, v3", "int")
    before, after = registers(output, False), registers(output, True)
    pairs = zip(_elements(before[2], sew), _elements(before[3], sew), strict=True)
    expected = [(a << (b % (2 * sew))) % (1 << (2 * sew)) for a, b in pairs]
    assert _elements(after[4], 2 * sew) + _elements(after[5], 2 * sew) == expected


def _to_bfloat16(bits: int, frm: int) -> tuple[int, bool]:
    """Of a finite float that does not overflow: the result, and whether inexact."""
    kept, lost, negative = bits >> 16, bits & 0xFFFF, bits >> 31
    up = {
        0: lost > 0x8000 or (lost == 0x8000 and kept & 1),
        1: False,
        2: negative and lost,
        3: not negative and lost,
        4: lost >= 0x8000,
    }[frm]
    return kept + bool(up), lost != 0


@pytest.mark.parametrize("frm", range(5))
def test_narrowing_to_bfloat16(frm: int, tmp_path: Path, runner: Path) -> None:
    text = "vfncvtbf16.f.f.w v4, v2"
    output, fcsr = run_once(tmp_path, runner, 16, text, "f32", frm)
    before, after = registers(output, False), registers(output, True)
    sources = _elements(before[2], 32) + _elements(before[3], 32)
    inexact = False
    for source, result in zip(sources, _elements(after[4], 16), strict=True):
        if source >> 23 & 0xFF == 0xFF and source & 0x7FFFFF:
            assert result == 0x7FC0
        elif source >> 23 & 0xFF < 0xFE:
            expected, lost = _to_bfloat16(source, frm)
            assert result == expected, hex(source)
            inexact |= lost
    assert fcsr >> 5 == frm
    assert fcsr & 1 >= inexact


def test_widening_from_bfloat16(tmp_path: Path, runner: Path) -> None:
    output, _ = run_once(tmp_path, runner, 16, "vfwcvtbf16.f.f.v v4, v2", "f16")
    before, after = registers(output, False), registers(output, True)
    for source, result in zip(
        _elements(before[2], 16), _elements(after[4], 32) + _elements(after[5], 32), strict=True
    ):
        nan = source & 0x7FFF > 0x7F80
        assert result == (0x7FC00000 if nan else source << 16), hex(source)


def test_operand_pool_is_awkward() -> None:
    pool = operands.pool(random.Random(1), "f32")
    fields = {word >> 23 & 0xFF for (word,) in struct.iter_unpack("<I", pool)}
    assert {0, 1, 254, 255} <= fields
