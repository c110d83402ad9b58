"""How one ATen call becomes nodes of the graph: the operators, and what they build with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from kevolve.synthesize.graph import Attribute, Kind, Node, Operand, SeedError

Value = Any  # a node's name, a literal, or a tuple of them (operators with several results)
Lowering = Callable[["Call"], Value]

OPERATORS: dict[str, Lowering] = {}

FLOATS = ("float16", "bfloat16", "float32", "float64")


def lowers(*operators: str) -> Callable[[Lowering], Lowering]:
    """Registers how the named ATen operators become nodes."""

    def register(function: Lowering) -> Lowering:
        for operator in operators:
            OPERATORS[f"aten.{operator}"] = function
        return function

    return register


def dtype_name(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")


def wide(dtype: str) -> str:
    """The type that values of `dtype` are computed in: PyTorch's own `opmath` type."""
    return "float32" if dtype in ("float16", "bfloat16") else dtype


@dataclass(frozen=True)
class Program:
    """The nodes that were made so far."""

    nodes: dict[str, Node]

    def add(self, node: Node) -> str:
        assert node.name not in self.nodes, node.name
        self.nodes[node.name] = node
        return node.name


@dataclass(frozen=True)
class Call:
    """One ATen call that is being lowered."""

    program: Program
    fx: torch.fx.Node
    values: dict[str, Value]
    name: str
    origin: int
    line: int | None

    @property
    def aten(self) -> str:
        return str(self.fx.target)

    @property
    def operator(self) -> str:
        packet = getattr(self.fx.target, "overloadpacket", None)
        if packet is not None:
            return str(packet)
        return f"aten.{getattr(self.fx.target, '__name__', '')}"

    @property
    def shape(self) -> tuple[int, ...]:
        shape = tuple(self._result.shape)
        if not all(isinstance(size, int) for size in shape):
            raise SeedError(f"{self.aten} has a shape that depends on data")
        return shape

    @property
    def dtype(self) -> str:
        return dtype_name(self._result.dtype)

    @property
    def _result(self) -> torch.Tensor:
        """The result without data; the first one of several."""
        fake = self.fx.meta["val"]
        first: torch.Tensor = fake[0] if isinstance(fake, tuple | list) else fake
        return first

    def argument(self, name: str, default: Value = None) -> Value:
        """The value of the operator's argument `name`, its schema's default included."""
        for position, formal in enumerate(self._schema()):
            if formal.name != name:
                continue
            if position < len(self.fx.args):
                return self._resolve(self.fx.args[position])
            if name in self.fx.kwargs:
                return self._resolve(self.fx.kwargs[name])
            return formal.default_value if formal.has_default_value() else default
        return default

    def positional(self, position: int) -> Value:
        return self._resolve(self.fx.args[position])

    def node(self, name: str) -> Node:
        return self.program.nodes[name]

    def point(
        self,
        function: str,
        *operands: Operand,
        part: str = "",
        dtype: str | None = None,
        compute: str | None = None,
    ) -> str:
        """A pointwise node; `compute` is the type its operands are converted to."""
        shapes = [self.node(o).shape for o in operands if isinstance(o, str)]
        result = dtype or (wide(self.dtype) if part else self.dtype)
        attributes: dict[str, Attribute] = {"compute": wide(compute or result)}
        shape = tuple(torch.broadcast_shapes(*shapes))  # type: ignore[no-untyped-call]
        return self._add(Kind.POINTWISE, function, operands, shape, result, attributes, part)

    def reduce(
        self,
        function: str,
        operand: str,
        dims: Sequence[int],
        part: str = "",
        dtype: str | None = None,
    ) -> str:
        """A reduction over `dims`, which stay as size 1."""
        source = self.node(operand)
        rank = len(source.shape)
        dims = tuple(sorted({d % rank for d in dims})) if rank else ()
        if all(source.shape[d] == 1 for d in dims) and not function.startswith("arg"):
            return self.point("identity", operand, part=part, dtype=dtype)
        shape = tuple(1 if d in dims else size for d, size in enumerate(source.shape))
        result = dtype or (wide(self.dtype) if part else self.dtype)
        attributes: dict[str, Attribute] = {"dims": dims, "compute": wide(result)}
        return self._add(Kind.REDUCTION, function, (operand,), shape, result, attributes, part)

    def matmul(self, lhs: str, rhs: str, shape: tuple[int, ...], part: str = "") -> str:
        return self._add(Kind.MATMUL, "matmul", (lhs, rhs), shape, self.dtype, {}, part)

    def view(
        self,
        function: str,
        operand: str,
        shape: Sequence[int],
        part: str = "",
        **attributes: Attribute,
    ) -> str:
        """A view node, or `operand` itself where the view changes nothing."""
        source = self.node(operand)
        if function in ("reshape", "expand") and tuple(shape) == source.shape:
            return operand
        new_shape = tuple(shape)
        return self._add(Kind.VIEW, function, (operand,), new_shape, source.dtype, attributes, part)

    def fail(self, why: str) -> SeedError:
        return SeedError(f"{self.aten}: {why}")

    def _add(
        self,
        kind: Kind,
        function: str,
        operands: tuple[Operand, ...],
        shape: tuple[int, ...],
        dtype: str,
        attributes: dict[str, Attribute],
        part: str,
    ) -> str:
        name = f"{self.name}_{part}" if part else self.name
        count = 1
        while name in self.program.nodes:
            count += 1
            name = f"{self.name}_{part}{count}"
        return self.program.add(
            Node(
                name,
                kind,
                function,
                operands,
                shape,
                dtype,
                attributes,
                self.aten,
                self.origin,
                self.line,
            )
        )

    def _schema(self) -> Sequence[Any]:
        schema = getattr(self.fx.target, "_schema", None)
        return schema.arguments if schema is not None else ()

    def _resolve(self, value: object) -> Value:
        if isinstance(value, torch.fx.Node):
            return self.values[value.name]
        if isinstance(value, list | tuple):
            return tuple(self._resolve(item) for item in value)
        return value
