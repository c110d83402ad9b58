"""Operations on one element at a time."""

from __future__ import annotations

import numpy as np
import torch
from operation import FLOATS, INTEGERS, NUMBERS, SIGNED, UNSIGNED, Group, Operation, Values

_BITWISE = ("int1", *INTEGERS)


def _truncated_quotient(x: Values) -> np.ndarray:
    quotient = np.abs(x.a.astype(object)) // np.abs(x.c.astype(object))
    signs = np.where((x.a < 0) != (x.c < 0), -1, 1).astype(object)
    return (quotient * signs).astype(x.a.dtype)


def _remainder(x: Values) -> np.ndarray:
    return x.a - _truncated_quotient(x) * x.c


def _amount(x: Values) -> np.ndarray:
    return x.b & np.array(x.b.dtype.itemsize * 8 - 1, x.b.dtype)


def _high_half(x: Values) -> np.ndarray:
    product = x.a.astype(object) * x.b.astype(object)
    return (product >> (x.a.dtype.itemsize * 8)).astype(x.a.dtype)


def _fused(x: Values) -> np.ndarray:
    """Rounded once: NumPy's long double has the bits of a product of float32 and of more."""
    a, b, c = (one.astype(np.longdouble) for one in (x.a, x.b, x.c))
    return (a * b + c).astype(np.float64)


_AMOUNT = "(b & (b.dtype.primitive_bitwidth - 1))"
INTEGER_ARITHMETIC = Group(
    "Integer arithmetic",
    (
        Operation("a + b", "a + b", lambda x: x.a + x.b, INTEGERS),
        Operation("a - b", "a - b", lambda x: x.a - x.b, INTEGERS),
        Operation("a * b", "a * b", lambda x: x.a * x.b, INTEGERS),
        Operation("a // b", "a // c", _truncated_quotient, INTEGERS),
        Operation("a % b", "a % c", _remainder, INTEGERS),
        Operation("-a", "-a", lambda x: -x.a, SIGNED),
        Operation("a & b", "a & b", lambda x: x.a & x.b, _BITWISE),
        Operation("a | b", "a | b", lambda x: x.a | x.b, _BITWISE),
        Operation("a ^ b", "a ^ b", lambda x: x.a ^ x.b, _BITWISE),
        Operation("~a", "~a", lambda x: ~x.a, _BITWISE),
        Operation("a << b", f"a << {_AMOUNT}", lambda x: x.a << _amount(x), INTEGERS),
        Operation("a >> b", f"a >> {_AMOUNT}", lambda x: x.a >> _amount(x), INTEGERS),
        Operation("tl.abs", "tl.abs(a)", lambda x: np.abs(x.a), SIGNED),
        Operation("tl.umulhi", "tl.umulhi(a, b)", _high_half, ("uint32", "uint64")),
        Operation("tl.cdiv", "tl.cdiv(c, 7)", lambda x: (x.c + 6) // 7, UNSIGNED),
    ),
)

FLOAT_ARITHMETIC = Group(
    "Float arithmetic",
    (
        Operation("a + b", "a + b", lambda x: x.a + x.b, FLOATS),
        Operation("a - b", "a - b", lambda x: x.a - x.b, FLOATS),
        Operation("a * b", "a * b", lambda x: x.a * x.b, FLOATS),
        Operation("a / b", "a / c", lambda x: x.a / x.c, FLOATS, ulp=2),
        Operation(
            "a % b",
            "a % c",
            lambda x: np.fmod(x.a, x.c),
            FLOATS,
            fails={"*": "arith.remf would call fmod, and a PE has no C library"},
        ),
        Operation("-a", "-a", lambda x: -x.a, FLOATS),
        Operation("a + b of special values", "s + r", lambda x: x.s + x.r, FLOATS),
        Operation("a * b of special values", "s * r", lambda x: x.s * x.r, FLOATS),
        Operation("a / b of special values", "s / r", lambda x: x.s / x.r, FLOATS),
        Operation("tl.fma", "tl.fma(a, b, c)", _fused, FLOATS, ulp=1),
        Operation("tl.abs", "tl.abs(s)", lambda x: np.abs(x.s), FLOATS),
        Operation("tl.div_rn", "tl.div_rn(a, c)", lambda x: x.a / x.c, ("fp32",)),
        Operation("tl.sqrt_rn", "tl.sqrt_rn(c)", lambda x: np.sqrt(x.c), ("fp32",)),
        Operation("tl.fdiv", "tl.fdiv(a, c)", lambda x: x.a / x.c, FLOATS, ulp=2),
    ),
)


def _compare(symbol: str, function: np.ufunc) -> Operation:
    return Operation(
        f"a {symbol} b", f"s {symbol} r", lambda x: function(x.s, x.r), NUMBERS, "int1"
    )


COMPARISONS = Group(
    "Comparisons and choices (special values included)",
    (
        _compare("==", np.equal),
        _compare("!=", np.not_equal),
        _compare("<", np.less),
        _compare("<=", np.less_equal),
        _compare(">", np.greater),
        _compare(">=", np.greater_equal),
        Operation(
            "tl.where", "tl.where(s < r, a, b)", lambda x: np.where(x.s < x.r, x.a, x.b), NUMBERS
        ),
        Operation(
            "tl.where of i1", "tl.where(a, b, c)", lambda x: np.where(x.a, x.b, x.c), ("int1",)
        ),
        Operation("tl.maximum", "tl.maximum(s, r)", lambda x: np.fmax(x.s, x.r), NUMBERS),
        Operation("tl.minimum", "tl.minimum(s, r)", lambda x: np.fmin(x.s, x.r), NUMBERS),
        Operation(
            "tl.maximum, NaN propagated",
            "tl.maximum(s, r, propagate_nan=tl.PropagateNan.ALL)",
            lambda x: np.maximum(x.s, x.r),
            FLOATS,
        ),
        Operation(
            "tl.minimum, NaN propagated",
            "tl.minimum(s, r, propagate_nan=tl.PropagateNan.ALL)",
            lambda x: np.minimum(x.s, x.r),
            FLOATS,
        ),
        Operation(
            "tl.clamp",
            "tl.clamp(s, -1.0, 2.0)",
            lambda x: np.fmin(np.fmax(x.s, -1.0), 2.0),
            ("fp16", "bf16", "fp32", "fp64"),
        ),
        Operation(
            "tl.clamp, NaN propagated",
            "tl.clamp(s, -1.0, 2.0, propagate_nan=tl.PropagateNan.ALL)",
            lambda x: np.minimum(np.maximum(x.s, -1.0), 2.0),
            ("fp16", "bf16", "fp32", "fp64"),
        ),
    ),
)


def _sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def _erf(x: np.ndarray) -> np.ndarray:
    return torch.erf(torch.from_numpy(x)).numpy()


_MATH = ("fp32", "fp64")
# Units in the last place that approximations of the SE and of polynomials may be away.
_APPROXIMATE = 8
_DOUBLE = {"fp64": "transcendental functions have polynomials in float32 only"}
MATH = Group(
    "Mathematical functions",
    (
        Operation(
            "tl.exp", "tl.exp(a)", lambda x: np.exp(x.a), _MATH, ulp=_APPROXIMATE, fails=_DOUBLE
        ),
        Operation(
            "tl.exp2", "tl.exp2(a)", lambda x: np.exp2(x.a), _MATH, ulp=_APPROXIMATE, fails=_DOUBLE
        ),
        Operation(
            "tl.log", "tl.log(c)", lambda x: np.log(x.c), _MATH, ulp=_APPROXIMATE, fails=_DOUBLE
        ),
        Operation(
            "tl.log2", "tl.log2(c)", lambda x: np.log2(x.c), _MATH, ulp=_APPROXIMATE, fails=_DOUBLE
        ),
        Operation("tl.sqrt", "tl.sqrt(c)", lambda x: np.sqrt(x.c), _MATH, ulp=2),
        Operation("tl.rsqrt", "tl.rsqrt(c)", lambda x: 1 / np.sqrt(x.c), _MATH, ulp=4),
        Operation(
            "tl.sin", "tl.sin(a)", lambda x: np.sin(x.a), _MATH, ulp=_APPROXIMATE, fails=_DOUBLE
        ),
        Operation(
            "tl.cos", "tl.cos(a)", lambda x: np.cos(x.a), _MATH, ulp=_APPROXIMATE, fails=_DOUBLE
        ),
        Operation(
            "tl.erf", "tl.erf(a)", lambda x: _erf(x.a), _MATH, ulp=_APPROXIMATE, fails=_DOUBLE
        ),
        Operation("tl.floor", "tl.floor(s)", lambda x: np.floor(x.s), _MATH),
        Operation("tl.ceil", "tl.ceil(s)", lambda x: np.ceil(x.s), _MATH),
        Operation(
            "tl.sigmoid", "tl.sigmoid(a)", lambda x: _sigmoid(x.a), _MATH, ulp=16, fails=_DOUBLE
        ),
        Operation(
            "tl.softmax",
            "tl.softmax(t, dim=1)",
            lambda x: torch.from_numpy(x.t).softmax(1).numpy(),
            _MATH,
            ulp=32,
            fails=_DOUBLE,
        ),
        Operation(
            "libdevice.tanh",
            "libdevice.tanh(a)",
            lambda x: np.tanh(x.a),
            _MATH,
            ulp=_APPROXIMATE,
            fails=_DOUBLE,
        ),
        Operation(
            "tl.exp of special values",
            "tl.exp(s)",
            lambda x: np.exp(x.s),
            _MATH,
            ulp=8,
            fails=_DOUBLE,
        ),
        Operation(
            "tl.log of special values",
            "tl.log(s)",
            lambda x: np.log(x.s),
            _MATH,
            ulp=8,
            fails=_DOUBLE,
        ),
        Operation("tl.sqrt of special values", "tl.sqrt(s)", lambda x: np.sqrt(x.s), _MATH, ulp=2),
    ),
)

GROUPS = (INTEGER_ARITHMETIC, FLOAT_ARITHMETIC, COMPARISONS, MATH)
