"""The Triton expression of each pointwise function, and how reductions combine."""

from __future__ import annotations

import math
from dataclasses import dataclass

# 1/sqrt(2) of the exact GELU; sqrt(2/pi) and 0.044715 of its tanh form (Hendrycks and Gimpel 2016).
GELU = "0.5 * {0} * (1.0 + tl.erf({0} * 0.7071067811865476))"
# tanh(u) = 2 sigmoid(2u) - 1, so 0.5 x (1 + tanh(u)) is x sigmoid(2u).
GELU_TANH = "{0} * tl.sigmoid(1.5957691216057308 * {0} * (1.0 + 0.044715 * {0} * {0}))"

EXPRESSIONS: dict[str, str] = {
    "identity": "{0}",
    "cast": "{0}",
    "add": "{0} + {1}",
    "sub": "{0} - {1}",
    "mul": "{0} * {1}",
    "div": "{0} / {1}",
    "square": "{0} * {0}",
    "maximum": "tl.maximum({0}, {1})",
    "minimum": "tl.minimum({0}, {1})",
    "bitwise_and": "{0} & {1}",
    "bitwise_or": "{0} | {1}",
    "bitwise_xor": "{0} ^ {1}",
    "logical_and": "{0} & {1}",
    "logical_or": "{0} | {1}",
    "logical_not": "{0} == 0",
    "exp": "tl.exp({0})",
    "exp2": "tl.exp2({0})",
    "log": "tl.log({0})",
    "log2": "tl.log2({0})",
    "sqrt": "tl.sqrt({0})",
    "rsqrt": "tl.rsqrt({0})",
    "abs": "tl.abs({0})",
    "neg": "-{0}",
    "sin": "tl.sin({0})",
    "cos": "tl.cos({0})",
    "erf": "tl.erf({0})",
    "sigmoid": "tl.sigmoid({0})",
    "tanh": "2.0 * tl.sigmoid(2.0 * {0}) - 1.0",
    "relu": "tl.maximum({0}, 0)",
    "silu": "{0} * tl.sigmoid({0})",
    "gelu": GELU,
    "gelu_tanh": GELU_TANH,
    "softplus": "tl.maximum({0}, 0.0) + tl.log(1.0 + tl.exp(-tl.abs({0})))",
    "reciprocal": "1.0 / {0}",
    "floor": "tl.floor({0})",
    "ceil": "tl.ceil({0})",
    "eq": "{0} == {1}",
    "ne": "{0} != {1}",
    "lt": "{0} < {1}",
    "le": "{0} <= {1}",
    "gt": "{0} > {1}",
    "ge": "{0} >= {1}",
    "where": "tl.where({0}, {1}, {2})",
}

# What the MTIA SIMD engine computes from tables; elsewhere each costs several instructions.
SPECIAL = frozenset(
    [
        "exp",
        "exp2",
        "log",
        "log2",
        "erf",
        "sigmoid",
        "tanh",
        "silu",
        "gelu",
        "gelu_tanh",
        "softplus",
    ]
)


@dataclass(frozen=True)
class Combine:
    """A reduction: what it starts from, how a tile is reduced, how two values join."""

    identity: str
    reduce: str
    join: str


# The smallest finite float32: a row of -inf then needs no special case (exp(-inf - lowest) is 0).
LOWEST = "-3.4028234663852886e38"
REDUCTIONS: dict[str, Combine] = {
    "sum": Combine("0", "tl.sum({0}, axis={axis})", "{0} + {1}"),
    "amax": Combine('float("-inf")', "tl.max({0}, axis={axis})", "tl.maximum({0}, {1})"),
    "amin": Combine('float("inf")', "tl.min({0}, axis={axis})", "tl.minimum({0}, {1})"),
    "prod": Combine("1", "tl.reduce({0}, {axis}, multiply)", "{0} * {1}"),
    "argmax": Combine('float("-inf")', "tl.argmax({0}, axis={axis})", ">"),
    "argmin": Combine('float("inf")', "tl.argmin({0}, axis={axis})", "<"),
}

INTEGER_BOUNDS = {
    "int8": (-128, 127),
    "uint8": (0, 255),
    "int16": (-(2**15), 2**15 - 1),
    "int32": (-(2**31), 2**31 - 1),
    "int64": (-(2**63), 2**63 - 1),
    "bool": (0, 1),
}


def identity(function: str, dtype: str) -> str:
    """The value that does not change a reduction of `dtype`."""
    if function in ("sum", "prod"):
        number = REDUCTIONS[function].identity
        return number if dtype in INTEGER_BOUNDS else f"{number}.0"
    if dtype in INTEGER_BOUNDS:
        return str(INTEGER_BOUNDS[dtype][0 if function.endswith("max") else 1])
    return REDUCTIONS[function].identity


def literal(value: bool | int | float, dtype: str) -> str:
    """A number as it stands in an expression of `dtype`."""
    if isinstance(value, bool) or dtype == "bool":
        return str(int(value))
    if isinstance(value, float) or dtype.startswith(("float", "bfloat")):
        return f'float("{value}")' if not math.isfinite(value) else repr(float(value))
    return str(value)
