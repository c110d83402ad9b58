"""Operations on whole tiles: reductions, scans, orders, shapes and products."""

from __future__ import annotations

import numpy as np
from conversion_operations import EIGHT_BITS
from operation import FLOATS, INTEGERS, NUMBERS, Group, Operation, Values

_ORDERED = ("int32", "fp16", "fp32")


def _sum(axis: int | None) -> Operation:
    return Operation(
        f"tl.sum, axis {axis}",
        f"tl.sum(w, axis={axis}).to(w.dtype)",
        lambda x: x.w.sum(axis, dtype=x.w.dtype),
        NUMBERS,
        ulp=8,
    )


def _extremum(name: str, axis: int | None) -> Operation:
    function = {"max": np.max, "min": np.min}[name]
    return Operation(
        f"tl.{name}, axis {axis}",
        f"tl.{name}(t, axis={axis}).to(t.dtype)",
        lambda x: function(x.t, axis),
        NUMBERS,
    )


def _position(name: str, axis: int) -> Operation:
    function = {"argmax": np.argmax, "argmin": np.argmin}[name]
    return Operation(
        f"tl.{name}, axis {axis}",
        f"tl.{name}(t, axis={axis})",
        lambda x: function(x.t, axis),
        NUMBERS,
        "int32",
    )


REDUCTIONS = Group(
    "Reductions",
    (
        *(_sum(axis) for axis in (0, 1, None)),
        *(_extremum(name, axis) for name in ("max", "min") for axis in (0, 1, None)),
        *(_position(name, axis) for name in ("argmax", "argmin") for axis in (0, 1)),
        Operation(
            "tl.xor_sum",
            "tl.xor_sum(t, axis=1)",
            lambda x: np.bitwise_xor.reduce(x.t, 1),
            INTEGERS,
        ),
        Operation(
            "tl.max, with indices",
            "tl.max(t, axis=1, return_indices=True)[1]",
            lambda x: np.argmax(x.t, 1),
            ("int32", "fp32"),
            "int32",
        ),
        Operation(
            "tl.reduce, a product",
            "tl.reduce(w, 1, multiply)",
            lambda x: np.prod(x.w, 1, dtype=x.w.dtype),
            ("int32", "int64", "fp32", "fp64"),
            ulp=16,
        ),
        Operation(
            "tl.reduce, the last element",
            "tl.reduce(t, 1, last)",
            lambda x: x.t[:, -1],
            ("int32", "fp16", "fp32"),
        ),
        Operation(
            "tl.reduce, pairs",
            "tl.reduce((t, tl.broadcast_to(tl.arange(0, 16)[None, :], (16, 16))), 1, "
            "larger_pair)[1]",
            lambda x: np.argmax(x.t, 1),
            ("int32", "fp32"),
            "int32",
        ),
    ),
)


def _running(function: np.ufunc, reverse: bool = False):
    def reference(x: Values) -> np.ndarray:
        tile = x.w[:, ::-1] if reverse else x.w
        result = function.accumulate(tile, 1, dtype=tile.dtype)
        return result[:, ::-1] if reverse else result

    return reference


_SCANNED = ("int8", "int32", "int64", "uint32", "fp32", "fp64")
SCANS = Group(
    "Scans",
    (
        Operation(
            "tl.cumsum",
            "tl.cumsum(w, axis=1).to(w.dtype)",
            _running(np.add),
            (*_SCANNED, "fp16", "bf16"),
            ulp=16,
        ),
        Operation(
            "tl.cumsum, axis 0",
            "tl.cumsum(w, axis=0).to(w.dtype)",
            lambda x: np.add.accumulate(x.w, 0, dtype=x.w.dtype),
            _SCANNED,
            ulp=16,
        ),
        Operation(
            "tl.cumsum, reversed",
            "tl.cumsum(w, axis=1, reverse=True).to(w.dtype)",
            _running(np.add, True),
            _SCANNED,
            ulp=16,
        ),
        Operation("tl.cumprod", "tl.cumprod(w, axis=1)", _running(np.multiply), _SCANNED, ulp=16),
        Operation(
            "tl.associative_scan",
            "tl.associative_scan(w, 1, add)",
            _running(np.add),
            _SCANNED,
            ulp=16,
        ),
        Operation(
            "tl.associative_scan, pairs",
            "tl.associative_scan((t, tl.broadcast_to(tl.arange(0, 16)[None, :], (16, 16))), 1, "
            "larger_pair)[0]",
            lambda x: np.maximum.accumulate(x.t, 1),
            ("int32", "fp32"),
        ),
    ),
)

# A sort is unrolled: short rows keep its kernel small.
_SHORT = "tl.reshape(a, (32, 8))"


def _short(x: Values) -> np.ndarray:
    return x.a.reshape(32, 8)


ORDERS = Group(
    "Orders, counts and choices by index",
    (
        Operation("tl.sort", f"tl.sort({_SHORT})", lambda x: np.sort(_short(x), 1), _ORDERED),
        Operation(
            "tl.sort, descending",
            f"tl.sort({_SHORT}, descending=True)",
            lambda x: np.sort(_short(x), 1)[:, ::-1],
            _ORDERED,
        ),
        Operation(
            "tl.topk",
            f"tl.topk({_SHORT}, 4)",
            lambda x: np.sort(_short(x), 1)[:, ::-1][:, :4],
            _ORDERED,
        ),
        Operation("tl.flip", "tl.flip(t)", lambda x: x.t[:, ::-1], NUMBERS),
        Operation(
            "tl.histogram",
            "tl.histogram(c & 31, 32)",
            lambda x: np.bincount((x.c & 31).astype(np.int64), minlength=32),
            ("int32", "uint32"),
            "int32",
        ),
        Operation(
            "tl.gather, axis 1",
            "tl.gather(t, (tl.arange(0, 16)[:, None] * 3 + tl.arange(0, 16)[None, :] * 5) % 16, 1)",
            lambda x: np.take_along_axis(
                x.t, (np.arange(16)[:, None] * 3 + np.arange(16)[None, :] * 5) % 16, 1
            ),
            NUMBERS,
        ),
        Operation(
            "tl.gather, axis 0",
            "tl.gather(t, (tl.arange(0, 16)[:, None] * 3 + tl.arange(0, 16)[None, :] * 5) % 16, 0)",
            lambda x: np.take_along_axis(
                x.t, (np.arange(16)[:, None] * 3 + np.arange(16)[None, :] * 5) % 16, 0
            ),
            NUMBERS,
        ),
    ),
)

_MOVED = ("int1", *NUMBERS)
SHAPES = Group(
    "Shapes",
    (
        Operation("tl.trans", "tl.trans(t)", lambda x: x.t.T, _MOVED),
        Operation(
            "tl.permute",
            "tl.permute(tl.reshape(a, (4, 8, 8)), (2, 0, 1))",
            lambda x: x.a.reshape(4, 8, 8).transpose(2, 0, 1),
            _MOVED,
        ),
        Operation("tl.reshape", "tl.reshape(t, (4, 64))", lambda x: x.t.reshape(4, 64), _MOVED),
        Operation("tl.view", "tl.view(t, (64, 4))", lambda x: x.t.reshape(64, 4), _MOVED),
        Operation("tl.ravel", "tl.ravel(t)", lambda x: x.t.ravel(), _MOVED),
        Operation(
            "tl.broadcast_to",
            "tl.broadcast_to(tl.reshape(a, (256, 1)), (256, 2))",
            lambda x: np.broadcast_to(x.a[:, None], (256, 2)),
            _MOVED,
        ),
        Operation(
            "tl.expand_dims",
            "tl.expand_dims(t, 1)",
            lambda x: x.t[:, None, :],
            _MOVED,
        ),
        Operation("tl.join", "tl.join(t, u)", lambda x: np.stack([x.t, x.u], -1), _MOVED),
        Operation(
            "tl.split",
            "tl.split(tl.reshape(a, (128, 2)))[1]",
            lambda x: x.a.reshape(128, 2)[:, 1],
            _MOVED,
        ),
        Operation(
            "tl.interleave",
            "tl.interleave(a, b)",
            lambda x: np.stack([x.a, x.b], -1).ravel(),
            _MOVED,
        ),
        Operation(
            "tl.cat",
            "tl.cat(a, b)",
            lambda x: np.concatenate([x.a, x.b]),
            _MOVED,
        ),
        Operation("tl.full", "tl.full((8, 4), 3, t.dtype)", lambda x: np.full((8, 4), 3), NUMBERS),
        Operation("tl.zeros_like", "tl.zeros_like(t)", lambda x: np.zeros((16, 16)), _MOVED),
    ),
)


def _product(x: Values) -> np.ndarray:
    return x.w.astype(np.int64 if x.w.dtype.kind in "iu" else np.float64) @ x.w


_SCALED = "tt.dot_scaled is no operation that the conversion to linalg knows"
PRODUCTS = Group(
    "Products of matrices",
    (
        Operation("tl.dot", "tl.dot(w, w)", _product, FLOATS[:3], "fp32", ulp=16),
        Operation("tl.dot of fp64", "tl.dot(w, w)", _product, ("fp64",), "fp64", ulp=16),
        Operation("tl.dot of int8", "tl.dot(w, w)", _product, ("int8",), "int32"),
        Operation(
            "tl.dot, accumulating",
            "tl.dot(w, w, tl.full((16, 16), 2.0, tl.float32))",
            lambda x: _product(x) + 2,
            FLOATS[:3],
            "fp32",
            ulp=16,
        ),
        Operation(
            "tl.dot, fp16 out",
            "tl.dot(w, w, out_dtype=tl.float16)",
            _product,
            ("fp16",),
            ulp=4,
        ),
        Operation(
            "tl.dot, allow_tf32",
            "tl.dot(w, w, allow_tf32=True)",
            _product,
            ("fp32",),
            ulp=16,
        ),
        Operation(
            'tl.dot, input_precision="tf32x3"',
            'tl.dot(w, w, input_precision="tf32x3")',
            _product,
            ("fp32",),
            ulp=16,
        ),
        Operation(
            "tl.dot, batched",
            "tl.dot(tl.reshape(c, (4, 8, 8)), tl.reshape(c, (4, 8, 8)))",
            lambda x: x.c.reshape(4, 8, 8) @ x.c.reshape(4, 8, 8),
            FLOATS[:3],
            "fp32",
            ulp=16,
        ),
        Operation(
            "tl.dot of fp8",
            "tl.dot(w, w)",
            _product,
            ("fp8e4nv", "fp8e5"),
            "fp32",
            ulp=16,
            fails={"*": EIGHT_BITS},
        ),
        Operation(
            "tl.dot_scaled of fp8",
            "tl.dot_scaled(tl.reshape(c, (8, 32)), tl.full((8, 1), 128, tl.uint8), "
            '"{format}", tl.trans(tl.reshape(c, (8, 32))), tl.full((8, 1), 126, tl.uint8), '
            '"{format}")'.replace("{format}", "e5m2"),
            lambda x: x.c.reshape(8, 32) @ x.c.reshape(8, 32).T,
            ("fp8e5",),
            "fp32",
            ulp=16,
            fails={"*": _SCALED},
        ),
        Operation(
            "tl.dot_scaled of bf16",
            'tl.dot_scaled(tl.reshape(c, (8, 32)), tl.full((8, 1), 128, tl.uint8), "bf16", '
            'tl.trans(tl.reshape(c, (8, 32))), tl.full((8, 1), 126, tl.uint8), "bf16")',
            lambda x: x.c.reshape(8, 32) @ x.c.reshape(8, 32).T,
            ("bf16",),
            "fp32",
            ulp=16,
            fails={"*": _SCALED},
        ),
    ),
)

GROUPS = (REDUCTIONS, SCANS, ORDERS, SHAPES, PRODUCTS)
