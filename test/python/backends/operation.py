"""One operation of Triton's language: how a kernel writes it, what it means, where it holds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
import torch

SIGNED = ("int8", "int16", "int32", "int64")
UNSIGNED = ("uint8", "uint16", "uint32", "uint64")
INTEGERS = SIGNED + UNSIGNED
FLOATS = ("fp16", "bf16", "fp32", "fp64")
FP8 = ("fp8e4nv", "fp8e5")
NUMBERS = INTEGERS + FLOATS
ALL = ("int1", *NUMBERS, *FP8)

# By Triton's names.
TORCH_DTYPES: dict[str, torch.dtype] = {
    "int1": torch.bool,
    **{name: getattr(torch, name) for name in INTEGERS},
    "fp16": torch.float16,
    "bf16": torch.bfloat16,
    "fp32": torch.float32,
    "fp64": torch.float64,
    "fp8e4nv": torch.float8_e4m3fn,
    "fp8e5": torch.float8_e5m2,
}


@dataclass(frozen=True)
class Values:
    """The operands of every operation: 256 values each, floats in float64.

    Attributes:
        a, b: both signs, over the range that the type leaves to arithmetic.
        c: floats between 0.05 and 8; integers other than zero, of small magnitude.
        s, r: all pairs of 16 special values.
    """

    a: np.ndarray
    b: np.ndarray
    c: np.ndarray
    s: np.ndarray
    r: np.ndarray

    @property
    def t(self) -> np.ndarray:
        """`a` as a matrix."""
        return self.a.reshape(16, 16)

    @property
    def u(self) -> np.ndarray:
        """`b` as a matrix."""
        return self.b.reshape(16, 16)

    @property
    def w(self) -> np.ndarray:
        """`c` as a matrix."""
        return self.c.reshape(16, 16)


@dataclass(frozen=True)
class Operation:
    """A row of the table.

    Attributes:
        name: what the coverage page calls it.
        expression: Triton source over the names of `Values`.
        reference: the same over NumPy arrays: integers of the type, floats in float64.
        dtypes: types of the operands.
        result: type of the result; that of the operands if empty.
        ulp: how far a float may be away, in units in the last place of the result's type;
            half a unit is correct rounding.
        setup: statements before the expression; `slot` points to where the result will be.
        fails: reasons by type; `*` stands for every type.
    """

    name: str
    expression: str
    reference: Callable[[Values], np.ndarray]
    dtypes: tuple[str, ...]
    result: str = ""
    ulp: float = 0.5
    setup: tuple[str, ...] = ()
    fails: Mapping[str, str] = field(default_factory=dict)

    def result_dtype(self, dtype: str) -> str:
        return self.result or dtype

    def reason(self, dtype: str) -> str | None:
        """Why it does not hold for `dtype`; nothing if it does."""
        return self.fails.get(dtype, self.fails.get("*"))


@dataclass(frozen=True)
class Group:
    """Operations that share a kernel for each type.

    Attributes:
        name: heading of the coverage page.
        operations: its rows.
    """

    name: str
    operations: tuple[Operation, ...]

    def dtypes(self) -> list[str]:
        """Types that some operation of the group takes."""
        return [one for one in ALL if any(one in op.dtypes for op in self.operations)]
