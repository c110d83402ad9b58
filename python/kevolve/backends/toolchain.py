"""What the code that our backends make depends on, beside the kernel."""

from __future__ import annotations

import functools
import hashlib
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

_BACKENDS = Path(__file__).parent
_PACKAGE = _BACKENDS.parent


@functools.cache
def toolchain_hash(backend: str) -> str:
    """Our passes, MLIR and the code generator, by what they are made of."""
    digest = hashlib.sha256()
    for package in ("xtc-mlir-python-bindings", "ziglang"):
        try:
            digest.update(version(package).encode())
        except PackageNotFoundError:
            digest.update(b"absent")
    for path in _files(backend):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _files(backend: str) -> list[Path]:
    native = sorted((_PACKAGE / "_native").glob("_kevolve_mlir*"))
    native += sorted((_PACKAGE / "_data" / "chips").glob("*.json"))
    sources = sorted(_BACKENDS.glob("*.py")) + sorted((_BACKENDS / backend).glob("*.py"))
    return native + sources
