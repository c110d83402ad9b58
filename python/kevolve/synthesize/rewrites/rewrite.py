"""What a rewrite of a plan is: pure, lawful, and able to say what it should do."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from kevolve.problem import Problem
from kevolve.records import Bottleneck
from kevolve.synthesize.capture import capture
from kevolve.synthesize.graph import Graph
from kevolve.synthesize.kernel_text import cdiv
from kevolve.synthesize.legality import objection, tile_count
from kevolve.synthesize.limits import Limits, limits_of
from kevolve.synthesize.plan import KernelPlan, Plan, Schedule
from kevolve.synthesize.schedules import local_bytes
from kevolve.synthesize.space import Space, space_of

Setting = str | int | bool
Parameters = dict[str, Setting]


@dataclass(frozen=True)
class Context:
    """What a plan is judged against: the problem and the target."""

    problem: Problem
    target: str

    @cached_property
    def graph(self) -> Graph:
        return capture(self.problem)

    @cached_property
    def limits(self) -> Limits:
        return limits_of(self.target)

    def space(self, kernel: KernelPlan) -> Space:
        return space_of(self.graph, kernel.nodes)

    def legal(self, plan: Plan) -> bool:
        return not any(objection(self.graph, kernel, self.limits) for kernel in plan.kernels)


class Rewrite(ABC):
    """One way to change a plan without changing what it computes.

    Attributes:
        name: verb and object, unique.
        answers: the bottlenecks that it addresses.
        summary: one sentence for people.
        targets: target families where it means something; empty is all.
    """

    name: ClassVar[str]
    answers: ClassVar[frozenset[Bottleneck]]
    summary: ClassVar[str]
    targets: ClassVar[frozenset[str]] = frozenset()

    @abstractmethod
    def choices(self, plan: Plan, context: Context) -> Iterable[Parameters]:
        """Parameters that make sense, legal or not."""

    @abstractmethod
    def apply(self, plan: Plan, parameters: Parameters, context: Context) -> Plan:
        """The plan after the rewrite."""

    @abstractmethod
    def expected_effect(self, plan: Plan, parameters: Parameters, context: Context) -> str:
        """What should happen, with numbers."""

    def applicable(self, plan: Plan, context: Context) -> tuple[Parameters, ...]:
        """The parameters with which the rewrite gives another, legal plan."""
        if self.targets and context.limits.target not in self.targets:
            return ()
        found = []
        for parameters in self.choices(plan, context):
            after = self.apply(plan, parameters, context)
            if after != plan and context.legal(after):
                found.append(parameters)
        return tuple(found)


class ScheduleRewrite(Rewrite):
    """A rewrite that only changes the schedule of one kernel.

    Its parameters are the kernel's index and the fields of the schedule that change.
    """

    @abstractmethod
    def changes(self, space: Space, schedule: Schedule, limits: Limits) -> Iterable[Parameters]:
        """The changes of a schedule that make sense."""

    def choices(self, plan: Plan, context: Context) -> Iterable[Parameters]:
        for index, kernel in enumerate(plan.kernels):
            space = context.space(kernel)
            for change in self.changes(space, kernel.schedule, context.limits):
                yield {"kernel": index, **change}

    def apply(self, plan: Plan, parameters: Parameters, context: Context) -> Plan:
        changes = {key: value for key, value in parameters.items() if key != "kernel"}
        return plan.with_schedule(int(parameters["kernel"]), **changes)

    def expected_effect(self, plan: Plan, parameters: Parameters, context: Context) -> str:
        kernel = plan.kernels[int(parameters["kernel"])]
        after = self.apply(plan, parameters, context).kernels[int(parameters["kernel"])]
        space = context.space(kernel)
        changed = ", ".join(
            f"{key} {getattr(kernel.schedule, key)} -> {value}"
            for key, value in parameters.items()
            if key != "kernel" and getattr(kernel.schedule, key) != value
        )
        effect = self.effect(space, kernel.schedule, after.schedule, context.limits)
        return f"{changed}: {effect}"

    @abstractmethod
    def effect(self, space: Space, before: Schedule, after: Schedule, limits: Limits) -> str:
        """What the change of schedule should do, with numbers."""


def tiling(space: Space, before: Schedule, after: Schedule) -> str:
    """How many tiles there are and how much local memory each needs, before and after."""
    tiles = [tile_count(space, schedule) for schedule in (before, after)]
    kib = [local_bytes(space, schedule) / 1024 for schedule in (before, after)]
    return (
        f"{tiles[0]} -> {tiles[1]} tiles, {kib[0]:.1f} -> {kib[1]:.1f} KB of local memory a program"
    )


def rounds(space: Space, schedule: Schedule, limits: Limits) -> int:
    """Tiles that the busiest processor works through."""
    return cdiv(tile_count(space, schedule), limits.processors)
