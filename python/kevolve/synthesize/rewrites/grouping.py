"""Which operators share a kernel: fusion and fission."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from kevolve.records import Bottleneck
from kevolve.synthesize.fusion import in_order, mergeable_pairs, merged, try_order, try_space
from kevolve.synthesize.graph import Graph
from kevolve.synthesize.plan import KernelPlan, Plan, Schedule
from kevolve.synthesize.rewrites.rewrite import Context, Parameters, Rewrite
from kevolve.synthesize.schedules import BYTES, default_schedule

Group = tuple[str, ...]


class FuseKernels(Rewrite):
    name = "fuse-kernels"
    answers = frozenset({Bottleneck.MEMORY_BANDWIDTH, Bottleneck.MEMORY_LATENCY, Bottleneck.LAUNCH})
    summary = "Merges a producer into its consumer: what passes between them stays in local memory."

    def choices(self, plan: Plan, context: Context) -> Iterable[Parameters]:
        for producer, consumer in mergeable_pairs(context.graph, _groups(plan)):
            yield {"kernel": producer, "into": consumer}

    def apply(self, plan: Plan, parameters: Parameters, context: Context) -> Plan:
        producer, consumer = int(parameters["kernel"]), int(parameters["into"])
        groups = merged(context.graph, _groups(plan), producer, consumer)
        return regrouped(plan, groups, plan.kernels[consumer].schedule, context)

    def expected_effect(self, plan: Plan, parameters: Parameters, context: Context) -> str:
        after = self.apply(plan, parameters, context)
        saved = moved_bytes(plan, context.graph) - moved_bytes(after, context.graph)
        counts = f"{len(plan.kernels)} -> {len(after.kernels)} launches"
        return f"{counts}, {saved / 1024:.0f} KB of memory traffic less"


class SplitKernel(Rewrite):
    name = "split-kernel"
    answers = frozenset({Bottleneck.OCCUPANCY, Bottleneck.INSTRUCTION_ISSUE, Bottleneck.COMPUTE})
    summary = (
        "Cuts a kernel between two operators: smaller tiles in local memory, better fitting loops."
    )

    def choices(self, plan: Plan, context: Context) -> Iterable[Parameters]:
        for index, kernel in enumerate(plan.kernels):
            for cut in _cuts(context.graph, kernel.nodes):
                first, second = _halves(context.graph, kernel.nodes, cut)
                if _splits(plan, index, first, second, context.graph):
                    yield {"kernel": index, "cut": cut}

    def apply(self, plan: Plan, parameters: Parameters, context: Context) -> Plan:
        index, cut = int(parameters["kernel"]), int(parameters["cut"])
        halves = _halves(context.graph, plan.kernels[index].nodes, cut)
        groups = [*_groups(plan)[:index], *halves, *_groups(plan)[index + 1 :]]
        ordered = in_order(context.graph, groups)
        return regrouped(plan, ordered, plan.kernels[index].schedule, context)

    def expected_effect(self, plan: Plan, parameters: Parameters, context: Context) -> str:
        after = self.apply(plan, parameters, context)
        added = moved_bytes(after, context.graph) - moved_bytes(plan, context.graph)
        counts = f"{len(plan.kernels)} -> {len(after.kernels)} launches"
        return f"{counts}, {added / 1024:.0f} KB of memory traffic more, tiles of half the values"


def _groups(plan: Plan) -> list[Group]:
    return [kernel.nodes for kernel in plan.kernels]


def _cuts(graph: Graph, nodes: Group) -> list[int]:
    """Origins that may start the second half."""
    return sorted({graph[name].origin for name in nodes})[1:]


def _halves(graph: Graph, nodes: Group, cut: int) -> tuple[Group, Group]:
    first = tuple(name for name in nodes if graph[name].origin < cut)
    return first, tuple(name for name in nodes if graph[name].origin >= cut)


def _splits(plan: Plan, index: int, first: Group, second: Group, graph: Graph) -> bool:
    if try_space(graph, first) is None or try_space(graph, second) is None:
        return False
    groups = [*_groups(plan)[:index], first, second, *_groups(plan)[index + 1 :]]
    return try_order(graph, groups) is not None


def regrouped(plan: Plan, groups: list[Group], like: Schedule, context: Context) -> Plan:
    """A plan of `groups`; new ones get the default tiling and the launch options of `like`."""
    known = {kernel.nodes: kernel for kernel in plan.kernels}
    kernels = [known.get(group) or _new_kernel(group, like, context) for group in groups]
    return replace(plan, kernels=tuple(kernels))


def _new_kernel(group: Group, like: Schedule, context: Context) -> KernelPlan:
    space = context.space(KernelPlan(group, like))
    schedule = default_schedule(space, context.limits).with_(
        num_stages=like.num_stages,
        num_warps=like.num_warps,
        cb_multiplier=like.cb_multiplier,
        vector_lmul=like.vector_lmul,
        use_se=like.use_se,
    )
    return KernelPlan(group, schedule)


def moved_bytes(plan: Plan, graph: Graph) -> int:
    """Bytes that the kernels of the plan read and write, each tensor once per kernel."""
    total = 0
    for kernel in plan.kernels:
        inside = set(kernel.nodes)
        sources = {graph.base(s) for name in kernel.nodes for s in graph[name].sources}
        touched = [*sorted(sources - inside), *graph.stored(kernel.nodes)]
        total += sum(graph[name].elements * BYTES[graph[name].dtype] for name in touched)
    return total
