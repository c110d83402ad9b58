"""Where the example problems are."""

from pathlib import Path

ROOT = Path(__file__).parents[3]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
