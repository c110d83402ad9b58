"""Values of a Triton kernel's index arithmetic, computed with numpy for one program.

Integers, masks and pointers are followed exactly; what is loaded, and floating point, is not.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np


class Unknown:
    """A value that depends on data."""


UNKNOWN = Unknown()
Numbers: TypeAlias = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Pointer:
    """Addresses: an argument of the kernel and byte offsets from it."""

    base: str
    offsets: Numbers


@dataclass(frozen=True)
class Descriptor:
    """A tensor descriptor; shape and strides in elements, UNKNOWN where they depend on data."""

    base: str
    shape: tuple[Any, ...]
    strides: tuple[Any, ...]


Value: TypeAlias = Numbers | Pointer | Descriptor | Unknown

_SHAPE = re.compile(r"(?:tensor|tensordesc)<((?:\d+x)+)")
_POINTEE = re.compile(r"!tt\.ptr<([^,>]+)")
# Triton 3.7 writes `!tt.tensordesc<tensor<8x8xf16>>`, later releases leave `tensor` out.
_ELEMENT = re.compile(r"(?:tensor|tensordesc)<(?:\d+x)*((?!tensor\b)[a-z]\w*)")
_BITS = re.compile(r"[a-z]+?(\d+)(?:E\d.*)?$")


def shape_of(kind: str) -> tuple[int, ...]:
    """The shape that an MLIR type has; () for scalars."""
    found = _SHAPE.search(kind)
    return tuple(int(size) for size in found[1].split("x") if size) if found else ()


def element_of(kind: str) -> str:
    """The element type of a tensor or descriptor, what a pointer points to, or the type itself."""
    pointee = _POINTEE.search(kind)
    element = _ELEMENT.search(kind)
    if pointee is not None:
        return pointee[1]
    return element[1] if element is not None else kind


def bytes_of(element: str) -> int:
    """Bytes in memory of an element type such as `f16`, `bf16`, `f8E5M2`, `i1`."""
    # MLIR writes 8-bit floats with their format after the width.
    found = _BITS.match(element)
    bits = int(found[1]) if found else 64
    return max(1, bits // 8)


def is_float(kind: str) -> bool:
    return element_of(kind).startswith(("f", "bf"))


def _divide(a: Numbers, b: Numbers) -> Numbers:
    """Towards zero, as arith.divsi; division by zero gives zero rather than a trap."""
    safe = np.where(b == 0, 1, b)
    return np.asarray(np.sign(a) * np.sign(safe) * (np.abs(a) // np.abs(safe)))


def _remainder(a: Numbers, b: Numbers) -> Numbers:
    return np.asarray(a - _divide(a, b) * b)


def _ceil_divide(a: Numbers, b: Numbers) -> Numbers:
    safe = np.where(b == 0, 1, b)
    return np.asarray(-((-a) // safe))


BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "arith.addi": operator.add,
    "arith.subi": operator.sub,
    "arith.muli": operator.mul,
    "arith.divsi": _divide,
    "arith.divui": _divide,
    "arith.remsi": _remainder,
    "arith.remui": _remainder,
    "arith.ceildivsi": _ceil_divide,
    "arith.andi": operator.and_,
    "arith.ori": operator.or_,
    "arith.xori": operator.xor,
    "arith.shli": operator.lshift,
    "arith.shrsi": operator.rshift,
    "arith.shrui": operator.rshift,
    "arith.minsi": np.minimum,
    "arith.minui": np.minimum,
    "arith.maxsi": np.maximum,
    "arith.maxui": np.maximum,
}
# The order of arith::CmpIPredicate.
COMPARE: tuple[Callable[[Any, Any], Any], ...] = (
    operator.eq,
    operator.ne,
    operator.lt,
    operator.le,
    operator.gt,
    operator.ge,
    operator.lt,
    operator.le,
    operator.gt,
    operator.ge,
)
# Widths are not modelled: indices that overflow are a bug of the kernel.
SAME_VALUE = frozenset(
    {"arith.extsi", "arith.extui", "arith.trunci", "arith.index_cast", "tt.bitcast"}
)


def numbers(value: object) -> Numbers:
    return np.asarray(value)


def add_offset(pointer: Value, offset: Value, element_bytes: int) -> Value:
    """tt.addptr."""
    if not isinstance(pointer, Pointer) or not isinstance(offset, np.ndarray):
        return UNKNOWN
    moved = pointer.offsets + offset.astype(np.int64) * element_bytes
    return Pointer(pointer.base, moved)


def reshaped(value: Value, change: Callable[[Numbers], Numbers]) -> Value:
    """`value` with its numbers, or those of its offsets, put through `change`."""
    if isinstance(value, np.ndarray):
        return change(value)
    if isinstance(value, Pointer):
        return Pointer(value.base, change(value.offsets))
    return UNKNOWN
