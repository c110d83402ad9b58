"""Triton modules to and from text: pretty form, and MLIR's generic form.

Triton's Python binding prints pretty form only. libtriton exports MLIR's registration of the
printer's command-line options and LLVM's option parser, so the generic form is one option away.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
import re
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

from triton._C import libtriton
from triton._C.libtriton import ir

from kevolve.errors import CompileError
from kevolve.triton_bridge.aliases import expand

# pybind11 classes without stubs: triton._C.libtriton.ir.module and .context.
TritonModule: TypeAlias = Any
TritonContext: TypeAlias = Any

_GENERIC_OPTION = b"--mlir-print-op-generic=true"
# The options are global to libtriton, and the parser's diagnostics go to the process's stderr.
_PROCESS_WIDE = threading.RLock()
_DIAGNOSTIC = re.compile(r"(?P<line>\d+):(?P<column>\d+)\)?: error: (?P<message>.+)")

# Triton 3.9 prints a WMMA encoding without its rank but reads a missing rank as 2, and aborts on
# batched products. The bases of the layout say what the rank is.
_WMMA_LAYOUT = re.compile(
    r"(?P<head>#ttg\.amd_wmma<\{(?:(?!rank = )[^{}])*)(?P<layout>ctaLayout = \{\w+ = \[\[)"
    r"(?P<base>[^\]]*)"
)
_DEFAULT_RANK = 2


class IrParseError(CompileError):
    """IR text that cannot be parsed or verified."""

    def __init__(
        self, message: str, file: str | Path | None, line: int | None, column: int | None
    ) -> None:
        self.column = column
        super().__init__(message, file, line)

    def __str__(self) -> str:
        places = [str(part) for part in (self.file, self.line, self.column) if part is not None]
        return f"{':'.join(places)}: error: {self.message}" if places else self.message


def new_context() -> TritonContext:
    """A Triton context that knows the dialects of every backend that libtriton carries."""
    context = ir.context()
    ir.load_dialects(context)
    for vendor in ("nvidia", "amd"):
        if hasattr(libtriton, vendor):
            getattr(libtriton, vendor).load_dialects(context)
    return context


def parse(text: str, context: TritonContext | None = None, name: str = "<ir>") -> TritonModule:
    """The Triton module that pretty or generic `text` holds.

    Errors, and the locations of whatever has none in `text`, name `name`.
    """
    with _as_file(text) as path:
        module = _parse_path(path, context, name)
    return _renamed(module, str(path), name)


def parse_located(text: str, context: TritonContext | None = None) -> TritonModule:
    """Like `parse`, for text that gives every location itself, as generic text does."""
    with _as_file(text) as path:
        return _parse_path(path, context, "<ir>")


def parse_file(path: str | Path, context: TritonContext | None = None) -> TritonModule:
    """The Triton module in the file at `path`, in pretty or generic form."""
    if not Path(path).is_file():
        raise CompileError("no such file", path)
    return parse(Path(path).read_text(), context, str(path))


def print_pretty(module: TritonModule, locations: bool = True) -> str:
    """Triton's own text of `module`."""
    return str(module.str() if locations else module.str_nodebug())


def print_generic(module: TritonModule, locations: bool = True) -> str:
    """`module` in generic form, with attribute and type aliases expanded."""
    with _PROCESS_WIDE, _generic_printing():
        text = print_pretty(module, locations)
    return expand(text)


@contextlib.contextmanager
def _as_file(text: str) -> Iterator[Path]:
    """Triton's parser takes a path only."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "module.mlir"
        path.write_text(_WMMA_LAYOUT.sub(_with_rank, text))
        yield path


def _with_rank(layout: re.Match[str]) -> str:
    rank = layout["base"].count(",") + 1
    stated = "" if rank == _DEFAULT_RANK else f"rank = {rank}, "
    return f"{layout['head']}{stated}{layout['layout']}{layout['base']}"


def _renamed(module: TritonModule, path: str, name: str) -> TritonModule:
    """`module` with `name` in those locations that the parser took from the file at `path`."""
    text = print_generic(module)
    if path not in text:
        return module
    return parse_located(text.replace(path, name), module.context)


def _parse_path(path: Path, context: TritonContext | None, name: str) -> TritonModule:
    context = context or new_context()
    with _PROCESS_WIDE, captured_stderr() as diagnostics:
        try:
            module = ir.parse_mlir_module(str(path), context)
        except RuntimeError as error:
            failure = str(error)
        else:
            # Triton's binding does not keep the context alive by itself.
            module.context = context
            return module
    raise _parse_error(diagnostics.text or failure, name)


def _parse_error(diagnostics: str, name: str) -> IrParseError:
    found = _DIAGNOSTIC.search(diagnostics)
    if found is None:
        return IrParseError(diagnostics.strip() or "Triton cannot parse this", name, None, None)
    return IrParseError(found["message"], name, int(found["line"]), int(found["column"]))


class Diagnostics:
    """What was written to stderr meanwhile; set when the capture ends."""

    text: str = ""


@contextlib.contextmanager
def captured_stderr() -> Iterator[Diagnostics]:
    """MLIR inside libtriton reports parse errors on file descriptor 2 and nowhere else."""
    diagnostics = Diagnostics()
    sys.stderr.flush()
    saved = os.dup(2)
    with tempfile.TemporaryFile() as sink:
        os.dup2(sink.fileno(), 2)
        try:
            yield diagnostics
        finally:
            os.dup2(saved, 2)
            os.close(saved)
            sink.seek(0)
            diagnostics.text = sink.read().decode(errors="replace")


@contextlib.contextmanager
def _generic_printing() -> Iterator[None]:
    library = _printer_options()
    _parse_options(library, _GENERIC_OPTION)
    try:
        yield
    finally:
        library.reset()


def _parse_options(library: _PrinterOptions, *options: bytes) -> None:
    arguments = (ctypes.c_char_p * (1 + len(options)))(b"kevolve", *options)
    library.reset()
    library.parse(len(arguments), arguments, None)


class _PrinterOptions:
    """The three functions of libtriton that switch the printer's form."""

    def __init__(self, library: ctypes.CDLL) -> None:
        register = library["_ZN4mlir27registerAsmPrinterCLOptionsEv"]
        register.restype = None
        register()
        self.reset = library["_ZN4llvm2cl25ResetAllOptionOccurrencesEv"]
        self.reset.restype = None
        self.parse = library["LLVMParseCommandLineOptions"]
        self.parse.restype = None
        self.parse.argtypes = [
            ctypes.c_int,
            ctypes.POINTER(ctypes.c_char_p),
            ctypes.c_char_p,
        ]


@functools.cache
def _printer_options() -> _PrinterOptions:
    try:
        return _PrinterOptions(ctypes.CDLL(libtriton.__file__))
    except AttributeError as error:
        raise CompileError(f"this build of Triton does not export {error}") from error
