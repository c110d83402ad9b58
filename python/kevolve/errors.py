"""Errors that a user can act on: one line, naming the file and the line where there is one."""

from __future__ import annotations

from pathlib import Path


class KevolveError(Exception):
    """Bad input or a missing piece; the command line prints it as one line and exits with 1.

    Attributes:
        message: what is wrong and what to do.
        file: the file at fault, if any.
        line: 1-based line in `file`, if known.
    """

    def __init__(self, message: str, file: str | Path | None = None, line: int | None = None):
        self.message = message
        self.file = str(file) if file is not None else None
        self.line = line
        super().__init__(str(self))

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line) if part is not None)
        text = " ".join(self.message.split())
        return f"{place}: {text}" if place else text


class ProblemError(KevolveError):
    """A problem file that cannot be used."""


class CompileError(KevolveError):
    """A kernel or an IR file that cannot be compiled for its target."""


class UnknownTargetError(KevolveError):
    """A target that kevolve does not have."""


class LaunchError(KevolveError):
    """A kernel that could not be launched, or that faulted while it ran."""
