"""The two plans that a search starts from: what eager PyTorch does, and the first fused kernels."""

from __future__ import annotations

from kevolve.problem import Problem
from kevolve.synthesize.capture import capture
from kevolve.synthesize.fusion import Group, check_groups, eager_groups, fused
from kevolve.synthesize.graph import Graph, SeedError
from kevolve.synthesize.limits import limits_of
from kevolve.synthesize.plan import KernelPlan, Plan
from kevolve.synthesize.schedules import default_schedule
from kevolve.synthesize.space import space_of


def baseline(problem: Problem, target: str) -> Plan:
    """One kernel for each operator that eager PyTorch runs, in the default configuration."""
    graph = _checked(problem)
    return plan_of(problem, graph, eager_groups(graph), target)


def seed(problem: Problem, target: str) -> Plan:
    """As few kernels as the templates allow, in the default configuration."""
    graph = _checked(problem)
    return plan_of(problem, graph, fused(graph, eager_groups(graph)), target)


def plan_of(problem: Problem, graph: Graph, groups: list[Group], target: str) -> Plan:
    """A plan of `groups` in the default configuration."""
    limits = limits_of(target)
    kernels = tuple(
        KernelPlan(group, default_schedule(space_of(graph, group), limits)) for group in groups
    )
    return Plan(target, problem.name, kernels)


# Kernels index with 32 bits, as Triton does by default.
MOST_ELEMENTS = 1 << 31


def _checked(problem: Problem) -> Graph:
    graph = capture(problem)
    for node in graph.nodes.values():
        if node.elements >= MOST_ELEMENTS:
            message = f"{node.name} has {node.elements} elements, at most {MOST_ELEMENTS - 1} fit"
            raise SeedError(message, problem.path, node.line)
    try:
        check_groups(graph, eager_groups(graph))
    except SeedError as error:
        raise SeedError(error.message, problem.path, error.line) from None
    return graph
