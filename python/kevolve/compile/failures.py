"""Errors of code that users wrote, as one line with its place."""

from __future__ import annotations

import traceback
from pathlib import Path

from triton.errors import TritonError

from kevolve.errors import CompileError

# What running someone's module or forward pass raises when that code is wrong.
USER_CODE_ERRORS = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    ImportError,
    LookupError,
    NameError,
    OSError,
    RuntimeError,
    SyntaxError,
    TritonError,
    TypeError,
    ValueError,
)


def at_last_line_in(path: Path, error: BaseException) -> CompileError:
    """`error` as a CompileError at the last line of `path` that led to it."""
    if isinstance(error, CompileError):
        return error
    if isinstance(error, SyntaxError):
        return CompileError(error.msg, error.filename or path, error.lineno)
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if Path(frame.filename) == path]
    return CompileError(f"{type(error).__name__}: {error}", path, lines[-1] if lines else None)
