"""How lit runs the .mlir tests of kevolve.

Works in the source tree (`ninja check-kevolve`, or `lit test`) and against an installed package:
the tool is the kevolve-opt of the `kevolve` package that Python finds, and FileCheck comes with
Triton's or LLVM's wheel. `lit -Dkevolve_opt=PATH` names another tool.
"""

import importlib.util
import sys
from pathlib import Path

import lit.formats

config.name = "kevolve"
config.test_format = lit.formats.ShTest(False)
config.suffixes = [".mlir"]
config.excludes = ["Inputs", "Output", "python", "simulator", "profiling"]
config.test_source_root = str(Path(__file__).parent)

SOURCE_PYTHON = Path(__file__).parent.parent / "python"


def package_roots(name: str) -> list[Path]:
    """The folders of package `name`, without importing it."""
    spec = importlib.util.find_spec(name)
    return [Path(place) for place in (spec.submodule_search_locations or [])] if spec else []


def first_existing(what: str, candidates: list[Path]) -> str:
    for candidate in candidates:
        if candidate.is_file():
            return str(candidate)
    places = ", ".join(str(candidate) for candidate in candidates) or "nowhere"
    lit_config.fatal(f"no {what}; looked at {places}")
    raise SystemExit(1)


def kevolve_opt() -> str:
    named = lit_config.params.get("kevolve_opt")
    if named:
        return first_existing("kevolve-opt", [Path(named)])
    built = SOURCE_PYTHON / "kevolve" / "bin" / "kevolve-opt"
    installed = [root / "bin" / "kevolve-opt" for root in package_roots("kevolve")]
    return first_existing("kevolve-opt", [built, *installed])


def filecheck() -> str:
    """LLVM's own FileCheck, from whichever wheel is there."""
    triton = [root / "FileCheck" for root in package_roots("triton")]
    llvm = [root / "bin" / "FileCheck" for root in package_roots("llvm")]
    return first_existing("FileCheck", triton + llvm)


def python_path(tool: str) -> str:
    """Where `import kevolve` finds the package that `tool` belongs to."""
    return str(Path(tool).parent.parent.parent)


tool = kevolve_opt()
config.substitutions += [
    ("%kevolve_opt", tool),
    (r"(?<![\w/%.-])kevolve-opt\b", tool),
    (r"(?<![\w/%.-])FileCheck\b", filecheck()),
    (r"%python\b", sys.executable),
]
config.environment["PYTHONPATH"] = python_path(tool)
config.environment["FILECHECK_OPTS"] = "--enable-var-scope --dump-input-filter=error"
