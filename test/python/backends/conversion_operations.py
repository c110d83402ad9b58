"""Conversions between every pair of types."""

from __future__ import annotations

import numpy as np
import torch
from operation import ALL, FLOATS, FP8, UNSIGNED, Group, Operation, Values

_FLOATING = (*FLOATS, *FP8)
EIGHT_BITS = "eight-bit floats are no elements of mtia.dma_load and mtia.dma_store"


def _converted(operand: str, target: str) -> object:
    """What C does: integers wrap, floats are truncated, anything but zero is true."""

    def reference(x: Values) -> np.ndarray:
        array = getattr(x, operand)
        if target == "int1":
            return array != 0
        return array.astype(np.float64 if target in _FLOATING else target)

    return reference


def _conversion(target: str) -> tuple[Operation, ...]:
    """To one type: from floats to unsigned integers, only values that there are.

    Triton itself converts eight-bit floats to and from floats alone.
    """
    if target in FP8:
        return (_operation("a", target, _FLOATING),)
    integers = tuple(one for one in ALL if one not in _FLOATING)
    if target in UNSIGNED:
        return (_operation("a", target, integers), _operation("c", target, FLOATS))
    return (_operation("a", target, ALL if target in FLOATS else integers + FLOATS),)


def _operation(operand: str, target: str, dtypes: tuple[str, ...]) -> Operation:
    name = {"fp8e4nv": "float8e4nv", "fp8e5": "float8e5", "bf16": "bfloat16"}.get(
        target, target.replace("fp", "float")
    )
    return Operation(
        f"to {target}" + " of positive values" * (operand == "c"),
        f"{operand}.to(tl.{name})",
        _converted(operand, target),
        tuple(one for one in dtypes if one != target),
        target,
        fails=dict.fromkeys(dtypes if target in FP8 else FP8, EIGHT_BITS),
    )


def _bitcast(target: str, dtypes: tuple[str, ...]) -> Operation:
    def reference(x: Values) -> np.ndarray:
        return x.a.view(target)

    return Operation(
        f"bitcast to {target}", f"a.to(tl.{target}, bitcast=True)", reference, dtypes, target
    )


def _toward_zero(x: Values) -> np.ndarray:
    bits = torch.from_numpy(x.s).float().view(torch.int32) & ~0xFFFF
    return bits.view(torch.float32).double().numpy()


CONVERSIONS = Group(
    "Conversions",
    (
        *(one for target in ALL for one in _conversion(target)),
        _bitcast("int32", ("uint32",)),
        _bitcast("uint16", ("int16",)),
        _bitcast("int64", ("fp64", "uint64")),
        Operation(
            "to bf16, towards zero",
            's.to(tl.bfloat16, fp_downcast_rounding="rtz")',
            _toward_zero,
            ("fp32",),
            "bf16",
            ulp=0,
        ),
    ),
)

GROUPS = (CONVERSIONS,)
