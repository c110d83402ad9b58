"""Bytes and operations of a kernel launch, from its TTIR, its grid and its scalar arguments.

A few programs of the grid are followed, index arithmetic exactly and loops to their true trip
counts; the rest of the grid is taken to be like them.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from kevolve.compile import index_values as iv
from kevolve.compile.index_values import UNKNOWN, Descriptor, Pointer, Value
from kevolve.errors import CompileError
from kevolve.triton_bridge import crossing
from kevolve.triton_bridge.kernels import Grid

# Programs that are followed: all of a small grid, else so many per axis by the number of axes that
# the grid has, its corners among them.
_SMALL_GRID = 16
_SAMPLES_PER_AXIS = {1: 9, 2: 3, 3: 2}
# Neighbours in launch order that are asked where they start to read: what they share, a cache
# that they share loads once.
_NEIGHBOURS = (16, 64)
# Iterations of a loop that are followed one by one; the others are like them.
_FOLLOWED_ITERATIONS = 8


@dataclass
class Traffic:
    """What a launch does; weights of programs and iterations are included.

    Attributes:
        read_bytes, written_bytes: asked of memory, by kernel argument ("" where it is not known).
        spans: lowest and highest byte offset that the accesses of each argument reach.
        neighbours: places where the first 16 and the first 64 programs start in each argument.
        matrix_flops: by element type of the operands.
        vector_flops: of element-wise operations, reductions and scans.
        unknown_trips: loops whose trip count depends on data; one iteration is counted.
        loop_iterations: of the innermost loops that load, per program; 0 without such a loop.
    """

    read_bytes: dict[str, float] = field(default_factory=dict)
    written_bytes: dict[str, float] = field(default_factory=dict)
    spans: dict[str, tuple[float, float]] = field(default_factory=dict)
    neighbours: dict[str, tuple[int, int]] = field(default_factory=dict)
    matrix_flops: dict[str, float] = field(default_factory=dict)
    vector_flops: float = 0.0
    unknown_trips: int = 0
    loop_iterations: float = 0.0

    @property
    def total_read_bytes(self) -> float:
        return sum(self.read_bytes.values())

    @property
    def total_written_bytes(self) -> float:
        return sum(self.written_bytes.values())

    @property
    def total_flops(self) -> float:
        return sum(self.matrix_flops.values()) + self.vector_flops

    def footprint_bytes(self, moved: Mapping[str, float]) -> float:
        """Different bytes among those `moved`: no more than an argument's accesses span."""
        return sum(
            min(size, self.spans[base][1] - self.spans[base][0]) if base in self.spans else size
            for base, size in moved.items()
        )


def traffic(ttir: str, grid: Grid, values: Mapping[str, int | float | bool]) -> Traffic:
    """What a launch of the kernel in `ttir` over `grid` with scalar arguments `values` does."""
    module = crossing.from_triton_text(ttir)
    functions = {_symbol(op): op for op in module.body.operations if op.operation.name == "tt.func"}
    entry = _entry(functions)
    result = Traffic()
    programs = grid[0] * grid[1] * grid[2]
    arguments = [_argument(argument, values) for argument in _arguments(entry)]
    samples = _sampled_programs(grid)
    for program in samples:
        walk = _Walk(result, functions, program, grid, programs / len(samples))
        walk.call(entry, arguments)
    if programs > _SMALL_GRID:
        result.neighbours = _neighbours(functions, entry, arguments, grid)
    return result


def _sampled_programs(grid: Grid) -> list[tuple[int, ...]]:
    axes = sum(size > 1 for size in grid)
    small = grid[0] * grid[1] * grid[2] <= _SMALL_GRID
    per_axis = max(grid) if small else _SAMPLES_PER_AXIS[axes]
    return list(itertools.product(*(_samples(size, per_axis) for size in grid)))


def _neighbours(
    functions: Mapping[str, Any], entry: Any, arguments: list[Value], grid: Grid
) -> dict[str, tuple[int, int]]:
    """Different places where the first 16 and 64 programs start in each argument."""
    starts: list[dict[str, float]] = []
    for number in range(min(_NEIGHBOURS[-1], grid[0] * grid[1] * grid[2])):
        program = (number % grid[0], number // grid[0] % grid[1], number // (grid[0] * grid[1]))
        alone = Traffic()
        _Walk(alone, functions, program, grid, 1.0, followed=1).call(entry, arguments)
        starts.append({base: span[0] for base, span in alone.spans.items()})
    bases = {base for one in starts for base in one}
    few, many = (
        {base: len({one.get(base) for one in starts[:count]}) for base in bases}
        for count in _NEIGHBOURS
    )
    return {base: (few[base], many[base]) for base in bases}


def _symbol(op: Any) -> str:
    return str(op.attributes["sym_name"].value)


def _entry(functions: Mapping[str, Any]) -> Any:
    for function in functions.values():
        if "sym_visibility" in function.attributes:
            visibility = function.attributes["sym_visibility"].value
            if visibility == "public":
                return function
    raise CompileError("the IR has no public tt.func")


def _samples(size: int, at_most: int) -> list[int]:
    count = min(size, at_most)
    return sorted({round(position) for position in np.linspace(0, size - 1, count)})


def _arguments(function: Any) -> list[Any]:
    return list(function.regions[0].blocks[0].arguments)


def _argument(argument: Any, values: Mapping[str, int | float | bool]) -> Value:
    kind = str(argument.type)
    name = _name(argument)
    if kind.startswith("!tt.ptr"):
        return Pointer(name, iv.numbers(0))
    if kind.startswith("!tt.tensordesc"):
        unknown = (UNKNOWN,) * len(iv.shape_of(kind))
        return Descriptor(name, unknown, unknown)
    known = values.get(name)
    return iv.numbers(int(known)) if known is not None and not iv.is_float(kind) else UNKNOWN


def _name(argument: Any) -> str:
    """Triton keeps an argument's name as the name of its location."""
    location = argument.location
    if location.is_a_name():
        return str(location.name_str)
    return f"arg{argument.arg_number}"


class _Walk:
    """One program's way through the kernel, counted `weight` times."""

    def __init__(
        self,
        result: Traffic,
        functions: Mapping[str, Any],
        program: tuple[int, ...],
        grid: Grid,
        weight: float,
        followed: int = _FOLLOWED_ITERATIONS,
    ) -> None:
        self.followed = followed
        self.result = result
        self.functions = functions
        self.program = program
        self.grid = grid
        self.weight = weight
        self.values: dict[Any, Value] = {}
        self.in_loop = False

    def call(self, function: Any, arguments: list[Value]) -> list[Value]:
        """Follows a function's body; control flow between blocks is taken in order."""
        outcome: list[Value] = []
        for n, block in enumerate(function.regions[0].blocks):
            if n == 0:
                self.bind(block.arguments, arguments)
            outcome = self.block(block)
        return outcome

    def bind(self, targets: Any, values: list[Value]) -> None:
        for target, value in zip(targets, values, strict=False):
            self.values[target] = value

    def block(self, block: Any) -> list[Value]:
        """Follows the ops of a block; gives what its terminator passes on."""
        for op in block.operations:
            operation = op.operation
            if operation.name in ("scf.yield", "tt.return", "scf.condition"):
                return [self.value(operand) for operand in operation.operands]
            handler = _HANDLERS.get(operation.name, _Walk.element_wise)
            self.bind(operation.results, handler(self, operation))
        return []

    def value(self, operand: Any) -> Value:
        return self.values.get(operand, UNKNOWN)

    def operands(self, op: Any) -> list[Value]:
        return [self.value(operand) for operand in op.operands]

    # Values.

    def constant(self, op: Any) -> list[Value]:
        attribute = op.attributes["value"]
        kind = str(op.results[0].type)
        if iv.is_float(kind):
            return [UNKNOWN]
        if not iv.shape_of(kind):
            value = getattr(attribute, "value", None)
            return [iv.numbers(int(value))] if value is not None else [UNKNOWN]
        if not getattr(attribute, "is_splat", False):
            return [UNKNOWN]
        return [np.full(iv.shape_of(kind), int(attribute.get_splat_value().value))]

    def program_id(self, op: Any) -> list[Value]:
        return [iv.numbers(self.program[op.attributes["axis"].value])]

    def num_programs(self, op: Any) -> list[Value]:
        return [iv.numbers(self.grid[op.attributes["axis"].value])]

    def make_range(self, op: Any) -> list[Value]:
        return [np.arange(op.attributes["start"].value, op.attributes["end"].value)]

    def change_shape(self, op: Any) -> list[Value]:
        """splat, broadcast, expand_dims, reshape: the result's type says it all."""
        value = self.value(op.operands[0])
        shape = iv.shape_of(str(op.results[0].type))
        if op.name in ("tt.splat", "tt.broadcast"):
            return [iv.reshaped(value, lambda numbers: np.broadcast_to(numbers, shape))]
        return [iv.reshaped(value, lambda numbers: numbers.reshape(shape))]

    def transpose(self, op: Any) -> list[Value]:
        order = tuple(op.attributes["order"])
        return [iv.reshaped(self.value(op.operands[0]), lambda numbers: numbers.transpose(order))]

    def add_pointer(self, op: Any) -> list[Value]:
        pointer, offset = self.operands(op)
        size = iv.bytes_of(iv.element_of(str(op.results[0].type)))
        return [iv.add_offset(pointer, offset, size)]

    def make_descriptor(self, op: Any) -> list[Value]:
        base, *rest = self.operands(op)
        rank = len(iv.shape_of(str(op.results[0].type)))
        name = base.base if isinstance(base, Pointer) else ""
        return [Descriptor(name, tuple(rest[:rank]), tuple(rest[rank : 2 * rank]))]

    def compare(self, op: Any) -> list[Value]:
        left, right = self.operands(op)
        if not isinstance(left, np.ndarray) or not isinstance(right, np.ndarray):
            return [UNKNOWN]
        return [np.asarray(iv.COMPARE[op.attributes["predicate"].value](left, right))]

    def select(self, op: Any) -> list[Value]:
        self.count_flops(op)
        condition, yes, no = self.operands(op)
        if (
            isinstance(condition, np.ndarray)
            and isinstance(yes, np.ndarray)
            and isinstance(no, np.ndarray)
        ):
            return [np.where(condition, yes, no)]
        return [UNKNOWN]

    def element_wise(self, op: Any) -> list[Value]:
        """Everything else: integer maths is computed, the rest is counted and unknown."""
        self.count_flops(op)
        values = self.operands(op)
        if op.name in iv.SAME_VALUE:
            return values
        if op.name in iv.BINARY and all(isinstance(one, np.ndarray) for one in values):
            return [np.asarray(iv.BINARY[op.name](*values))]
        return [UNKNOWN] * len(op.results)

    def count_flops(self, op: Any) -> None:
        if not op.name.startswith(("arith.", "math.")) or not len(op.results):
            return
        kind = str(op.results[0].type)
        # Casts and selections move bits; they are no arithmetic.
        if not iv.is_float(kind) or op.name in ("arith.select", "arith.constant", "arith.bitcast"):
            return
        each = 2 if op.name == "math.fma" else 1
        self.result.vector_flops += self.weight * each * _size(kind)

    # Control flow.

    def loop(self, op: Any) -> list[Value]:
        lower, upper, step, *carried = self.operands(op)
        trips = _trips(lower, upper, step)
        if trips is None:
            self.result.unknown_trips += 1
            trips = 1
        body = op.regions[0].blocks[0]
        outer_weight, outer_loop = self.weight, self.in_loop
        self.in_loop = True
        before = self.result.total_read_bytes
        followed = min(trips, self.followed)
        for position in _positions(trips, followed):
            self.weight = outer_weight * trips / followed
            self.bind(body.arguments, [_induction(lower, step, position), *carried])
            after = self.block(body)
            carried = _advance(carried, after, trips / followed)
        self.weight, self.in_loop = outer_weight, outer_loop
        if self.result.total_read_bytes > before:
            self.result.loop_iterations = max(self.result.loop_iterations, float(trips))
        return carried

    def while_loop(self, op: Any) -> list[Value]:
        self.result.unknown_trips += 1
        self.bind(op.regions[0].blocks[0].arguments, self.operands(op))
        _, *passed = self.block(op.regions[0].blocks[0]) or [UNKNOWN]
        self.bind(op.regions[1].blocks[0].arguments, passed)
        self.block(op.regions[1].blocks[0])
        return [UNKNOWN] * len(op.results)

    def condition(self, op: Any) -> list[Value]:
        """The branch that is taken; both, at half weight, where that depends on data."""
        condition = self.value(op.operands[0])
        regions = [region for region in op.regions if len(region.blocks)]
        if isinstance(condition, np.ndarray):
            taken = 0 if condition else 1
            return self.block(op.regions[taken].blocks[0]) if taken < len(regions) else []
        outer_weight = self.weight
        self.weight = outer_weight / 2
        for region in regions:
            self.block(region.blocks[0])
        self.weight = outer_weight
        return [UNKNOWN] * len(op.results)

    def call_function(self, op: Any) -> list[Value]:
        callee = self.functions.get(op.attributes["callee"].value)
        if callee is None:
            return [UNKNOWN] * len(op.results)
        return self.call(callee, self.operands(op))

    def combine(self, op: Any) -> list[Value]:
        """reduce and scan: the combiner runs about once per element."""
        combiners = sum(
            inner.operation.name.startswith(("arith.", "math."))
            and bool(len(inner.operation.results))
            and iv.is_float(str(inner.operation.results[0].type))
            for inner in op.regions[0].blocks[0].operations
        )
        self.result.vector_flops += self.weight * combiners * _size(str(op.operands[0].type))
        return [UNKNOWN] * len(op.results)

    def dot(self, op: Any) -> list[Value]:
        left, out = str(op.operands[0].type), str(op.results[0].type)
        depth = iv.shape_of(left)[-1]
        element = iv.element_of(left)
        flops = self.result.matrix_flops
        flops[element] = flops.get(element, 0.0) + self.weight * 2 * depth * _size(out)
        return [UNKNOWN]

    # Memory.

    def load(self, op: Any) -> list[Value]:
        segments = [int(n) for n in op.attributes["operandSegmentSizes"]]
        mask = self.value(op.operands[1]) if segments[1] else None
        self.access(op.operands[0], mask, self.result.read_bytes)
        return [UNKNOWN]

    def store(self, op: Any) -> list[Value]:
        mask = self.value(op.operands[2]) if len(op.operands) > 2 else None
        self.access(op.operands[0], mask, self.result.written_bytes)
        return []

    def atomic(self, op: Any) -> list[Value]:
        has_mask = op.name == "tt.atomic_rmw" and len(op.operands) > 2
        mask = self.value(op.operands[2]) if has_mask else None
        self.access(op.operands[0], mask, self.result.read_bytes)
        self.access(op.operands[0], mask, self.result.written_bytes)
        return [UNKNOWN]

    def access(self, pointer: Any, mask: Value | None, moved: dict[str, float]) -> None:
        kind = str(pointer.type)
        size = iv.bytes_of(iv.element_of(kind))
        value = self.value(pointer)
        active = _active(mask, _size(kind))
        base = value.base if isinstance(value, Pointer) else ""
        moved[base] = moved.get(base, 0.0) + self.weight * active * size
        if isinstance(value, Pointer):
            self.reach(base, _offsets(value.offsets, mask), size)

    def reach(self, base: str, offsets: Any, size: int) -> None:
        if not offsets.size:
            return
        low, high = float(offsets.min()), float(offsets.max()) + size
        old = self.result.spans.get(base, (low, high))
        self.result.spans[base] = (min(low, old[0]), max(high, old[1]))

    def descriptor_load(self, op: Any) -> list[Value]:
        kind = str(op.operands[0].type)
        self.tile(op.operands[0], kind, list(op.operands)[1:], self.result.read_bytes)
        return [UNKNOWN]

    def descriptor_store(self, op: Any) -> list[Value]:
        kind = str(op.operands[0].type)
        self.tile(op.operands[0], kind, list(op.operands)[2:], self.result.written_bytes)
        return []

    def tile(self, operand: Any, kind: str, indices: list[Any], moved: dict[str, float]) -> None:
        """A block of a descriptor, cut where the tensor ends."""
        value = self.value(operand)
        if not isinstance(value, Descriptor):
            value = Descriptor("", (), ())
        block, size = iv.shape_of(kind), iv.bytes_of(iv.element_of(kind))
        starts = [self.value(index) for index in indices]
        axes = [_axis(*one) for one in zip(block, starts, value.shape, value.strides, strict=False)]
        whole = axes if len(axes) == len(block) else [None] * len(block)
        inside = [
            extent if axis is None else axis[0] for extent, axis in zip(block, whole, strict=True)
        ]
        moved[value.base] = moved.get(value.base, 0.0) + self.weight * math.prod(inside) * size
        known = [axis for axis in whole if axis is not None]
        if len(known) == len(block) and all(inside):
            first = sum(low for _, low, _ in known)
            last = sum(high for _, _, high in known)
            self.reach(value.base, np.asarray([first * size, last * size]), size)


def _axis(extent: int, start: Value, end: Value, stride: Value) -> tuple[int, int, int] | None:
    """Of one axis of a block: elements inside the tensor, and offsets of the first and last."""
    if not (
        isinstance(start, np.ndarray)
        and isinstance(end, np.ndarray)
        and isinstance(stride, np.ndarray)
    ):
        return None
    inside = max(0, min(extent, int(end) - int(start)))
    return inside, int(start * stride), int((start + max(0, inside - 1)) * stride)


def _size(kind: str) -> int:
    total = 1
    for extent in iv.shape_of(kind):
        total *= extent
    return total


def _trips(lower: Value, upper: Value, step: Value) -> int | None:
    if not (
        isinstance(lower, np.ndarray)
        and isinstance(upper, np.ndarray)
        and isinstance(step, np.ndarray)
    ):
        return None
    first, end, stride = int(lower), int(upper), int(step)
    return max(0, -(-(end - first) // stride)) if stride else None


def _positions(trips: int, followed: int) -> list[int]:
    """Iterations that stand for all: spread evenly, the first and the last among them."""
    return [round(position) for position in np.linspace(0, trips - 1, followed)]


def _induction(lower: Value, step: Value, position: int) -> Value:
    if isinstance(lower, np.ndarray) and isinstance(step, np.ndarray):
        return np.asarray(lower + step * position)
    return UNKNOWN


def _advance(before: list[Value], after: list[Value], iterations: float) -> list[Value]:
    """Carried values after `iterations` like the one just followed: they move evenly."""
    return [_moved(old, new, iterations) for old, new in zip(before, after, strict=True)]


def _moved(old: Value, new: Value, iterations: float) -> Value:
    if isinstance(old, Pointer) and isinstance(new, Pointer) and old.base == new.base:
        step = new.offsets - old.offsets
        return Pointer(new.base, old.offsets + np.round(step * iterations).astype(np.int64))
    if isinstance(old, np.ndarray) and isinstance(new, np.ndarray) and new.dtype != bool:
        return np.asarray(old + np.round((new - old) * iterations).astype(np.int64))
    return new


def _active(mask: Value | None, size: int) -> float:
    """Elements that a mask lets through; all, where the mask depends on data."""
    if not isinstance(mask, np.ndarray):
        return float(size)
    return float(np.broadcast_to(mask, mask.shape or (size,)).sum())


def _offsets(offsets: Any, mask: Value | None) -> Any:
    if not isinstance(mask, np.ndarray):
        return offsets
    return offsets[np.broadcast_to(mask.astype(bool), offsets.shape)]


_HANDLERS: dict[str, Any] = {
    "arith.constant": _Walk.constant,
    "arith.cmpi": _Walk.compare,
    "arith.select": _Walk.select,
    "tt.get_program_id": _Walk.program_id,
    "tt.get_num_programs": _Walk.num_programs,
    "tt.make_range": _Walk.make_range,
    "tt.splat": _Walk.change_shape,
    "tt.broadcast": _Walk.change_shape,
    "tt.expand_dims": _Walk.change_shape,
    "tt.reshape": _Walk.change_shape,
    "tt.trans": _Walk.transpose,
    "tt.addptr": _Walk.add_pointer,
    "tt.make_tensor_descriptor": _Walk.make_descriptor,
    "tt.load": _Walk.load,
    "tt.store": _Walk.store,
    "tt.atomic_rmw": _Walk.atomic,
    "tt.atomic_cas": _Walk.atomic,
    "tt.descriptor_load": _Walk.descriptor_load,
    "tt.descriptor_store": _Walk.descriptor_store,
    "tt.descriptor_reduce": _Walk.descriptor_store,
    "tt.dot": _Walk.dot,
    "tt.dot_scaled": _Walk.dot,
    "tt.reduce": _Walk.combine,
    "tt.scan": _Walk.combine,
    "tt.call": _Walk.call_function,
    "scf.for": _Walk.loop,
    "scf.while": _Walk.while_loop,
    "scf.if": _Walk.condition,
}
