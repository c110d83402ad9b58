"""What is compiled: a Triton function with its signature, or a file of Triton IR."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from triton.compiler import ASTSource
from triton.runtime.jit import JITFunction

from kevolve.errors import CompileError
from kevolve.triton_bridge import generic

Grid: TypeAlias = tuple[int, int, int]
# A compile-time argument: number, string, None, triton.language dtype, another JIT function, ...
Constant: TypeAlias = Any
# Triton's attributes of one argument, e.g. [["tt.divisibility", 16]].
Attributes: TypeAlias = list[list[Any]]
Options: TypeAlias = Mapping[str, object]

DIVISIBLE_BY_16: Attributes = [["tt.divisibility", 16]]
CONSTEXPR = "constexpr"


@dataclass(frozen=True)
class FunctionSource:
    """A Triton function, specialised.

    Attributes:
        function: the `triton.JITFunction`.
        signature: type of every parameter, `constexpr` for the compile-time ones.
        constants: value by position path of every `constexpr` parameter.
        attributes: Triton's attributes by position path of a parameter.
        options: what a launch would pass beside arguments (`num_warps`, `num_stages`, ...).
        grid: programs in x, y and z, where known.
        arguments: values of the scalar arguments by name, where known.
    """

    function: JITFunction[Any]
    signature: Mapping[str, Any]
    constants: Mapping[tuple[int, ...], Constant] = field(default_factory=dict)
    attributes: Mapping[tuple[int, ...], Attributes] = field(default_factory=dict)
    options: Options = field(default_factory=dict)
    grid: Grid | None = None
    arguments: Mapping[str, int | float | bool] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return str(self.function.__name__)

    @property
    def file(self) -> str:
        return inspect.getsourcefile(self.function.fn) or self.name

    def ast_source(self) -> ASTSource:
        return ASTSource(
            self.function, dict(self.signature), dict(self.constants), dict(self.attributes)
        )

    def runtime_parameters(self) -> list[tuple[str, str]]:
        """Name and type of each argument that a launch passes, in order."""
        return [(name, str(kind)) for name, kind in self.signature.items() if kind != CONSTEXPR]


@dataclass(frozen=True)
class FileSource:
    """A file of Triton IR: `.ttir`, `.ttgir`, or `.mlir` that holds either."""

    path: Path
    options: Options = field(default_factory=dict)
    grid: Grid | None = None
    arguments: Mapping[str, int | float | bool] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.path.stem

    @property
    def file(self) -> str:
        return str(self.path)

    @property
    def level(self) -> str:
        """`ttir` or `ttgir`; Triton's GPU dialect occurs in the second only."""
        if self.path.suffix in (".ttir", ".ttgir"):
            return self.path.suffix[1:]
        return "ttgir" if '"ttg.num-warps"' in self.text() else "ttir"

    def text(self) -> str:
        if not self.path.is_file():
            raise CompileError("no such file", self.path)
        return self.path.read_text()

    def parse(self, context: generic.TritonContext | None = None) -> generic.TritonModule:
        return generic.parse_file(self.path, context)


KernelSource: TypeAlias = FunctionSource | FileSource


def jit_function(function: object) -> JITFunction[Any]:
    """The JIT function inside autotuners and heuristics."""
    while not isinstance(function, JITFunction):
        inner = getattr(function, "fn", None)
        if inner is None:
            raise CompileError(f"{function!r} is not a @triton.jit function")
        function = inner
    return function


def specialise(
    function: JITFunction[Any],
    types: Mapping[str, str],
    constants: Mapping[str, Constant],
    divisible_by_16: frozenset[str] = frozenset(),
    options: Options | None = None,
    grid: Grid | None = None,
    arguments: Mapping[str, int | float | bool] | None = None,
) -> FunctionSource:
    """A source from types and constants by parameter name; defaults of constants are filled in."""
    values = {**_default_constants(function), **constants}
    _check_names(function, types, values)
    signature = {name: types.get(name, CONSTEXPR) for name in function.arg_names}
    for name in constants:
        signature[name] = CONSTEXPR
    positions = {name: (n,) for n, name in enumerate(function.arg_names)}
    return FunctionSource(
        function,
        signature,
        {positions[name]: values[name] for name, kind in signature.items() if kind == CONSTEXPR},
        {positions[name]: DIVISIBLE_BY_16 for name in positions if name in divisible_by_16},
        options or {},
        grid,
        arguments or {},
    )


def _default_constants(function: JITFunction[Any]) -> dict[str, Constant]:
    return {
        parameter.name: parameter.default
        for parameter in function.params
        if parameter.is_constexpr and parameter.has_default
    }


def _check_names(
    function: JITFunction[Any], types: Mapping[str, str], constants: Mapping[str, Constant]
) -> None:
    place = inspect.getsourcefile(function.fn)
    unknown = [name for name in (*types, *constants) if name not in function.arg_names]
    if unknown:
        raise CompileError(f"{function.__name__} has no parameter {', '.join(unknown)}", place)
    missing = [name for name in function.arg_names if name not in types and name not in constants]
    if missing:
        raise CompileError(
            f"{function.__name__} needs a type or a value for {', '.join(missing)}", place
        )


def source_hash(source: KernelSource) -> str:
    """Equal for equal text, signature, constants, attributes and options."""
    if isinstance(source, FileSource):
        identity = f"{source.level}\n{source.text()}"
    else:
        identity = str(source.ast_source().hash())
    options = sorted((name, str(value)) for name, value in source.options.items())
    return hashlib.sha256(f"{identity}\n{options}".encode()).hexdigest()
