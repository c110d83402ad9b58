"""Pointwise ATen operators."""

from __future__ import annotations

import math

import torch

from kevolve.synthesize.graph import Operand
from kevolve.synthesize.lowering import FLOATS, Call, Value, dtype_name, lowers, wide

COMPARISONS = {"eq": "eq", "ne": "ne", "lt": "lt", "le": "le", "gt": "gt", "ge": "ge"}
UNARY = (
    "exp",
    "exp2",
    "log",
    "log2",
    "sqrt",
    "rsqrt",
    "abs",
    "neg",
    "sin",
    "cos",
    "erf",
    "sigmoid",
    "tanh",
    "relu",
    "silu",
    "reciprocal",
    "floor",
    "ceil",
)


def promoted(call: Call, *operands: Operand) -> str:
    """The type that PyTorch promotes `operands` to."""
    tensors = [
        torch.empty(call.node(o).shape, dtype=getattr(torch, call.node(o).dtype), device="meta")
        for o in operands
        if isinstance(o, str)
    ]
    others = [o for o in operands if not isinstance(o, str)]
    if len(tensors) + len(others) < 2:
        return dtype_name(tensors[0].dtype)
    left, right = [*tensors, *others][:2]
    return dtype_name(torch.result_type(left, right))


def _unary(call: Call) -> Value:
    function = call.operator.removeprefix("aten.")
    return call.point(function, call.positional(0))


lowers(*UNARY)(_unary)


@lowers("add", "sub")
def _add(call: Call) -> Value:
    left, right, alpha = call.positional(0), call.positional(1), call.argument("alpha", 1)
    if alpha != 1:
        right = call.point("mul", right, alpha, part="scaled")
    return call.point(call.operator.removeprefix("aten."), left, right)


@lowers("rsub")
def _rsub(call: Call) -> Value:
    scaled = call.positional(0)
    if call.argument("alpha", 1) != 1:
        scaled = call.point("mul", scaled, call.argument("alpha"), part="scaled")
    return call.point("sub", call.positional(1), scaled)


@lowers("mul", "maximum", "minimum", "bitwise_and", "bitwise_or", "bitwise_xor")
def _binary(call: Call) -> Value:
    function = call.operator.removeprefix("aten.")
    return call.point(function, call.positional(0), call.positional(1))


@lowers("logical_and", "logical_or", "logical_not")
def _logical(call: Call) -> Value:
    function = call.operator.removeprefix("aten.logical_")
    operands = [_truth(call, call._resolve(arg)) for arg in call.fx.args]
    return call.point(f"logical_{function}", *operands, compute="bool")


@lowers("bitwise_not")
def _not(call: Call) -> Value:
    if call.dtype != "bool":
        raise call.fail("only for booleans")
    return call.point("logical_not", call.positional(0))


def _truth(call: Call, operand: Operand) -> Operand:
    if isinstance(operand, str) and call.node(operand).dtype != "bool":
        kind = call.node(operand).dtype
        return call.point("ne", operand, 0, part="truth", dtype="bool", compute=kind)
    return operand


@lowers("div")
def _div(call: Call) -> Value:
    left, right, mode = call.positional(0), call.positional(1), call.argument("rounding_mode")
    if mode is None:
        return call.point("div", left, right)
    if call.dtype not in FLOATS or mode != "floor":
        raise call.fail(f"rounding_mode={mode!r} on {call.dtype}")
    return call.point("floor", call.point("div", left, right, part="quotient"))


@lowers("pow")
def _pow(call: Call) -> Value:
    base, exponent = call.positional(0), call.positional(1)
    if isinstance(exponent, str) or not isinstance(base, str):
        raise call.fail("only literal exponents")
    return power(call, base, exponent)


def power(call: Call, base: str, exponent: float) -> Value:
    """`base ** exponent` by multiplications and square roots."""
    if exponent == 1:
        return call.point("identity", base)
    if exponent == 2:
        return call.point("square", base)
    if exponent in (3, 4):
        square = call.point("square", base, part="square")
        return call.point("mul", square, base if exponent == 3 else square)
    named = {0.5: "sqrt", -0.5: "rsqrt", -1: "reciprocal"}
    if exponent in named:
        return call.point(named[exponent], base)
    if exponent == -2:
        return call.point("reciprocal", call.point("square", base, part="square"))
    raise call.fail(f"exponent {exponent}")


@lowers("square")
def _square(call: Call) -> Value:
    return call.point("square", call.positional(0))


@lowers("log1p", "expm1")
def _shifted(call: Call) -> Value:
    if call.operator == "aten.log1p":
        return call.point("log", call.point("add", call.positional(0), 1, part="plus_one"))
    return call.point("sub", call.point("exp", call.positional(0), part="exp"), 1)


@lowers("gelu")
def _gelu(call: Call) -> Value:
    tanh = call.argument("approximate") == "tanh"
    return call.point("gelu_tanh" if tanh else "gelu", call.positional(0))


@lowers("leaky_relu")
def _leaky_relu(call: Call) -> Value:
    x, slope = call.positional(0), call.argument("negative_slope")
    positive = call.point("gt", x, 0, part="positive", dtype="bool", compute=call.dtype)
    return call.point("where", positive, x, call.point("mul", x, slope, part="scaled"))


@lowers("elu")
def _elu(call: Call) -> Value:
    x = call.positional(0)
    alpha, scale = call.argument("alpha"), call.argument("scale")
    positive = call.point("gt", x, 0, part="positive", dtype="bool", compute=call.dtype)
    grown = call.point("exp", call.point("minimum", x, 0, part="negative"), part="exp")
    lower = call.point("mul", call.point("sub", grown, 1, part="less_one"), alpha, part="lower")
    if scale == 1:
        return call.point("where", positive, x, lower)
    return call.point("mul", call.point("where", positive, x, lower, part="elu"), scale)


@lowers("hardtanh", "relu6", "clamp", "clamp_min", "clamp_max")
def _clamp(call: Call) -> Value:
    names = ("min_val", "max_val") if call.operator == "aten.hardtanh" else ("min", "max")
    low, high = (call.argument(name) for name in names)
    if call.operator == "aten.relu6":
        low, high = 0, 6
    value = call.positional(0)
    if low is not None and high is not None:
        value = call.point("maximum", value, low, part="floor")
        return call.point("minimum", value, high)
    if low is not None:
        return call.point("maximum", value, low)
    return call.point("minimum", value, high)


@lowers("softplus")
def _softplus(call: Call) -> Value:
    if call.argument("beta") != 1:
        raise call.fail("beta other than 1")
    return call.point("softplus", call.positional(0))


@lowers("log_sigmoid", "log_sigmoid_forward")
def _log_sigmoid(call: Call) -> Value:
    """-softplus(-x); of the two results of the `forward` form only the first is used."""
    x = call.positional(0)
    single = call.operator == "aten.log_sigmoid"
    kind = call.dtype if single else call.node(x).dtype
    turned = call.point("neg", x, part="turned", dtype=kind)
    growth = call.point("softplus", turned, part="softplus", dtype=kind)
    result = call.point("neg", growth, dtype=kind)
    return result if single else (result, None)


@lowers("hardsigmoid", "hardswish", "mish")
def _hard(call: Call) -> Value:
    x = call.positional(0)
    if call.operator == "aten.mish":
        return call.point(
            "mul", x, call.point("tanh", call.point("softplus", x, part="softplus"), part="tanh")
        )
    sixth = call.point("mul", call.point("add", x, 3, part="shift"), 1 / 6, part="sixth")
    low = call.point("maximum", sixth, 0, part="low")
    if call.operator == "aten.hardsigmoid":
        return call.point("minimum", low, 1)
    return call.point("mul", x, call.point("minimum", low, 1, part="gate"))


@lowers(*COMPARISONS)
def _compare(call: Call) -> Value:
    function = call.operator.removeprefix("aten.")
    left, right = call.positional(0), call.positional(1)
    return call.point(function, left, right, compute=promoted(call, left, right))


@lowers("where")
def _where(call: Call) -> Value:
    return call.point("where", *(call.positional(i) for i in range(3)))


@lowers("masked_fill")
def _masked_fill(call: Call) -> Value:
    source, mask, value = (call.positional(i) for i in range(3))
    return call.point("where", mask, value, source)


@lowers("_to_copy", "to", "type_as")
def _cast(call: Call) -> Value:
    source = call.positional(0)
    if call.dtype == call.node(source).dtype:
        return source
    return call.point("cast", source, compute=call.dtype)


@lowers("clone", "contiguous", "detach", "alias", "lift_fresh_copy", "dropout")
def _same(call: Call) -> Value:
    if call.operator == "aten.dropout" and call.argument("train") and call.argument("p"):
        raise call.fail("dropout in training mode")
    return call.positional(0)


@lowers("_assert_tensor_metadata")
def _nothing(call: Call) -> Value:
    return None


@lowers("full", "zeros_like", "ones_like", "scalar_tensor", "full_like")
def _constant(call: Call) -> Value:
    """A constant of any shape: broadcasting makes the literal enough."""
    value: Value = {"aten.zeros_like": 0, "aten.ones_like": 1}.get(call.operator)
    if value is None:
        value = call.argument("s" if call.operator == "aten.scalar_tensor" else "fill_value")
    if isinstance(value, str):
        raise call.fail("a fill value that is a tensor")
    return float(value) if wide(call.dtype) in FLOATS and math.isfinite(value) else value


@lowers("addcmul", "addcdiv", "lerp")
def _three(call: Call) -> Value:
    first, second, third = (call.positional(i) for i in range(3))
    if call.operator == "aten.lerp":
        step = call.point("mul", call.point("sub", second, first, part="span"), third, part="step")
        return call.point("add", first, step)
    function = "mul" if call.operator == "aten.addcmul" else "div"
    term = call.point(function, second, third, part="term")
    if call.argument("value", 1) != 1:
        term = call.point("mul", term, call.argument("value"), part="scaled")
    return call.point("add", first, term)
