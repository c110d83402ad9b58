"""More work per program: several rows in a tile, persistent programs."""

from __future__ import annotations

from collections.abc import Iterable

from kevolve.records import Bottleneck
from kevolve.synthesize.limits import Limits
from kevolve.synthesize.plan import Schedule
from kevolve.synthesize.rewrites.rewrite import Parameters, ScheduleRewrite, rounds, tiling
from kevolve.synthesize.space import Space


class CoarsenRows(ScheduleRewrite):
    name = "coarsen-rows"
    answers = frozenset(
        {
            Bottleneck.INSTRUCTION_ISSUE,
            Bottleneck.MEMORY_LATENCY,
            Bottleneck.LAUNCH,
            Bottleneck.SYNCHRONISATION,
        }
    )
    summary = "Puts more rows into a tile: index work and command issue are shared by them."

    def changes(self, space: Space, schedule: Schedule, limits: Limits) -> Iterable[Parameters]:
        if space.template == "matmul" or schedule.split > 1 or space.rows == 1:
            return
        for factor in (2, 4, 8):
            yield {"block_rows": schedule.block_rows * factor}

    def effect(self, space: Space, before: Schedule, after: Schedule, limits: Limits) -> str:
        return tiling(space, before, after)


class RefineRows(ScheduleRewrite):
    name = "refine-rows"
    answers = frozenset({Bottleneck.OCCUPANCY, Bottleneck.IMBALANCE, Bottleneck.MEMORY_LATENCY})
    summary = "Takes rows out of a tile: more programs, and the first loads end earlier."

    def changes(self, space: Space, schedule: Schedule, limits: Limits) -> Iterable[Parameters]:
        if space.template == "matmul" or schedule.block_rows == 1:
            return
        for factor in (2, 4):
            if schedule.block_rows >= factor:
                yield {"block_rows": schedule.block_rows // factor}

    def effect(self, space: Space, before: Schedule, after: Schedule, limits: Limits) -> str:
        busiest = f"at most {rounds(space, after, limits)} tiles a processor"
        return f"{tiling(space, before, after)}, {busiest}"


class PersistPrograms(ScheduleRewrite):
    name = "persist-programs"
    answers = frozenset(
        {
            Bottleneck.LAUNCH,
            Bottleneck.MEMORY_LATENCY,
            Bottleneck.INSTRUCTION_ISSUE,
            Bottleneck.IMBALANCE,
        }
    )
    summary = "One program per processor walks all its tiles in a loop, whose loads are pipelined."

    def changes(self, space: Space, schedule: Schedule, limits: Limits) -> Iterable[Parameters]:
        if schedule.programs:
            yield {"programs": 0, "hoist": False}
            return
        yield {"programs": limits.processors}
        if limits.target in ("cuda", "hip"):
            yield {"programs": 4 * limits.processors}

    def effect(self, space: Space, before: Schedule, after: Schedule, limits: Limits) -> str:
        if not after.programs:
            return "one program per tile again"
        tiles = rounds(space, after, limits)
        return f"{after.programs} programs of about {tiles} tiles each, set up once"


class HoistInvariantLoads(ScheduleRewrite):
    name = "hoist-invariant-loads"
    answers = frozenset(
        {
            Bottleneck.MEMORY_BANDWIDTH,
            Bottleneck.MEMORY_LATENCY,
            Bottleneck.INSTRUCTION_ISSUE,
        }
    )
    summary = "Loads what all rows share (a bias, a weight) once per program, before its loop."

    def changes(self, space: Space, schedule: Schedule, limits: Limits) -> Iterable[Parameters]:
        one_tile = schedule.block_cols >= space.cols
        if one_tile and not schedule.hoist and shared_by_rows(space):
            yield {"programs": schedule.programs or limits.processors, "hoist": True}

    def effect(self, space: Space, before: Schedule, after: Schedule, limits: Limits) -> str:
        names = ", ".join(shared_by_rows(space))
        times = rounds(space, before, limits)
        return f"{names} loaded once instead of {times} times by each processor"


def shared_by_rows(space: Space) -> list[str]:
    """Loads that run along columns only."""
    if space.template == "matmul" or space.flat:
        return []
    return [name for name in space.loads if space.spans[name] == {space.col_axis}]
