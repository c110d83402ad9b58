"""docs/reference says what the code says."""

import runpy
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_reference_pages_are_current():
    generated = runpy.run_path(str(ROOT / "docs" / "generate.py"))["pages"]()
    assert len([name for name in generated if name.endswith(".md")]) >= 9
    stale = [
        name
        for name, text in generated.items()
        if not (ROOT / "docs/reference" / name).is_file()
        or (ROOT / "docs/reference" / name).read_text() != text
    ]
    assert not stale, f"run python docs/generate.py: {', '.join(stale)}"
