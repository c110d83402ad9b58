"""Compares a candidate's outputs with the reference."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import torch

from kevolve.problem import tolerance
from kevolve.records import Status, Verdict


@dataclass(frozen=True)
class _Errors:
    wrong: int
    max_abs: float
    max_rel: float


def compare(
    outputs: Sequence[torch.Tensor],
    reference: Sequence[torch.Tensor],
    eager: Sequence[torch.Tensor],
) -> Verdict:
    """Judges `outputs` by `reference` (float64 where floating point).

    `eager` are the reference model's outputs in its own dtypes: a candidate must give the same
    number of outputs, with the same shapes and dtypes. The tolerance is that of each output's
    dtype (kevolve.problem.tolerance).
    """
    if len(outputs) != len(eager):
        return _wrong(f"{len(outputs)} outputs, the reference gives {len(eager)}")
    worst_abs = worst_rel = 0.0
    for index, (got, want, like) in enumerate(zip(outputs, reference, eager, strict=True)):
        if got.shape != like.shape or got.dtype != like.dtype:
            return _wrong(
                f"output {index} is {got.dtype} {tuple(got.shape)}, "
                f"the reference gives {like.dtype} {tuple(like.shape)}"
            )
        errors = _errors(got, want)
        worst_abs, worst_rel = max(worst_abs, errors.max_abs), max(worst_rel, errors.max_rel)
        if errors.wrong:
            return _wrong(
                f"output {index}: {errors.wrong} of {got.numel()} elements differ, "
                f"by up to {errors.max_abs:.3g}",
                worst_abs,
                worst_rel,
            )
    return Verdict(Status.CORRECT, "", worst_abs, worst_rel)


def digest(tensors: Sequence[object]) -> str:
    """SHA-256 over the dtype, shape and bytes of every tensor among `tensors`."""
    sha = hashlib.sha256()
    for tensor in tensors:
        if isinstance(tensor, torch.Tensor):
            sha.update(f"{tensor.dtype} {tuple(tensor.shape)}".encode())
            sha.update(tensor.detach().contiguous().flatten().view(torch.uint8).numpy().tobytes())
    return sha.hexdigest()


def _errors(got: torch.Tensor, want: torch.Tensor) -> _Errors:
    if not got.dtype.is_floating_point:
        differ = got != want.to(got.dtype)
        return _Errors(int(differ.sum()), float(differ.any()), float(differ.any()))
    bound = tolerance(got.dtype)
    exact, want = got.double(), want.double()
    # Inf and NaN must stand where the reference has them; elsewhere |got - want| is bounded.
    same = (exact == want) | (exact.isnan() & want.isnan())
    error = torch.where(same, 0.0, (exact - want).abs())
    wrong = ~same & ~(error <= bound.atol + bound.rtol * want.abs())
    relative = error / want.abs().clamp_min(torch.finfo(torch.float64).tiny)
    return _Errors(
        int(wrong.sum()),
        float(error.nan_to_num(float("inf")).max()) if error.numel() else 0.0,
        float(relative.nan_to_num(float("inf")).max()) if error.numel() else 0.0,
    )


def _wrong(reason: str, max_abs: float | None = None, max_rel: float | None = None) -> Verdict:
    return Verdict(Status.INCORRECT, reason, max_abs, max_rel)
