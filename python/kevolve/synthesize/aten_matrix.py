"""Matrix products."""

from __future__ import annotations

from kevolve.synthesize.lowering import FLOATS, Call, Value, lowers


@lowers("mm", "bmm", "matmul", "mv", "dot")
def _product(call: Call) -> Value:
    left, right = call.positional(0), call.positional(1)
    left_rank, right_rank = len(call.node(left).shape), len(call.node(right).shape)
    if left_rank < 2 or right_rank < 2:
        return _vector_product(call, left, right)
    if right_rank > 2 and call.node(left).shape[:-2] != call.node(right).shape[:-2]:
        raise call.fail("broadcast batch dimensions")
    _check_types(call, left, right)
    return call.matmul(left, right, call.shape)


def _vector_product(call: Call, left: str, right: str) -> Value:
    """A product with a vector: no work for a matrix unit, a reduction of a pointwise product."""
    rank = len(call.node(right).shape)
    if rank == 1:
        products, dim = call.point("mul", left, right, part="products"), -1
    else:
        column = call.view("reshape", left, (*call.node(left).shape, 1), part="column")
        products, dim = call.point("mul", column, right, part="products"), -2
    return call.view("reshape", call.reduce("sum", products, (dim,)), call.shape, part="flat")


@lowers("linear")
def _linear(call: Call) -> Value:
    source, weight, bias = call.positional(0), call.positional(1), call.argument("bias")
    if len(call.node(source).shape) < 2:
        raise call.fail("a vector operand")
    _check_types(call, source, weight)
    rows, cols = call.node(weight).shape
    turned = call.view("permute", weight, (cols, rows), part="weight", dims=(1, 0))
    if bias is None:
        return call.matmul(source, turned, call.shape)
    product = call.matmul(source, turned, call.shape, part="product")
    return call.point("add", product, bias)


@lowers("addmm", "baddbmm")
def _addmm(call: Call) -> Value:
    bias, left, right = (call.positional(i) for i in range(3))
    alpha, beta = call.argument("alpha"), call.argument("beta")
    _check_types(call, left, right)
    product = call.matmul(left, right, call.shape, part="product")
    if alpha != 1:
        product = call.point("mul", product, alpha, part="scaled")
    if beta != 1:
        bias = call.point("mul", bias, beta, part="bias")
    return call.point("add", product, bias)


def _check_types(call: Call, left: str, right: str) -> None:
    kinds = {call.node(left).dtype, call.node(right).dtype}
    if len(kinds) != 1 or not kinds <= set(FLOATS):
        raise call.fail(f"operands of type {' and '.join(sorted(kinds))}")
