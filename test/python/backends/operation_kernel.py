"""Kernels of several operations: their source, and what they compute."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from operation import TORCH_DTYPES, Operation
from operation_values import COUNT, NAMES, tensors, values

_TEMPLATE = Path(__file__).with_name("operation_kernel.txt")
_MATRICES = {"t": "a", "u": "b", "w": "c"}


def run(operations: Sequence[Operation], dtype: str, folder: Path) -> list[str]:
    """Runs one kernel with all of `operations`; what differs from their references."""
    operands = tensors(dtype)
    arrays = values(operands)
    with np.errstate(all="ignore"):
        wanted = [np.asarray(op.reference(arrays)) for op in operations]
    results = [
        torch.zeros(max(want.size, 1), dtype=TORCH_DTYPES[op.result_dtype(dtype)])
        for op, want in zip(operations, wanted, strict=True)
    ]
    kernel = _load(source(operations, [want.shape for want in wanted]), folder)
    kernel[(1,)](*operands.values(), *results)
    differences = []
    for op, result, want in zip(operations, results, wanted, strict=True):
        found = difference(result, want.ravel(), op.ulp)
        differences += [f"{op.name} on {dtype}: {found}"] if found else []
    return differences


def source(operations: Sequence[Operation], shapes: Sequence[tuple[int, ...]]) -> str:
    """The text of a kernel that stores every result to an argument of its own."""
    lines = []
    for number, (op, shape) in enumerate(zip(operations, shapes, strict=True)):
        lines += [f"slot = out{number}", *op.setup]
        lines.append(f"tl.store(slot{_offsets(shape)}, {op.expression})")
    text = "\n".join(lines)
    loads = [_load_line(name) for name in (*NAMES, *_MATRICES) if re.search(rf"\b{name}\b", text)]
    arguments = [f"p{name}" for name in NAMES] + [f"out{n}" for n in range(len(operations))]
    body = "\n".join(f"    {line}" for line in [*loads, *text.splitlines()])
    template = _TEMPLATE.read_text()
    return template.replace("$ARGUMENTS", ", ".join(arguments)).replace("$BODY", body)


def _load_line(name: str) -> str:
    if name in _MATRICES:
        return f"{name} = tl.load(p{_MATRICES[name]}{_offsets((16, 16))})"
    return f"{name} = tl.load(p{name}{_offsets((COUNT,))})"


def _offsets(shape: tuple[int, ...]) -> str:
    """Where elements of a row-major tensor lie; nothing for a scalar."""
    terms, stride = [], 1
    for dim in reversed(range(len(shape))):
        index = ", ".join(":" if one == dim else "None" for one in range(len(shape)))
        terms.append(f" + tl.arange(0, {shape[dim]})[{index}] * {stride}")
        stride *= shape[dim]
    return "".join(reversed(terms))


def _load(text: str, folder: Path) -> Any:
    path = folder / "operations.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location("operations", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.kernel


def difference(result: torch.Tensor, want: np.ndarray, ulp: float) -> str:
    """Where `result` is further than `ulp` units from `want`; nothing if it is nowhere."""
    if not result.dtype.is_floating_point:
        got = result.numpy()
        wrong = got != want.astype(got.dtype)
    else:
        got = result.double().numpy()
        wrong = ~_is_close(got, want.astype(np.float64), ulp, result.dtype)
    if not wrong.any():
        return ""
    at = int(np.flatnonzero(wrong)[0])
    return f"{wrong.sum()} of {wrong.size}: [{at}] is {got[at]}, not {want[at]}"


def _is_close(got: np.ndarray, want: np.ndarray, ulp: float, dtype: torch.dtype) -> np.ndarray:
    rounded = torch.from_numpy(want).to(dtype).double().numpy()
    info = torch.finfo(dtype)
    with np.errstate(all="ignore"):
        magnitude = np.maximum(np.abs(want), info.tiny)
        unit = info.eps * np.exp2(np.floor(np.log2(magnitude)))
        near = np.abs(got - want) <= ulp * unit * (1 + 2**-20)
    return (got == rounded) | near | (np.isnan(got) & np.isnan(rounded))
