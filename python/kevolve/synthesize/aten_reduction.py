"""Reductions, softmax and normalisations."""

from __future__ import annotations

import math
from math import prod

import torch

from kevolve.synthesize.lowering import Call, Value, lowers, wide


def dims_of(call: Call, source: str, given: Value) -> tuple[int, ...]:
    rank = len(call.node(source).shape)
    if given is None or given == ():
        return tuple(range(rank))
    dims = given if isinstance(given, tuple | list) else (given,)
    return tuple(sorted(d % rank for d in dims)) if rank else ()


def count(call: Call, source: str, dims: tuple[int, ...]) -> int:
    return prod(call.node(source).shape[d] for d in dims)


def squeezed(call: Call, name: str, keep: bool) -> str:
    """`name` without the dimensions that the operator drops."""
    return name if keep else call.view("reshape", name, call.shape, part="flat")


@lowers("sum", "amax", "amin", "prod", "mean")
def _reduce(call: Call) -> Value:
    source = call.positional(0)
    dims = dims_of(call, source, call.argument("dim"))
    function = call.operator.removeprefix("aten.")
    if function == "mean":
        total = call.reduce("sum", source, dims, part="sum")
        result = call.point("div", total, count(call, source, dims))
    else:
        result = call.reduce(function, source, dims)
    return squeezed(call, result, bool(call.argument("keepdim", False)))


@lowers("max", "min")
def _extreme(call: Call) -> Value:
    source = call.positional(0)
    function = {"aten.max": "amax", "aten.min": "amin"}[call.operator]
    if not isinstance(call.fx.meta["val"], tuple | list):
        if len(call.fx.args) > 1:
            other = {"amax": "maximum", "amin": "minimum"}[function]
            return call.point(other, source, call.positional(1))
        result = call.reduce(function, source, dims_of(call, source, None))
        return squeezed(call, result, False)
    values, indices = call.fx.meta["val"]
    dims = dims_of(call, source, call.argument("dim"))
    kind = call.node(source).dtype
    best = call.reduce(function, source, dims, part="values", dtype=kind)
    where = call.reduce(f"arg{function[1:]}", source, dims, part="indices", dtype="int64")
    shapes = (tuple(values.shape), tuple(indices.shape))
    pairs = zip((best, where), shapes, strict=True)
    return tuple(call.view("reshape", name, shape, part="flat") for name, shape in pairs)


@lowers("argmax", "argmin")
def _argument(call: Call) -> Value:
    source = call.positional(0)
    dim = call.argument("dim")
    rank = len(call.node(source).shape)
    if dim is None and rank > 1:
        flat = call.view("reshape", source, (call.node(source).elements,), part="line")
        result = call.reduce(call.operator.removeprefix("aten."), flat, (0,))
        return call.view("reshape", result, call.shape, part="flat")
    dims = dims_of(call, source, dim)
    result = call.reduce(call.operator.removeprefix("aten."), source, dims)
    return squeezed(call, result, bool(call.argument("keepdim", False)))


@lowers("var", "std", "var_mean")
def _var(call: Call) -> Value:
    source = call.positional(0)
    dims = dims_of(call, source, call.argument("dim"))
    correction = call.argument("correction")
    if correction is None:
        correction = 0 if call.argument("unbiased") is False else 1
    keep = bool(call.argument("keepdim", False))
    mean, squares = centred(call, source, dims)
    spread = call.point("div", squares, count(call, source, dims) - correction, part="var")
    if call.operator == "aten.var_mean":
        shape = call.fx.meta["val"][0].shape
        both = (spread, mean)
        return tuple(call.view("reshape", name, tuple(shape), part="flat") for name in both)
    if call.operator == "aten.std":
        return squeezed(call, call.point("sqrt", spread), keep)
    return squeezed(call, call.point("identity", spread), keep)


def centred(call: Call, source: str, dims: tuple[int, ...]) -> tuple[str, str]:
    """The mean of `source` and the sum of squares of its distance from the mean."""
    kind = wide(call.node(source).dtype)
    total = call.reduce("sum", source, dims, part="sum", dtype=kind)
    mean = call.point("div", total, count(call, source, dims), part="mean", dtype=kind)
    centre = call.point("sub", source, mean, part="centre", dtype=kind)
    square = call.point("square", centre, part="square", dtype=kind)
    return mean, call.reduce("sum", square, dims, part="squares", dtype=kind)


@lowers("softmax", "_softmax", "log_softmax", "_log_softmax")
def _softmax(call: Call) -> Value:
    source, dims = call.positional(0), dims_of(call, call.positional(0), call.argument("dim"))
    shifted, total, exponent = shifted_exponentials(call, source, dims)
    if "log" in call.operator:
        return call.point("sub", shifted, call.point("log", total, part="log"))
    return call.point("div", exponent, total)


def shifted_exponentials(call: Call, source: str, dims: tuple[int, ...]) -> tuple[str, str, str]:
    """x - max, the sum of exp(x - max), and exp(x - max)."""
    kind = wide(call.node(source).dtype)
    peak = call.reduce("amax", source, dims, part="max", dtype=kind)
    shifted = call.point("sub", source, peak, part="shifted", dtype=kind)
    exponent = call.point("exp", shifted, part="exp", dtype=kind)
    return shifted, call.reduce("sum", exponent, dims, part="total", dtype=kind), exponent


@lowers("logsumexp")
def _logsumexp(call: Call) -> Value:
    source = call.positional(0)
    dims = dims_of(call, source, call.argument("dim"))
    shifted, total, _ = shifted_exponentials(call, source, dims)
    peak = call.node(shifted).sources[1]
    result = call.point("add", call.point("log", total, part="log"), peak)
    return squeezed(call, result, bool(call.argument("keepdim", False)))


@lowers("linalg_vector_norm")
def _vector_norm(call: Call) -> Value:
    source, order = call.positional(0), call.argument("ord")
    dims = dims_of(call, source, call.argument("dim"))
    keep = bool(call.argument("keepdim", False))
    if order == 2:
        squares = call.reduce("sum", call.point("square", source, part="square"), dims, part="sum")
        return squeezed(call, call.point("sqrt", squares), keep)
    if order not in (1, math.inf):
        raise call.fail(f"order {order}")
    size = call.point("abs", source, part="abs")
    return squeezed(call, call.reduce("sum" if order == 1 else "amax", size, dims), keep)


@lowers("layer_norm")
def _layer_norm(call: Call) -> Value:
    source, shape = call.positional(0), call.argument("normalized_shape")
    rank = len(call.node(source).shape)
    dims = tuple(range(rank - len(shape), rank))
    weight, bias, eps = (call.argument(name) for name in ("weight", "bias", "eps"))
    return _standardised(call, source, dims, weight, bias, eps)


@lowers("rms_norm")
def _rms_norm(call: Call) -> Value:
    source, shape = call.positional(0), call.argument("normalized_shape")
    rank = len(call.node(source).shape)
    dims = tuple(range(rank - len(shape), rank))
    eps = call.argument("eps")
    if eps is None:
        eps = torch.finfo(getattr(torch, call.dtype)).eps
    total = call.reduce("sum", call.point("square", source, part="square"), dims, part="squares")
    mean = call.point("div", total, count(call, source, dims), part="mean")
    scale = call.point("rsqrt", call.point("add", mean, eps, part="stable"), part="rstd")
    return _affine(call, source, scale, call.argument("weight"), None)


@lowers("group_norm")
def _group_norm(call: Call) -> Value:
    """Over (N, groups, channels of a group, ...): one view, so that one kernel does it all."""
    source, groups = call.positional(0), call.argument("num_groups")
    batch, channels, *rest = call.shape
    inner = (channels // groups, *rest)
    grouped = call.view("reshape", source, (batch, groups, *inner), part="grouped")
    each = (1, groups, channels // groups, *(1 for _ in rest))
    weight, bias = (_per_channel(call, name, each) for name in ("weight", "bias"))
    dims = tuple(range(2, 2 + len(inner)))
    result = _standardised(call, grouped, dims, weight, bias, call.argument("eps"))
    return call.view("reshape", result, call.shape, part="flat")


@lowers("instance_norm")
def _instance_norm(call: Call) -> Value:
    if not call.argument("use_input_stats"):
        raise call.fail("running statistics")
    each = (1, call.shape[1], *(1 for _ in call.shape[2:]))
    weight, bias = (_per_channel(call, name, each) for name in ("weight", "bias"))
    dims = tuple(range(2, len(call.shape)))
    return _standardised(call, call.positional(0), dims, weight, bias, call.argument("eps"))


@lowers("_native_batch_norm_legit_no_training")
def _batch_norm(call: Call) -> Value:
    """With running statistics; of the three results only the first is used in inference."""
    each = (1, call.shape[1], *(1 for _ in call.shape[2:]))
    names = ("running_mean", "running_var", "weight", "bias")
    mean, spread, weight, bias = (_per_channel(call, name, each) for name in names)
    centre = call.point("sub", call.positional(0), mean, part="centre")
    stable = call.point("add", spread, call.argument("eps"), part="stable")
    scale = call.point("rsqrt", stable, part="rstd")
    return _affine(call, centre, scale, weight, bias), None, None


def _per_channel(call: Call, name: str, shape: tuple[int, ...]) -> Value:
    """A parameter of one value per channel, where there is one, with the dimensions of `shape`."""
    value = call.argument(name)
    return None if value is None else call.view("reshape", value, shape, part=name)


def _standardised(
    call: Call, source: str, dims: tuple[int, ...], weight: Value, bias: Value, eps: float
) -> str:
    """`source` with mean 0 and variance 1 over `dims`, scaled and shifted."""
    mean, squares = centred(call, source, dims)
    variance = call.point("div", squares, count(call, source, dims), part="var")
    scale = call.point("rsqrt", call.point("add", variance, eps, part="stable"), part="rstd")
    centre = call.point("sub", source, mean, part="distance")
    return _affine(call, centre, scale, weight, bias)


def _affine(call: Call, source: str, scale: str, weight: Value, bias: Value) -> str:
    if weight is None and bias is None:
        return call.point("mul", source, scale)
    value = call.point("mul", source, scale, part="normal")
    if weight is None:
        return call.point("add", value, bias)
    if bias is None:
        return call.point("mul", value, weight)
    return call.point("add", call.point("mul", value, weight, part="scaled"), bias)
