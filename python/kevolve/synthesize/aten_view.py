"""Views: operators that move no data."""

from __future__ import annotations

from kevolve.synthesize.graph import Graph, Kind, Node, SeedError, view_layout
from kevolve.synthesize.lowering import Call, Value, lowers


@lowers("view", "reshape", "_unsafe_view", "unsqueeze", "squeeze", "flatten", "unflatten")
def _reshape(call: Call) -> Value:
    """A view; where the strides do not allow one, of a copy, as eager PyTorch makes it."""
    source = call.positional(0)
    if not _viewable(call, source):
        source = call.point("identity", source, part="copy", dtype=call.dtype)
    return call.view("reshape", source, call.shape)


def _viewable(call: Call, source: str) -> bool:
    graph = Graph(call.program.nodes, {}, (), (), False)
    wanted = Node("", Kind.VIEW, "reshape", (source,), call.shape, call.dtype)
    try:
        view_layout(wanted, graph.layout(source))
    except SeedError:
        return False
    return True


@lowers("expand", "expand_as", "broadcast_to")
def _expand(call: Call) -> Value:
    return call.view("expand", call.positional(0), call.shape)


@lowers("permute")
def _permute(call: Call) -> Value:
    rank = len(call.shape)
    order = tuple(d % rank for d in call.argument("dims"))
    return call.view("permute", call.positional(0), call.shape, dims=order)


@lowers("transpose", "t", "numpy_T", "mT")
def _transpose(call: Call) -> Value:
    rank = len(call.shape)
    order = list(range(rank))
    if rank >= 2:
        named = call.operator == "aten.transpose"
        pair = (call.argument("dim0"), call.argument("dim1")) if named else (-2, -1)
        first, second = (d % rank for d in pair)
        order[first], order[second] = order[second], order[first]
    return call.view("permute", call.positional(0), call.shape, dims=tuple(order))


@lowers("slice")
def _slice(call: Call) -> Value:
    source = call.positional(0)
    extent = call.node(source).shape[call.argument("dim")]
    start = call.argument("start") or 0
    start = min(max(start + extent if start < 0 else start, 0), extent)
    return window(call, source, call.argument("dim"), start, call.argument("step"), call.shape)


def window(
    call: Call,
    source: str,
    dim: int,
    start: int,
    step: int,
    shape: tuple[int, ...],
    part: str = "",
) -> str:
    dim %= len(call.node(source).shape)
    if shape == call.node(source).shape:
        return source
    return call.view("slice", source, shape, part=part, window=(dim, start, step))


@lowers("select")
def _select(call: Call) -> Value:
    source = call.positional(0)
    shape = list(call.node(source).shape)
    dim = call.argument("dim") % len(shape)
    index = call.argument("index") % shape[dim]
    shape[dim] = 1
    chosen = window(call, source, dim, index, 1, tuple(shape), part="window")
    return call.view("reshape", chosen, call.shape)


@lowers("split", "chunk", "split_with_sizes", "unbind")
def _split(call: Call) -> Value:
    source = call.positional(0)
    dim = call.argument("dim") or 0
    start, parts = 0, []
    unbind = call.operator == "aten.unbind"
    for index, fake in enumerate(call.fx.meta["val"]):
        shape = list(call.node(source).shape)
        shape[dim] = 1 if unbind else fake.shape[dim]
        piece = window(call, source, dim, start, 1, tuple(shape), part=f"piece{index}")
        parts.append(call.view("reshape", piece, tuple(fake.shape), part=f"part{index}"))
        start += shape[dim]
    return tuple(parts)


def _getitem(call: Call) -> Value:
    return call.positional(0)[call.positional(1)]


lowers("getitem")(_getitem)
