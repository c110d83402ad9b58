"""`mtia-sim`: runs the compiled tool of that name with the same arguments."""

from __future__ import annotations

import os
import sys

from kevolve.cli.binaries import binary
from kevolve.errors import KevolveError


def main() -> None:
    """Replaces this process by the tool; says what to do where it was not built."""
    try:
        path = binary("mtia-sim")
    except KevolveError as error:
        print(f"mtia-sim: error: {error}", file=sys.stderr)
        sys.exit(1)
    os.execv(path, [str(path), *sys.argv[1:]])
