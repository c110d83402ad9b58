"""Edits the TTGIR of kernels that Triton compiles by itself, through its stages hook."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Iterator
from typing import Any

from triton import knobs

from kevolve.triton_bridge import crossing
from kevolve.triton_bridge.generic import TritonModule
from kevolve.triton_bridge.stages import Edit


def pipeline_edit(pipeline: str) -> Edit:
    """An edit that runs a textual pass pipeline of kevolve's MLIR on a Triton module."""

    def edit(module: TritonModule) -> TritonModule:
        return crossing.run_passes_on_triton(module, pipeline)

    return edit


@contextlib.contextmanager
def edited_ttgir(edit: Edit, key: str) -> Iterator[None]:
    """While active, `edit` runs at the end of the ttgir stage of every compilation by Triton.

    `key` tells one edit from another in Triton's caches.
    """
    previous = knobs.runtime.add_stages_inspection_hook
    knobs.runtime.add_stages_inspection_hook = _stages_hook(edit, key)
    try:
        yield
    finally:
        knobs.runtime.add_stages_inspection_hook = previous


def _stages_hook(edit: Edit, key: str) -> Callable[..., tuple[str, str] | None]:
    """Triton calls the hook without arguments for its cache key, else with a backend's stages."""

    def hook(*arguments: Any) -> tuple[str, str] | None:
        if not arguments:
            return key, hashlib.sha256(key.encode()).hexdigest()
        _append_to_stage(arguments[1], edit)
        return None

    return hook


def _append_to_stage(stages: dict[str, Any], edit: Edit) -> None:
    own = stages.get("ttgir")
    if own is not None:
        stages["ttgir"] = lambda source, metadata: edit(own(source, metadata))
