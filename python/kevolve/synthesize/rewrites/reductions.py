"""The form of a reduction: in one pass, in several, online; by one program or by several."""

from __future__ import annotations

from collections.abc import Iterable

from kevolve.records import Bottleneck
from kevolve.synthesize.kernel_text import next_power_of_two
from kevolve.synthesize.legality import tile_count
from kevolve.synthesize.limits import Limits
from kevolve.synthesize.plan import Schedule
from kevolve.synthesize.rewrites.rewrite import Parameters, ScheduleRewrite, tiling
from kevolve.synthesize.space import Space

PASSES = {
    "one-pass": "each row is read once and stays in local memory",
    "multi-pass": "each row is read once per dependent reduction, in blocks",
    "online": "dependent reductions share one pass over the row",
}


class ReductionForm(ScheduleRewrite):
    name = "change-reduction-form"
    answers = frozenset(
        {
            Bottleneck.MEMORY_BANDWIDTH,
            Bottleneck.MEMORY_LATENCY,
            Bottleneck.OCCUPANCY,
            Bottleneck.INSTRUCTION_ISSUE,
        }
    )
    summary = "Keeps the row in local memory, walks it in passes, or joins dependent passes online."

    def changes(self, space: Space, schedule: Schedule, limits: Limits) -> Iterable[Parameters]:
        if space.template != "rows" or schedule.split > 1:
            return
        whole = next_power_of_two(space.cols)
        if schedule.reduction != "one-pass":
            yield {"reduction": "one-pass", "block_cols": whole}
        for form in ("multi-pass", "online"):
            if form != schedule.reduction:
                yield {"reduction": form, "block_cols": _block(space, schedule, limits)}

    def effect(self, space: Space, before: Schedule, after: Schedule, limits: Limits) -> str:
        return f"{PASSES[after.reduction]}; {tiling(space, before, after)}"


def _block(space: Space, schedule: Schedule, limits: Limits) -> int:
    """Columns of a block of a looped reduction, in place of a row that was kept whole."""
    if schedule.reduction != "one-pass":
        return schedule.block_cols
    return min(limits.block_elements, next_power_of_two(space.cols) // 2 or 1)


class SplitReduction(ScheduleRewrite):
    name = "split-reduction"
    answers = frozenset(
        {Bottleneck.OCCUPANCY, Bottleneck.IMBALANCE, Bottleneck.MEMORY_LATENCY, Bottleneck.COMPUTE}
    )
    summary = (
        "Several programs share one row (or the depth of a product); a second kernel joins them."
    )

    def changes(self, space: Space, schedule: Schedule, limits: Limits) -> Iterable[Parameters]:
        if space.template == "pointwise":
            return
        if schedule.split > 1:
            yield {"split": 1}
        for split in (2, 4, 8, 16):
            if split != schedule.split:
                yield from self._split(space, schedule, split, limits)

    def _split(
        self, space: Space, schedule: Schedule, split: int, limits: Limits
    ) -> Iterable[Parameters]:
        if space.template == "matmul":
            yield {"split": split}
            return
        part = space.cols // split
        block = min(part, limits.block_elements)
        form = "online" if schedule.reduction == "one-pass" else schedule.reduction
        yield {"split": split, "block_rows": 1, "block_cols": block, "reduction": form}
        if form != "online":
            yield {"split": split, "block_rows": 1, "block_cols": block, "reduction": "online"}

    def effect(self, space: Space, before: Schedule, after: Schedule, limits: Limits) -> str:
        tiles = [tile_count(space, schedule) for schedule in (before, after)]
        busy = [min(count, limits.processors) for count in tiles]
        second = "no second kernel" if after.split == 1 else f"{after.split} partial results a row"
        return f"{busy[0]} -> {busy[1]} of {limits.processors} processors busy, {second}"
