"""Where the compiled tools of this installation are."""

from __future__ import annotations

from pathlib import Path

import kevolve
from kevolve.errors import KevolveError


def binary(name: str) -> Path:
    """The tool `name` in the package's `bin` folder; raises KevolveError if it was not built."""
    path = Path(kevolve.__file__).parent / "bin" / name
    if not path.is_file():
        raise KevolveError("this tool was not built: install kevolve with pip, or run ninja", path)
    return path
