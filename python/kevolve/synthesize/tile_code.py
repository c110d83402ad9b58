"""Text of kernel bodies: indices and masks of a tile, loads, stores, and values of nodes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from kevolve.synthesize.expressions import EXPRESSIONS, literal
from kevolve.synthesize.graph import Graph, Kind, Node
from kevolve.synthesize.lowering import wide
from kevolve.synthesize.space import Access, Space

INDENT = "    "
# Makes a pointer to a scalar a block of one: stores of blocks go through the memory engine of an
# accelerator, stores of scalars through its control core.
ONE_ELEMENT = " + tl.arange(0, 1)"


@dataclass
class Lines:
    """Python lines with a current indentation."""

    lines: list[str] = field(default_factory=list)
    depth: int = 1

    def add(self, text: str = "") -> None:
        self.lines.append(f"{INDENT * self.depth}{text}" if text else "")

    @contextmanager
    def block(self, header: str) -> Iterator[None]:
        self.add(header)
        self.depth += 1
        yield
        self.depth -= 1


@dataclass(frozen=True)
class Value:
    """A Python variable (or expression) of the kernel: its type and the axes it runs along."""

    text: str
    dtype: str
    row: bool
    col: bool


@dataclass(frozen=True)
class Frame:
    """The indices of the current tile. Without `two_dimensional` there is one row, a scalar."""

    two_dimensional: bool
    row: str
    col: str
    row_mask: str | None
    col_mask: str | None

    @property
    def axis(self) -> int:
        """The axis of a tile that columns run along."""
        return 1 if self.two_dimensional else 0

    def spread(self, text: str, row: bool, col: bool, whole: bool) -> str:
        """`text`, which runs along rows or columns, as part of a tile."""
        if not self.two_dimensional or not whole or row == col:
            return text
        return f"{text}[:, None]" if row else f"{text}[None, :]"

    def mask(self, row: bool, col: bool) -> str | None:
        whole = row and col
        parts = []
        if row and self.row_mask:
            parts.append(self.spread(self.row_mask, True, False, whole))
        if col and self.col_mask:
            parts.append(self.spread(self.col_mask, False, True, whole))
        return " & ".join(parts) or None


class Body:
    """Writes values of one kernel in a frame; knows what has a name already."""

    def __init__(self, graph: Graph, space: Space, source: list[str], lines: Lines) -> None:
        self.graph = graph
        self.space = space
        self.source = source
        self.lines = lines
        self.values: dict[str, Value] = {}
        self.used_buffers: list[str] = []
        self._commented: int | None = None

    # Extents ------------------------------------------------------------------------------

    def extent(self, name: str) -> tuple[bool, bool]:
        """Whether `name` runs along rows, along columns."""
        span = self.space.spans[name]
        return self.space.row_axis in span, self.space.col_axis in span

    def index(self, access: Access, frame: Frame, row: bool, col: bool) -> str:
        """The element offset of `access` in the current tile."""
        space, whole = self.space, row and col
        terms = [f"{access.offset}"] if access.offset else []
        for axis, size in enumerate(space.outer):
            if size > 1 and access.strides[axis]:
                terms.append(_scaled(f"outer{axis}", access.strides[axis], space))
        if row:
            text = frame.spread(frame.row, True, False, whole)
            terms.append(_scaled(text, access.strides[space.row_axis], space))
        if col:
            text = frame.spread(frame.col, False, True, whole)
            terms.append(_scaled(text, access.strides[space.col_axis], space))
        return " + ".join([pointer(access.buffer), *terms])

    # Values -------------------------------------------------------------------------------

    def load(self, name: str, frame: Frame) -> Value:
        access = self.space.loads[name]
        row, col = self.extent(name)
        self.use(access.buffer)
        mask = frame.mask(row, col)
        guard = f", mask={mask}, other={_zero(access.dtype)}" if mask else ""
        kind = wide(access.dtype)
        cast = f".to(tl.{kind})" if kind != access.dtype else ""
        variable = self._variable(name)
        self.lines.add(f"{variable} = tl.load({self.index(access, frame, row, col)}{guard}){cast}")
        value = Value(variable, kind, row, col)
        self.values[name] = value
        return value

    def value(self, name: str, frame: Frame) -> Value:
        """The value of a node or operand, written now if it is not there yet."""
        if name in self.values:
            return self.values[name]
        node = self.graph[name]
        if name in self.space.loads and self.graph.base(name) not in self.space.nodes:
            return self.load(name, frame)
        if node.kind is Kind.VIEW:
            return self.value(node.sources[0], frame)
        assert node.kind is Kind.POINTWISE, name
        return self.point(node, frame)

    def point(self, node: Node, frame: Frame) -> Value:
        values = [self.value(o, frame) if isinstance(o, str) else None for o in node.operands]
        row = any(value.row for value in values if value)
        col = any(value.col for value in values if value)
        self.comment(node)
        kind = node.dtype if node.dtype == "bool" else wide(node.dtype)
        text = self._expression(node, values, frame, row and col)
        if text.isidentifier() and values[0] is not None and values[0].dtype == kind:
            value = Value(text, kind, values[0].row, values[0].col)
        else:
            self.lines.add(f"{node.name} = {text}")
            value = Value(node.name, kind, row, col)
        self.values[node.name] = value
        return value

    def _expression(self, node: Node, values: list[Value | None], frame: Frame, whole: bool) -> str:
        compute = str(node.attributes["compute"])
        texts = []
        for position, (operand, value) in enumerate(zip(node.operands, values, strict=True)):
            if value is None:
                assert not isinstance(operand, str)
                texts.append(literal(operand, compute))
            elif node.function == "where" and position == 0:
                texts.append(frame.spread(value.text, value.row, value.col, whole))
            else:
                texts.append(self._converted(value, compute, frame, whole))
        return EXPRESSIONS[node.function].format(*texts)

    def _converted(self, value: Value, compute: str, frame: Frame, whole: bool) -> str:
        text = frame.spread(value.text, value.row, value.col, whole)
        if value.dtype == compute:
            return text
        return f"{text}.to(tl.{'int1' if compute == 'bool' else compute})"

    def store(self, access: Access, frame: Frame) -> None:
        row, col = self.extent(access.name)
        value = self.value(access.name, frame)
        self.use(access.buffer)
        mask = frame.mask(row, col)
        guard = f", mask={mask}" if mask else ""
        text = frame.spread(value.text, value.row, value.col, row and col)
        place = self.index(access, frame, row, col)
        if not col and not (row and frame.two_dimensional):
            place += ONE_ELEMENT
        self.lines.add(f"tl.store({place}, {text}{guard})")

    def comment(self, node: Node) -> None:
        """The line of the model that the next lines compute, once."""
        if node.line is None or node.line == self._commented:
            return
        self._commented = node.line
        text = self.source[node.line - 1].strip()
        if len(text) <= 80:
            self.lines.add(f"# {text}")

    def use(self, buffer: str) -> None:
        if buffer not in self.used_buffers:
            self.used_buffers.append(buffer)

    def _variable(self, name: str) -> str:
        """The variable that holds a loaded tensor; views are named by what they show."""
        return name


def pointer(buffer: str) -> str:
    return f"{buffer}_ptr"


def _zero(dtype: str) -> str:
    return "0.0" if dtype.startswith(("float", "bfloat")) else "0"


def _scaled(text: str, stride: int, space: Space) -> str:
    if stride == 1:
        return text
    if stride == space.cols and stride > 1 and not space.flat:
        return f"{text} * COLS"
    return f"{text} * {stride}"
