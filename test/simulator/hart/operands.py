"""Random operand bytes with more than their share of awkward values."""

from __future__ import annotations

import random
import struct

POOL_BYTES = 16384
WIDTHS = {"int": (1, 2, 4, 8), "f16": (2,), "f32": (4,), "f64": (8,)}
_FORMATS = {"f16": (2, 10, 5), "f32": (4, 23, 8), "f64": (8, 52, 11)}


def _integer(rng: random.Random, size: int) -> bytes:
    bits = 8 * size
    choices = (
        0, 1, (1 << bits) - 1, 1 << (bits - 1), (1 << (bits - 1)) - 1,
        rng.getrandbits(bits), rng.getrandbits(bits), rng.getrandbits(3),
        1 << rng.randrange(bits), rng.getrandbits(bits // 2), -rng.getrandbits(4) % (1 << bits),
    )  # fmt: skip
    return rng.choice(choices).to_bytes(size, "little")


def _float(rng: random.Random, kind: str) -> bytes:
    size, mantissa, exponent = _FORMATS[kind]
    top = (1 << exponent) - 1
    bias = top >> 1
    near_one = bias + rng.randrange(-3 * mantissa // 2, 3)
    fields = (0, 0, 1, top - 1, top, bias, bias + 1, rng.randrange(top), rng.randrange(top))
    field = rng.choice((*fields, near_one, near_one, bias + rng.randrange(-4, 5)))
    field = min(max(field, 0), top)
    any_fraction = rng.getrandbits(mantissa)
    fractions = (0, 0, 1, (1 << mantissa) - 1, 1 << (mantissa - 1), any_fraction, any_fraction)
    fraction = rng.choice((*fractions, rng.getrandbits(3) << (mantissa - 3)))
    bits = rng.getrandbits(1) << (mantissa + exponent) | field << mantissa | fraction
    return bits.to_bytes(size, "little")


def pool(rng: random.Random, kind: str) -> bytes:
    """`POOL_BYTES` of operands; integers change width every 64 bytes."""
    out = bytearray()
    while len(out) < POOL_BYTES:
        size = rng.choice(WIDTHS[kind])
        for _ in range(64 // size):
            out += _integer(rng, size) if kind == "int" else _float(rng, kind)
    return bytes(out)


def boxed(rng: random.Random, kind: str) -> int:
    """A 64-bit FP register that holds the kind, now and then wrongly boxed."""
    value = int.from_bytes(_float(rng, kind), "little")
    if kind == "f64" or rng.random() < 0.03:
        return value
    size = _FORMATS[kind][0]
    return value | (1 << 64) - (1 << (8 * size))


def word64(rng: random.Random) -> int:
    return struct.unpack("<Q", _integer(rng, 8))[0]


def data_directives(label: str, content: bytes) -> list[str]:
    lines = [f"{label}:"]
    for start in range(0, len(content), 64):
        words = struct.unpack("<8Q", content[start : start + 64])
        lines.append("  .dword " + ",".join(map(str, words)))
    return lines
