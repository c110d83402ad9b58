"""Artifacts: what it takes to launch a kernel on a machine that has only the driver and torch.

A folder named by the hash of its content: `artifact.json` and one file per level.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from pydantic import ValidationError

from kevolve.errors import CompileError
from kevolve.records import Site, from_json, to_json
from kevolve.triton_bridge.kernels import Grid

MANIFEST_VERSION = 1
_MANIFEST = "artifact.json"
# Enough of a SHA-256 that two contents never meet, short enough for a path.
_NAME_LENGTH = 32


@dataclass(frozen=True)
class Argument:
    """An argument of the kernel's ABI, in order; compile-time ones are not there."""

    name: str
    type: str
    divisible_by_16: bool = False


@dataclass(frozen=True)
class Manifest:
    """What is known of the kernel beside its code.

    Attributes:
        kernel: the symbol to launch.
        target: name of the target it was built for.
        arguments: what a launch passes. On GPUs Triton's own scratch pointers follow them.
        constants: the compile-time arguments, as text.
        options: launch options that it was built with.
        grid: programs in x, y, z, where known.
        values: scalar arguments of the launch that it was taken from, where known.
        probe_area: position in `arguments` of the pointer to the probe records, if it has probes.
        sites: the probe site table.
        levels: file name of each level.
        metadata: what the backend says of the kernel (`shared`, `num_warps`, ...).
    """

    version: int
    kernel: str
    target: str
    triton_version: str
    arguments: tuple[Argument, ...]
    constants: dict[str, str]
    options: dict[str, str]
    grid: Grid | None
    values: dict[str, int | float | bool]
    probe_area: int | None
    sites: tuple[Site, ...]
    levels: dict[str, str]
    metadata: dict[str, int | float | bool | str | None] = field(default_factory=dict)


@dataclass(frozen=True)
class Artifact:
    """A compiled kernel in the folder `path`."""

    path: Path
    manifest: Manifest

    @property
    def hash(self) -> str:
        return self.path.name

    @cached_property
    def binary_level(self) -> str:
        """The last level that there is; the target's binary if nothing stopped before."""
        return list(self.manifest.levels)[-1]

    def text(self, level: str) -> str:
        """The IR or assembly of `level`."""
        return self._file(level).read_text()

    def content(self, level: str) -> bytes:
        """The content of `level`, text or not."""
        return self._file(level).read_bytes()

    @property
    def binary(self) -> bytes:
        return self.content(self.binary_level)

    def _file(self, level: str) -> Path:
        if level not in self.manifest.levels:
            known = ", ".join(self.manifest.levels)
            raise CompileError(f"no level {level!r} in this artifact; there are {known}", self.path)
        return self.path / self.manifest.levels[level]


def write(manifest: Manifest, levels: Mapping[str, str | bytes], root: Path) -> Artifact:
    """Puts an artifact below `root`; one with the same content is left as it is."""
    files = {manifest.levels[level]: _encoded(content) for level, content in levels.items()}
    files[_MANIFEST] = to_json(manifest).encode()
    path = root / content_hash(files)
    if not path.is_dir():
        _write_folder(path, files)
    return Artifact(path, manifest)


def read(path: Path) -> Artifact:
    """The artifact in the folder `path`."""
    file = path / _MANIFEST
    if not file.is_file():
        raise CompileError(f"not an artifact: it has no {_MANIFEST}", path)
    try:
        return Artifact(path, from_json(Manifest, file.read_bytes()))
    except ValidationError as error:
        raise CompileError(f"damaged: {error.errors()[0]['msg']}", file) from error


def content_hash(files: Mapping[str, bytes]) -> str:
    """A name for the content of a folder."""
    digest = hashlib.sha256()
    for name, content in sorted(files.items()):
        digest.update(f"{name}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()[:_NAME_LENGTH]


def _encoded(content: str | bytes) -> bytes:
    return content.encode() if isinstance(content, str) else content


def _write_folder(path: Path, files: Mapping[str, bytes]) -> None:
    """All or nothing: another process may write the same artifact now, or this one be killed."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = Path(tempfile.mkdtemp(dir=path.parent, prefix=".new-"))
    except OSError as error:
        raise CompileError(f"cannot write: {error.strerror}", path.parent) from error
    for name, content in files.items():
        (temporary / name).write_bytes(content)
    try:
        os.rename(temporary, path)
    except OSError:
        # The other process was first; the content is the same.
        shutil.rmtree(temporary)
