"""Orders of tiles and options of a launch."""

from __future__ import annotations

from collections.abc import Iterable

from kevolve.records import Bottleneck
from kevolve.synthesize.expressions import SPECIAL
from kevolve.synthesize.limits import Limits
from kevolve.synthesize.plan import Plan, Schedule
from kevolve.synthesize.rewrites.rewrite import Context, Parameters, ScheduleRewrite
from kevolve.synthesize.space import Space


class OrderTiles(ScheduleRewrite):
    name = "order-tiles"
    answers = frozenset({Bottleneck.MEMORY_BANDWIDTH, Bottleneck.MEMORY_LATENCY})
    summary = "Walks tiles by rows, by columns or in groups, so that neighbours share operands."

    def changes(self, space: Space, schedule: Schedule, limits: Limits) -> Iterable[Parameters]:
        rows = -(-space.rows // schedule.block_rows)
        cols = -(-space.cols // schedule.block_cols)
        if space.template == "rows" or rows == 1 or cols == 1:
            return
        for order in ("rows", "cols"):
            if order != schedule.order:
                yield {"order": order, "group": 1}
        for group in (2, 4, 8):
            if group < rows and (schedule.order, schedule.group) != ("grouped", group):
                yield {"order": "grouped", "group": group}

    def effect(self, space: Space, before: Schedule, after: Schedule, limits: Limits) -> str:
        if space.template != "matmul":
            return f"{limits.processors} tiles at a time, next to each other along {after.order}"
        tall = {"rows": 1, "cols": limits.processors}.get(after.order, after.group)
        wide = max(1, limits.processors // tall)
        return f"{limits.processors} tiles at a time read {tall} row and {wide} column operands"


class VectorWidth(ScheduleRewrite):
    name = "widen-vectors"
    answers = frozenset({Bottleneck.INSTRUCTION_ISSUE, Bottleneck.COMPUTE})
    summary = "Groups more or fewer vector registers: fewer instructions against register pressure."
    targets = frozenset({"mtia", "cpu"})

    def changes(self, space: Space, schedule: Schedule, limits: Limits) -> Iterable[Parameters]:
        for lmul in (8, 4, 2, 1):
            if lmul != schedule.vector_lmul:
                yield {"vector_lmul": lmul}

    def effect(self, space: Space, before: Schedule, after: Schedule, limits: Limits) -> str:
        lanes = [schedule.vector_lmul * limits.lanes_bytes // 4 for schedule in (before, after)]
        return f"{lanes[0]} -> {lanes[1]} float32 elements an instruction"


class PlaceSpecialFunctions(ScheduleRewrite):
    name = "place-special-functions"
    answers = frozenset({Bottleneck.COMPUTE, Bottleneck.INSTRUCTION_ISSUE})
    summary = "Computes exp, erf, sigmoid and the like on the SIMD engine, or on the vector core."
    targets = frozenset({"mtia"})

    def choices(self, plan: Plan, context: Context) -> Iterable[Parameters]:
        for parameters in super().choices(plan, context):
            nodes = plan.kernels[int(parameters["kernel"])].nodes
            if any(context.graph[name].function in SPECIAL for name in nodes):
                yield parameters

    def changes(self, space: Space, schedule: Schedule, limits: Limits) -> Iterable[Parameters]:
        yield {"use_se": not schedule.use_se}

    def effect(self, space: Space, before: Schedule, after: Schedule, limits: Limits) -> str:
        place = (
            "one table look-up" if after.use_se else "a polynomial of about 10 vector operations"
        )
        return f"{place} for each special function of an element"


class ChangeWarps(ScheduleRewrite):
    name = "change-warps"
    answers = frozenset(
        {Bottleneck.OCCUPANCY, Bottleneck.MEMORY_LATENCY, Bottleneck.INSTRUCTION_ISSUE}
    )
    summary = "More or fewer warps for a tile: more loads in flight against registers for each."
    targets = frozenset({"cuda", "hip"})

    def changes(self, space: Space, schedule: Schedule, limits: Limits) -> Iterable[Parameters]:
        for warps in (1, 2, 4, 8, 16):
            if warps != schedule.num_warps:
                yield {"num_warps": warps}

    def effect(self, space: Space, before: Schedule, after: Schedule, limits: Limits) -> str:
        tile = after.block_rows * after.block_cols
        counts = [tile / (32 * schedule.num_warps) for schedule in (before, after)]
        return f"{counts[0]:g} -> {counts[1]:g} elements a thread"
