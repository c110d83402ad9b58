"""The clang and lld of the `ziglang` package: one code generator for every backend of ours."""

from __future__ import annotations

import functools
import subprocess
import tempfile
from pathlib import Path

from kevolve.errors import CompileError


def clang(stage: str, text: str, source: str, product: str, *flags: str) -> bytes:
    """Runs clang on files of fixed names: its output depends on `text` and `flags` alone."""
    with tempfile.TemporaryDirectory(prefix="kevolve-") as folder:
        (Path(folder) / source).write_text(text)
        run_zig(stage, ["clang", *flags, source, "-o", product], folder)
        return (Path(folder) / product).read_bytes()


def run_zig(stage: str, arguments: list[str], folder: str) -> str:
    """Runs a tool of zig in `folder`; what it says on stderr, or its first error as ours."""
    done = subprocess.run(
        [str(zig()), *arguments], cwd=folder, capture_output=True, text=True, check=False
    )
    if done.returncode == 0:
        return done.stderr
    errors = [line for line in done.stderr.splitlines() if "error" in line] or [
        f"{arguments[0]} ended with status {done.returncode}"
    ]
    raise CompileError(f"{stage}: {errors[0]}")


@functools.cache
def zig() -> Path:
    """The driver program of the `ziglang` package."""
    import ziglang

    program = Path(ziglang.__file__).parent / "zig"
    if not program.is_file():
        raise CompileError(f"the ziglang package has no {program.name} program")
    return program
