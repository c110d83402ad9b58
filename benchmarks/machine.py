"""What a benchmark's table says of where it was made."""

import platform
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path


def processor() -> str:
    """The processor's name and number of cores: Linux keeps them in /proc/cpuinfo."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return f"{names[0]}, {len(names)} cores" if names else platform.processor()


def versions(packages: Iterable[str]) -> str:
    """Python's version and those of `packages`."""
    named = [f"{name} {version(name)}" for name in packages]
    return ", ".join([f"Python {platform.python_version()}", *named])
