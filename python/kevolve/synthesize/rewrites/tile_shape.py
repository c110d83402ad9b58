"""Larger and smaller tiles."""

from __future__ import annotations

from collections.abc import Iterable

from kevolve.records import Bottleneck
from kevolve.synthesize.limits import Limits
from kevolve.synthesize.plan import Schedule
from kevolve.synthesize.rewrites.rewrite import Parameters, ScheduleRewrite, rounds, tiling
from kevolve.synthesize.space import Space


def tile_fields(space: Space, schedule: Schedule) -> tuple[str, ...]:
    """The fields of the schedule that shape its tile. Rows of others are `coarsen-rows`."""
    if space.template == "matmul":
        return ("block_rows", "block_cols", "block_depth")
    if space.template == "rows" and schedule.reduction == "one-pass":
        return ()
    return ("block_cols",)


class GrowTile(ScheduleRewrite):
    name = "grow-tile"
    answers = frozenset(
        {
            Bottleneck.MEMORY_LATENCY,
            Bottleneck.INSTRUCTION_ISSUE,
            Bottleneck.MEMORY_BANDWIDTH,
            Bottleneck.SYNCHRONISATION,
        }
    )
    summary = "Doubles a side of the tile: fewer, longer transfers, and more reuse in a product."

    def changes(self, space: Space, schedule: Schedule, limits: Limits) -> Iterable[Parameters]:
        for field in tile_fields(space, schedule):
            for factor in (2, 4):
                yield {field: getattr(schedule, field) * factor}

    def effect(self, space: Space, before: Schedule, after: Schedule, limits: Limits) -> str:
        return tiling(space, before, after)


class ShrinkTile(ScheduleRewrite):
    name = "shrink-tile"
    answers = frozenset({Bottleneck.OCCUPANCY, Bottleneck.IMBALANCE})
    summary = "Halves a side of the tile: more programs, so that every processor has work."

    def changes(self, space: Space, schedule: Schedule, limits: Limits) -> Iterable[Parameters]:
        for field in tile_fields(space, schedule):
            for factor in (2, 4):
                yield {field: getattr(schedule, field) // factor}

    def effect(self, space: Space, before: Schedule, after: Schedule, limits: Limits) -> str:
        busiest = f"at most {rounds(space, after, limits)} tiles a processor"
        return f"{tiling(space, before, after)}, {busiest}"
