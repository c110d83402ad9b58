"""Operands of operations, by type: the same in every run."""

from __future__ import annotations

import zlib

import numpy as np
import torch
from operation import FLOATS, FP8, TORCH_DTYPES, Values

COUNT = 256
NAMES = ("a", "b", "c", "s", "r")
# Signs, zeros, halves that round either way, the ends of the range, subnormals, and no numbers.
_SPECIALS = (0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 1.5, 2.5, -2.5, 3.0)


def tensors(dtype: str) -> dict[str, torch.Tensor]:
    """The operands as a kernel gets them."""
    generator = np.random.default_rng(zlib.crc32(dtype.encode()))
    if dtype in FLOATS or dtype in FP8:
        return _floats(TORCH_DTYPES[dtype], generator)
    if dtype == "int1":
        return {name: torch.from_numpy(generator.integers(0, 2, COUNT) == 1) for name in NAMES}
    return _integers(np.dtype(dtype), generator)


def values(operands: dict[str, torch.Tensor]) -> Values:
    """The same operands as a reference gets them."""
    return Values(**{name: array(tensor) for name, tensor in operands.items()})


def array(tensor: torch.Tensor) -> np.ndarray:
    """NumPy's view of it: floats in float64, others as they are."""
    return (tensor.double() if tensor.dtype.is_floating_point else tensor).numpy()


def _floats(dtype: torch.dtype, generator: np.random.Generator) -> dict[str, torch.Tensor]:
    info = torch.finfo(dtype)
    edges = [float("nan"), float("inf"), -float("inf"), info.max, -info.max, info.tiny]
    left, right = np.meshgrid([*_SPECIALS, *edges], [*_SPECIALS, *edges])
    arrays = (
        generator.normal(0, 3, COUNT),
        generator.normal(0, 3, COUNT),
        generator.uniform(0.05, 8, COUNT),
        left.ravel(),
        right.ravel(),
    )
    return {name: torch.from_numpy(one).to(dtype) for name, one in zip(NAMES, arrays, strict=True)}


def _integers(dtype: np.dtype, generator: np.random.Generator) -> dict[str, torch.Tensor]:
    info = np.iinfo(dtype)
    a, b = (generator.integers(info.min, info.max, COUNT, dtype, True) for _ in range(2))
    c = generator.integers(1, 100, COUNT).astype(dtype)
    if info.min < 0:
        c[::3] = -c[::3]
    edges = [0, 1, 2, 3, 7, 8, 31, 100, info.max, info.max - 1, info.min, info.min + 1]
    edges += [info.max // 2, info.max // 2 + 1, info.max // 3, info.max // 5]
    left, right = np.meshgrid(np.array(edges, dtype), np.array(edges, dtype))
    arrays = (a, b, c, left.ravel(), right.ravel())
    return {name: torch.from_numpy(one) for name, one in zip(NAMES, arrays, strict=True)}
