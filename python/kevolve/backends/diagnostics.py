"""One line for the user out of what MLIR reports, with the line of the kernel that is at fault."""

from __future__ import annotations

import re
from typing import Any

from kevolve.errors import CompileError

# A location prints as loc("file":line:column), alone or nested in callsite(..) and fused<..>[..].
_PLACE = re.compile(r'"(?P<file>[^"]+)":(?P<line>\d+)(?::\d+)?')
_PRINTED = "see current operation"


def compile_error(error: Any, stage: str) -> CompileError:
    """The first diagnostic of an `mlir.ir.MLIRError` as an error of ours.

    The first is the cause; what follows it says which pass gave up.
    """
    diagnostics = list(error.error_diagnostics)
    if not diagnostics:
        return CompileError(f"{stage}: {error}")
    first = diagnostics[0]
    file, line = source_place(str(first.location))
    # A note that prints the operation says nothing that the line does not.
    notes = [note.message for note in first.notes if not note.message.startswith(_PRINTED)]
    message = "; ".join([first.message, *notes])
    return CompileError(f"{stage}: {message}", file, line)


def source_place(location: str) -> tuple[str | None, int | None]:
    """File and line of the innermost place in a printed location."""
    found = _PLACE.search(location)
    if found is None:
        return None, None
    return found["file"], int(found["line"])
