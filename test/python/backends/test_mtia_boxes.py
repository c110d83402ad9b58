"""DMA of any box against numpy's strided views, on the simulator."""

import itertools
import math

import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from stage import kernel, launch

ELEMENTS = {"f32": np.float32, "f16": np.float16, "i8": np.int8, "i64": np.int64}
SENTINEL = 7


def layout(draw, shape):
    """Strides in elements of some dense or padded layout of `shape`, and elements that it spans."""
    order = draw(st.permutations(range(len(shape)))) if draw(st.booleans()) else range(len(shape))
    strides, step = [0] * len(shape), 1
    for d in reversed(list(order)):
        step *= draw(st.sampled_from([1, 1, 1, 2]))
        strides[d] = step
        step *= shape[d]
    return strides, step


@st.composite
def boxes(draw):
    rank = draw(st.integers(0, 5))
    shape = [draw(st.integers(1, 4)) for _ in range(rank)]
    bounds = [sorted((draw(st.integers(-1, n + 1)), draw(st.integers(-1, n + 1)))) for n in shape]
    if draw(st.booleans()):
        bounds = [[0, n] for n in shape]
    return {
        "element": draw(st.sampled_from(sorted(ELEMENTS))),
        "shape": shape,
        "local": layout(draw, shape),
        "global": layout(draw, shape),
        "lower": [low for low, _ in bounds],
        "upper": [high for _, high in bounds],
        "dynamic": [draw(st.booleans()) for _ in range(3 * rank)],
    }


def operands(box):
    """The three lists of a box as text, and the arguments of those that are dynamic."""
    size = np.dtype(ELEMENTS[box["element"]]).itemsize
    values = [stride * size for stride in box["global"][0]] + box["lower"] + box["upper"]
    names = [f"%v{i}" if box["dynamic"][i] else str(v) for i, v in enumerate(values)]
    arguments = [v for v, dynamic in zip(values, box["dynamic"], strict=True) if dynamic]
    rank = len(box["shape"])
    lists = [", ".join(names[i * rank : (i + 1) * rank]) for i in range(3)]
    parameters = [f"{name}: index" for name in names if name.startswith("%")]
    return lists, parameters, arguments


def buffer(box):
    """Text that makes %flat and a view %buf of it, and the view's type."""
    element, (strides, span) = box["element"], box["local"]
    sizes = "x".join([*map(str, box["shape"]), element])
    listed = ", ".join(map(str, strides))
    kind = f"memref<{sizes}, strided<[{listed}]>>" if box["shape"] else f"memref<{sizes}>"
    flat = f"memref<{span}x{element}>"
    shape = ", ".join(map(str, box["shape"]))
    text = f"%flat = mtia.local_buffer {{offset = 1024 : i64}} : {flat}\n"
    text += (
        f"%buf = memref.reinterpret_cast %flat to offset: [0], sizes: [{shape}], "
        f"strides: [{listed}] : {flat} to {kind}\n"
    )
    return text, kind, flat


def inside(box):
    """The indices that the box takes."""
    ranges = [
        range(max(low, 0), min(high, n))
        for low, high, n in zip(box["lower"], box["upper"], box["shape"], strict=True)
    ]
    return itertools.product(*ranges)


def address(index, strides):
    return sum(i * stride for i, stride in zip(index, strides, strict=True))


def fresh(box, span, start):
    """`span` different numbers."""
    return (np.arange(span) + start).astype(ELEMENTS[box["element"]])


def run(box, command, flat_in, flat_out, memory):
    """Fills the buffer from `flat_in`, runs `command`, and saves the buffer to `flat_out`."""
    lists, parameters, arguments = operands(box)
    text, kind, flat = buffer(box)
    size, span = flat_in.itemsize, flat_in.size
    whole = f"strides [{size}] lower [0] upper [{span}]"
    text += f"%ta = mtia.dma_load %in {whole} into %flat : {flat} -> !mtia.ticket\n"
    text += command.format(s=lists[0], l=lists[1], u=lists[2], kind=kind) + "\n"
    text += f"%tc = mtia.dma_store %flat to %out {whole} : {flat} -> !mtia.ticket\nmtia.wait_all"
    ir = kernel(["%in: i64", "%out: i64", "%mem: i64", *parameters], text)
    signature = " ".join(["*i8", "*i8", "*i8", *["i64"] * len(arguments)])
    tensors = [torch.from_numpy(array.view(np.int8)) for array in (flat_in, flat_out, memory)]
    launch(ir, signature, *tensors, *arguments)


SETTINGS = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
LOAD = (
    "%tb = mtia.dma_load %mem strides [{s}] lower [{l}] upper [{u}] into %buf "
    ": {kind} -> !mtia.ticket"
)
STORE = (
    "%tb = mtia.dma_store %buf to %mem strides [{s}] lower [{l}] upper [{u}] "
    ": {kind} -> !mtia.ticket"
)


@SETTINGS
@given(box=boxes())
def test_load_takes_what_is_inside(device, box):
    (local, span), (strides, extent) = box["local"], box["global"]
    before, memory = fresh(box, span, -50), fresh(box, extent, 1)
    after = np.zeros_like(before)
    run(box, LOAD, before, after, memory)
    expected = before.copy()
    for index in inside(box):
        expected[address(index, local)] = memory[address(index, strides)]
    np.testing.assert_array_equal(after, expected)


@SETTINGS
@given(box=boxes())
def test_store_writes_what_is_inside_and_nothing_else(device, box):
    (local, span), (strides, extent) = box["local"], box["global"]
    before, memory = fresh(box, span, -50), fresh(box, extent, 1)
    expected = memory.copy()
    for index in inside(box):
        expected[address(index, strides)] = before[address(index, local)]
    run(box, STORE, before, np.zeros_like(before), memory)
    np.testing.assert_array_equal(memory, expected)


@pytest.mark.parametrize("element", sorted(ELEMENTS))
@pytest.mark.parametrize("shape", [[], [5], [3, 4], [2, 3, 4], [2, 2, 2, 3]])
def test_fill_reaches_the_view_and_nothing_else(device, element, shape):
    strides, step = [0] * len(shape), 1
    for d in reversed(range(len(shape))):
        step *= 2
        strides[d] = step
        step *= shape[d]
    box = {"element": element, "shape": shape, "local": (strides, step), "global": (strides, step)}
    box |= {"lower": [], "upper": [], "dynamic": [False] * len(shape)}
    before = fresh(box, step, -50)
    after, memory = np.zeros_like(before), np.zeros_like(before)
    value = f"{SENTINEL}.0" if element.startswith("f") else str(SENTINEL)
    command = f"%v = arith.constant {value} : {element}\n%tb = mtia.fill %v into %buf : {element}, "
    run(box, command + "{kind} -> !mtia.ticket", before, after, memory)
    expected = before.copy()
    for index in itertools.product(*map(range, shape)):
        expected[address(index, strides)] = SENTINEL
    assert math.prod(shape) == np.count_nonzero(expected != before)
    np.testing.assert_array_equal(after, expected)
