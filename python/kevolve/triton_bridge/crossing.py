"""Triton IR to kevolve's MLIR and back, as generic text, with nothing lost on the way."""

from __future__ import annotations

import functools
import json
import re
from typing import Any, TypeAlias

from mlir import ir
from mlir.passmanager import PassManager

from kevolve._native._kevolve_mlir import register_dialects
from kevolve.errors import CompileError
from kevolve.triton_bridge import generic
from kevolve.triton_bridge.aliases import expand

# mlir.ir.Module and mlir.ir.Context, from wheels without complete stubs.
Module: TypeAlias = Any
Context: TypeAlias = Any

# Vendor dialects that upstream MLIR has too, but not in Triton's version: attributes and ops of
# Triton's would be errors there, so they cross under names that upstream does not know.
_VENDOR = re.compile(r"""(?<=[#!"\s{(\[,<])(?=(?:rocdl|nvvm)(?:<|\.[a-z]))""")
_FOREIGN = "triton_"
_FOREIGN_VENDOR = re.compile(_FOREIGN + r"(?=(?:rocdl|nvvm)(?:<|\.[a-z]))")

# MLIR's Python binding calls every text that it parses so.
_UNNAMED = re.compile(r'"-"(?=:\d+:\d+)')

_PLACE = re.compile(r":(?P<line>\d+):(?P<column>\d+)")


def new_context() -> Context:
    """An MLIR context with kevolve's dialects, that lets Triton's pass unregistered."""
    context = ir.Context()
    register_dialects(context)
    context.allow_unregistered_dialects = True
    return context


@functools.cache
def _shared_context() -> Context:
    return new_context()


def parse(text: str, context: Context | None = None, name: str = "<ir>") -> Module:
    """A module of kevolve's MLIR from generic Triton text or from its own text.

    Errors, and the locations of whatever has none in `text`, name `name`.
    """
    context = context or _shared_context()
    crossed = _VENDOR.sub(_FOREIGN, expand(text))
    try:
        module = ir.Module.parse(crossed, context)
    except ir.MLIRError as error:
        raise _parse_error(error, name) from error
    return _renamed(module, name)


def _renamed(module: Module, name: str) -> Module:
    text = print_foreign(module)
    if not _UNNAMED.search(text):
        return module
    # As a function: a backslash in a file's name is not an escape here.
    return ir.Module.parse(_UNNAMED.sub(lambda _: json.dumps(name), text), module.context)


def _parse_error(error: ir.MLIRError, name: str) -> generic.IrParseError:
    first = error.error_diagnostics[0]
    place = _PLACE.search(str(first.location))
    if place is None:
        return generic.IrParseError(first.message, name, None, None)
    return generic.IrParseError(first.message, name, int(place["line"]), int(place["column"]))


def print_module(module: Module, generic_form: bool = True, locations: bool = True) -> str:
    """The text of a module of kevolve's MLIR."""
    return _FOREIGN_VENDOR.sub("", print_foreign(module, generic_form, locations))


def print_foreign(module: Module, generic_form: bool = True, locations: bool = True) -> str:
    """The same as MLIR itself reads it back: vendor dialects keep their foreign names."""
    text = module.operation.get_asm(print_generic_op_form=generic_form, enable_debug_info=locations)
    return str(text)


def from_triton(module: generic.TritonModule, context: Context | None = None) -> Module:
    """A Triton module as a module of kevolve's MLIR."""
    return parse(generic.print_generic(module), context)


def to_triton(module: Module, context: generic.TritonContext | None = None) -> generic.TritonModule:
    """A module of kevolve's MLIR that holds Triton IR, as a Triton module."""
    text = print_module(module)
    try:
        return generic.parse_located(text, context)
    except generic.IrParseError as error:
        raise CompileError(_unreadable(text, error)) from error


def _unreadable(text: str, error: generic.IrParseError) -> str:
    """The text is ours and nobody's file: its op says more than its line number."""
    line = text.splitlines()[error.line - 1].strip() if error.line else ""
    op = re.search(r'"([\w.]+)"\(', line)
    return f"leaves what Triton cannot read: {op[1] if op else line[:60]}: {error.message}"


def from_triton_text(text: str, name: str = "<ir>", context: Context | None = None) -> Module:
    """Pretty or generic Triton text as a module of kevolve's MLIR."""
    return from_triton(generic.parse(text, name=name), context)


def to_triton_text(module: Module, locations: bool = True) -> str:
    """A module of kevolve's MLIR that holds Triton IR, as Triton's pretty text."""
    return generic.print_pretty(to_triton(module), locations)


def run_passes(module: Module, pipeline: str) -> None:
    """Runs a textual pipeline, e.g. `probe-insert,canonicalize`, on a module in place."""
    anchored = pipeline if pipeline.startswith("builtin.module(") else f"builtin.module({pipeline})"
    try:
        with module.context:
            PassManager.parse(anchored).run(module.operation)
    except (ir.MLIRError, ValueError) as error:
        raise CompileError(f"pipeline {pipeline!r}: {_one_line(error)}") from error


def run_passes_on_triton(
    module: generic.TritonModule, pipeline: str, context: generic.TritonContext | None = None
) -> generic.TritonModule:
    """What `pipeline` makes of a Triton module, as a new Triton module."""
    ours = from_triton(module)
    run_passes(ours, pipeline)
    return to_triton(ours, context or module.context)


def _one_line(error: Exception) -> str:
    if isinstance(error, ir.MLIRError) and error.error_diagnostics:
        return "; ".join(f"{one.location}: {one.message}" for one in error.error_diagnostics)
    return " ".join(str(error).split())
