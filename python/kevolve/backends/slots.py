"""Kernel arguments as the 8-byte slots of an argument block.

The MTIA launcher has the block in simulator/isa/mtia_isa.h; the loop over programs of the cpu
backend reads the same one (cpu/programs.py).
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from kevolve.errors import LaunchError

_INTEGER = re.compile(r"(?P<sign>[iu])(?P<bits>1|8|16|32|64)$")
_SLOT_MASK = (1 << 64) - 1


class Slots:
    """The slots of one signature: Triton type strings, `constexpr`, or tuples of them.

    `backend` is who refuses what cannot be passed.
    """

    def __init__(self, signature: Iterable[Any], backend: str) -> None:
        self.types = tuple(signature)
        self.backend = backend

    def pack(self, arguments: Sequence[Any]) -> list[int]:
        """One unsigned 64-bit value per argument that the kernel has at run time."""
        return [
            _packer(kind, self.backend)(value) for kind, value in _runtime(self.types, arguments)
        ]

    def tensors(self, arguments: Sequence[Any]) -> Iterator[Any]:
        """The tensors among the arguments."""
        for kind, value in _runtime(self.types, arguments):
            if kind.startswith("*") and hasattr(value, "data_ptr"):
                yield value


def _runtime(types: Sequence[Any], arguments: Sequence[Any]) -> Iterator[tuple[str, Any]]:
    """(type, value) of what is not a constant, tuples taken apart."""
    for kind, value in zip(types, arguments, strict=True):
        if isinstance(kind, tuple):
            yield from _runtime(kind, value)
        elif kind.startswith("tensordesc"):
            yield from _descriptor(kind, value)
        elif kind != "constexpr":
            yield kind, value


def _descriptor(kind: str, value: Any) -> Iterator[tuple[str, Any]]:
    """A descriptor made on the host as the pointer, shape and strides that it stands for.

    Triton's rewriting of descriptors to pointers expects them in the order of these functions.
    """
    from triton.backends import driver

    if not hasattr(driver, "decompose_descriptor"):
        raise LaunchError("tensor descriptors made on the host need Triton 3.9")
    types = driver.expand_signature([kind], None, "")
    yield from zip(types, driver.decompose_descriptor(value), strict=True)


def c_type(kind: str) -> str:
    """The C type of the value in a slot."""
    names = {"fp64": "double", "fp32": "float", "fp16": "uint16_t", "bf16": "uint16_t"}
    if kind.startswith("*"):
        return "uint64_t"
    if kind in names:
        return names[kind]
    bits = max(8, int(kind[1:]))
    return f"uint{bits}_t" if kind.startswith("u") else f"int{bits}_t"


def _packer(kind: str, backend: str) -> Callable[[Any], int]:
    if kind.startswith("*"):
        return lambda value: _pack_pointer(value, backend)
    if kind in _FLOAT_PACKERS:
        return _FLOAT_PACKERS[kind]
    if _INTEGER.match(kind):
        return lambda value: _pack_integer(kind, value)
    raise LaunchError(f"the {backend} backend takes no arguments of type {kind}")


def _pack_pointer(value: Any, backend: str) -> int:
    if value is None:
        return 0
    if not hasattr(value, "data_ptr"):
        return int(value)
    tensor = getattr(value, "base", value)
    if tensor.device.type != "cpu":
        raise LaunchError(f"the {backend} backend takes CPU tensors, got one on {tensor.device}")
    return int(value.data_ptr())


def _pack_integer(kind: str, value: Any) -> int:
    """Sign-extended from the width that the kernel sees; wider values wrap as in C."""
    bits = int(kind[1:])
    low = int(value) & ((1 << bits) - 1)
    negative = kind.startswith("i") and bits > 1 and low >> (bits - 1)
    return (low - (1 << bits)) & _SLOT_MASK if negative else low


def _pack_float(layout: str) -> Callable[[Any], int]:
    def pack(value: Any) -> int:
        return int.from_bytes(struct.pack(layout, _in_range(layout, float(value))), "little")

    return pack


def _in_range(layout: str, value: float) -> float:
    """`struct` raises where a conversion in C gives infinity."""
    try:
        struct.pack(layout, value)
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")
    return value


def _pack_bf16(value: Any) -> int:
    """Round to nearest, ties to even, on the bits of the float32."""
    bits = _pack_float("<f")(value)
    if value != value:
        return bits >> 16 | 0x40
    return (bits + 0x7FFF + (bits >> 16 & 1)) >> 16


_FLOAT_PACKERS: dict[str, Callable[[Any], int]] = {
    "fp16": _pack_float("<e"),
    "bf16": _pack_bf16,
    "fp32": _pack_float("<f"),
    "f32": _pack_float("<f"),
    "fp64": _pack_float("<d"),
}
