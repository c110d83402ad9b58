"""How much data is in flight."""

from __future__ import annotations

from collections.abc import Iterable

from kevolve.records import Bottleneck
from kevolve.synthesize.legality import tile_count
from kevolve.synthesize.limits import Limits
from kevolve.synthesize.plan import Schedule
from kevolve.synthesize.rewrites.rewrite import Parameters, ScheduleRewrite, tiling
from kevolve.synthesize.space import Space


class DeepenBuffers(ScheduleRewrite):
    name = "deepen-buffers"
    answers = frozenset(
        {Bottleneck.MEMORY_LATENCY, Bottleneck.MEMORY_BANDWIDTH, Bottleneck.SYNCHRONISATION}
    )
    summary = "More circular buffers: transfers of the next tiles overlap the work on this one."
    targets = frozenset({"mtia"})

    def changes(self, space: Space, schedule: Schedule, limits: Limits) -> Iterable[Parameters]:
        for depth in (1, 2, 3, 4):
            if depth != schedule.cb_multiplier:
                yield {"cb_multiplier": depth}

    def effect(self, space: Space, before: Schedule, after: Schedule, limits: Limits) -> str:
        return tiling(space, before, after)


class DeepenPipeline(ScheduleRewrite):
    name = "deepen-pipeline"
    answers = frozenset(
        {Bottleneck.MEMORY_LATENCY, Bottleneck.MEMORY_BANDWIDTH, Bottleneck.SYNCHRONISATION}
    )
    summary = "More stages in the software pipeline of the kernel's loops."
    targets = frozenset({"cuda", "hip"})

    def changes(self, space: Space, schedule: Schedule, limits: Limits) -> Iterable[Parameters]:
        if not has_loop(space, schedule):
            return
        for stages in (1, 2, 3, 4):
            if stages != schedule.num_stages:
                yield {"num_stages": stages}

    def effect(self, space: Space, before: Schedule, after: Schedule, limits: Limits) -> str:
        return f"loads run {after.num_stages - 1} iterations ahead of their use"


def has_loop(space: Space, schedule: Schedule) -> bool:
    """Whether the kernel has a loop that is worth a pipeline."""
    if space.template == "matmul":
        return True
    if space.template == "rows" and schedule.reduction != "one-pass":
        return space.cols > schedule.block_cols * schedule.split
    return 0 < schedule.programs < tile_count(space, schedule)
