"""Finds tensor work that a candidate does outside its own kernels."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

# What moves no data: making uninitialised tensors, and views of existing ones.
_ALLOWED_NAMES = """
    empty empty_like empty_strided new_empty new_empty_strided
    view _unsafe_view reshape _reshape_alias as_strided alias detach
    t transpose permute expand unsqueeze squeeze flatten unflatten select slice narrow
    split split_with_sizes chunk unbind view_as_real view_as_complex lift_fresh
"""
_ALLOWED = frozenset(f"aten::{name}" for name in _ALLOWED_NAMES.split())


class OutsideWorkError(Exception):
    """The candidate ran an operator of PyTorch that computes or moves data."""


class DispatchGuard(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Raises OutsideWorkError at the first operator that is neither an allocation nor a view."""

    def __torch_dispatch__(
        self,
        func: Callable[..., Any],
        types: Sequence[type],
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        assert isinstance(func, torch._ops.OpOverload)
        name = func._schema.name
        if name not in _ALLOWED:
            raise OutsideWorkError(
                f"ModelNew runs {name} outside its kernels; only allocations and views are free"
            )
        return func(*args, **(kwargs or {}))
