"""Imports run one way: each package may import itself and what stands below it."""

import ast
from pathlib import Path

import kevolve

ROOT = Path(kevolve.__file__).parent

# From the bottom up. A package on one line may import those on the lines above it, and those on
# its own line only if they are the same package.
LAYERS = [
    {"_native", "errors"},
    {"records"},
    {"problem", "triton_bridge"},
    {"profile"},
    {"diagnose"},
    {"backends"},
    {"compile"},
    {"store", "synthesize"},
    {"evaluate", "report"},
    {"search"},
    {"cli"},
]
# The report reads the store, and nothing of what made it.
REPORT_MAY_IMPORT = {"report", "store", "records", "errors"}


def _level(package: str) -> int:
    found = [level for level, names in enumerate(LAYERS) if package in names]
    assert found, f"kevolve.{package} has no place in the layering"
    return found[0]


def _package_of(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def _imported(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
    parts = [name.split(".") for name in names if name.startswith("kevolve.")]
    known = {name for layer in LAYERS for name in layer}
    return {part[1] for part in parts if part[1] in known}


def _sources() -> list[Path]:
    return [path for path in sorted(ROOT.rglob("*.py")) if path != ROOT / "__init__.py"]


def test_every_package_has_a_layer():
    for path in _sources():
        _level(_package_of(path))


def test_imports_run_one_way():
    wrong = []
    for path in _sources():
        package = _package_of(path)
        for name in _imported(path) - {package}:
            if _level(name) >= _level(package):
                wrong.append(f"{path.relative_to(ROOT)} imports kevolve.{name}")
    assert not wrong, "\n".join(wrong)


def test_report_reads_the_store_and_nothing_else():
    for path in (ROOT / "report").rglob("*.py"):
        assert _imported(path) <= REPORT_MAY_IMPORT, path
