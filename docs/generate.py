"""Writes docs/reference: passes and operations from tablegen, rewrites and schemas from Python, and
which of Triton's operations hold on mtia from the table that tests them.

Run it with kevolve installed (or built, with PYTHONPATH=python): python docs/generate.py
"""

from __future__ import annotations

import sys
from importlib import resources
from pathlib import Path

from kevolve.records import Diagnosis, Result, json_schema
from kevolve.synthesize.rewrites import reference_page

REFERENCE = Path(__file__).parent / "reference"
OPERATIONS = Path(__file__).parents[1] / "test" / "python" / "backends"


def pages() -> dict[str, str]:
    """Text of each generated page by file name."""
    tablegen = Path(str(resources.files("kevolve"))) / "_data" / "reference"
    generated = {path.name: path.read_text() for path in sorted(tablegen.glob("*.md"))}
    generated["rewrites.md"] = reference_page()
    generated["coverage.md"] = _coverage()
    generated["result.schema.json"] = json_schema(Result) + "\n"
    generated["diagnosis.schema.json"] = json_schema(Diagnosis) + "\n"
    return generated


def _coverage() -> str:
    """From modules of the tests, which are no package."""
    sys.path.insert(0, str(OPERATIONS))
    from operation_coverage import page
    from operation_groups import GROUPS

    return page(GROUPS)


def main() -> None:
    """Writes every page."""
    REFERENCE.mkdir(exist_ok=True)
    for name, text in pages().items():
        (REFERENCE / name).write_text(text)


if __name__ == "__main__":
    main()
