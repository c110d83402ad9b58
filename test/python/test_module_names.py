"""Python imports a test file by its bare name, so that no two may share one."""

from collections import Counter
from pathlib import Path

TEST = Path(__file__).parents[1]
COLLECTED = [TEST / "python", TEST / "simulator"]


def test_every_test_module_has_a_name_of_its_own():
    names = Counter(
        path.stem
        for folder in COLLECTED
        for path in folder.rglob("*.py")
        if path.name != "conftest.py"  # loaded by path
    )
    assert [name for name, count in names.items() if count > 1] == []
