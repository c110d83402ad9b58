"""Which rewrites to try next, ranked by what the diagnosis says is slow."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from kevolve.records import Diagnosis
from kevolve.synthesize.emit import kernel_names
from kevolve.synthesize.plan import Plan
from kevolve.synthesize.rewrites import REWRITES, Context, Parameters, Rewrite

# A rewrite that answers nothing that was diagnosed still gets its turn, after all others.
UNDIAGNOSED = 0.05


@dataclass(frozen=True)
class Proposal:
    """A rewrite to try.

    Attributes:
        rewrite: its name.
        parameters: what it is applied with.
        plan: the plan that it gives.
        reason: the bottleneck it answers, and the effect that is expected.
        score: higher is tried earlier.
    """

    rewrite: str
    parameters: Parameters
    plan: Plan
    reason: str
    score: float


def propose(
    context: Context,
    plan: Plan,
    diagnoses: Sequence[Diagnosis] = (),
    tried: Collection[str] = (),
    seed: int = 0,
    time_ns: dict[str, float] | None = None,
) -> list[Proposal]:
    """Rewrites of `plan`, best first.

    `tried` holds `to_json()` of the plans that were evaluated: no proposal leads to one of them.
    `time_ns` gives the time of each kernel by name: rewrites of slow kernels come first.
    """
    weights = _kernel_weights(context, plan, time_ns or {})
    by_kernel = _by_kernel(context, plan, diagnoses)
    seen = set(tried) | {plan.to_json()}
    proposals = []
    for position, rewrite in enumerate(REWRITES):
        # Later rewrites of the registry are usually weaker; the seed breaks ties within one.
        early = 1.0 - position / (2 * len(REWRITES))
        for parameters in rewrite.applicable(plan, context):
            after = rewrite.apply(plan, parameters, context)
            if after.to_json() in seen:
                continue
            seen.add(after.to_json())
            index = int(parameters["kernel"])
            diagnosis = by_kernel.get(index)
            urgency = _urgency(rewrite, diagnosis) * weights[index]
            score = urgency * early * _jitter(seed, rewrite, parameters)
            reason = _reason(rewrite, diagnosis, plan, parameters, context)
            proposals.append(Proposal(rewrite.name, parameters, after, reason, score))
    return sorted(proposals, key=lambda proposal: -proposal.score)


def _jitter(seed: int, rewrite: Rewrite, parameters: Parameters) -> float:
    """Breaks ties by the seed alone, whatever else is proposed."""
    return random.Random(f"{seed} {rewrite.name} {parameters}").uniform(0.9, 1.0)


def _urgency(rewrite: Rewrite, diagnosis: Diagnosis | None) -> float:
    if diagnosis is None:
        return UNDIAGNOSED * 2
    return (
        max(diagnosis.confidence, UNDIAGNOSED)
        if diagnosis.bottleneck in rewrite.answers
        else (UNDIAGNOSED)
    )


def _reason(
    rewrite: Rewrite,
    diagnosis: Diagnosis | None,
    plan: Plan,
    parameters: Parameters,
    context: Context,
) -> str:
    effect = rewrite.expected_effect(plan, parameters, context)
    if diagnosis is None or diagnosis.bottleneck not in rewrite.answers:
        return effect
    return f"answers {diagnosis.bottleneck}: {effect}"


def _kernel_weights(context: Context, plan: Plan, time_ns: dict[str, float]) -> list[float]:
    """The share of each kernel of the plan in the time of the forward pass."""
    names = kernel_names(context.graph, plan)
    times = [sum(t for k, t in time_ns.items() if _belongs(k, name, names)) for name in names]
    total = sum(times)
    return [time / total if total else 1.0 for time in times]


def _by_kernel(
    context: Context, plan: Plan, diagnoses: Sequence[Diagnosis]
) -> dict[int, Diagnosis]:
    """The diagnosis of each kernel; of a kernel's two halves, the surer one."""
    names = kernel_names(context.graph, plan)
    found: dict[int, Diagnosis] = {}
    for diagnosis in sorted(diagnoses, key=lambda d: d.confidence):
        for index, name in enumerate(names):
            if _belongs(diagnosis.kernel, name, names):
                found[index] = diagnosis
    return found


def _belongs(kernel: str, name: str, names: list[str]) -> bool:
    """Whether the Triton function `kernel` is the plan's kernel `name`, or half of it."""
    return kernel == name or (kernel not in names and kernel in (f"{name}_partial", f"{name}_join"))
