"""Which nodes go into one kernel: one eager operator each, or as many as one kernel can compute."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kevolve.synthesize.graph import Graph, SeedError
from kevolve.synthesize.space import Space, space_of

Group = tuple[str, ...]


def eager_groups(graph: Graph) -> list[Group]:
    """One group per operator that eager PyTorch runs."""
    by_origin: dict[int, list[str]] = {}
    for node in graph.compute_nodes():
        by_origin.setdefault(node.origin, []).append(node.name)
    groups: list[Group] = []
    for names in by_origin.values():
        groups += legal_parts(graph, tuple(names))
    return in_order(graph, groups)


def legal_parts(graph: Graph, names: Group) -> list[Group]:
    """`names` as one group, or as few groups as possible where one kernel cannot do it."""
    if try_space(graph, names) is not None:
        return [names]
    return fused(graph, [(name,) for name in names])


def fused(graph: Graph, groups: Iterable[Group]) -> list[Group]:
    """Groups after every producer that can be was merged into its consumer."""
    current = in_order(graph, groups)
    while True:
        pair = next(mergeable_pairs(graph, current), None)
        if pair is None:
            return current
        current = merged(graph, current, *pair)


def mergeable_pairs(graph: Graph, groups: list[Group]) -> Iterator[tuple[int, int]]:
    """(producer, consumer) indices that may become one kernel, in launch order."""
    owner = {name: index for index, group in enumerate(groups) for name in group}
    for producer, group in enumerate(groups):
        users = {owner[u] for name in group for u in graph.users[name]} - {producer}
        for consumer in sorted(users):
            if _can_merge(graph, groups, producer, consumer):
                yield producer, consumer


def _can_merge(graph: Graph, groups: list[Group], producer: int, consumer: int) -> bool:
    together = groups[producer] + groups[consumer]
    if try_space(graph, together) is None:
        return False
    return try_order(graph, _replaced(groups, producer, consumer)) is not None


def merged(graph: Graph, groups: list[Group], producer: int, consumer: int) -> list[Group]:
    return in_order(graph, _replaced(groups, producer, consumer))


def _replaced(groups: list[Group], producer: int, consumer: int) -> list[Group]:
    rest = [g for index, g in enumerate(groups) if index not in (producer, consumer)]
    return [*rest, groups[producer] + groups[consumer]]


def try_space(graph: Graph, names: Group) -> Space | None:
    try:
        return space_of(graph, names)
    except SeedError:
        return None


def in_order(graph: Graph, groups: Iterable[Group]) -> list[Group]:
    """Groups in an order in which each comes after those it reads, nodes in program order."""
    ordered = try_order(graph, groups)
    assert ordered is not None
    return ordered


def try_order(graph: Graph, groups: Iterable[Group]) -> list[Group] | None:
    """Like `in_order`; None where groups wait for each other."""
    pending = [tuple(sorted(group, key=graph.order.__getitem__)) for group in groups]
    pending.sort(key=lambda group: graph.order[group[-1]])
    owner = {name: index for index, group in enumerate(pending) for name in group}
    needs = {
        index: {owner[b] for n in group for s in graph[n].sources if (b := graph.base(s)) in owner}
        - {index}
        for index, group in enumerate(pending)
    }
    done: list[int] = []
    while len(done) < len(pending):
        ready = [i for i in needs if i not in done and needs[i] <= set(done)]
        if not ready:
            return None
        done.append(ready[0])
    return [pending[index] for index in done]


def check_groups(graph: Graph, groups: Iterable[Group]) -> None:
    """Raises SeedError where a single operator is no kernel at all."""
    for group in groups:
        try:
            space_of(graph, group)
        except SeedError as error:
            node = graph[group[-1]]
            raise SeedError(
                f"no kernel can be written for {node.aten}: {error.message}", line=node.line
            ) from error
