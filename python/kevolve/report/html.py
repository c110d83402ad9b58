"""One self-contained HTML page about a run."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined

from kevolve.records import Diagnosis, Metric, Result, dominant
from kevolve.report.layout import TreeDrawing, draw_tree
from kevolve.store import NodeRecord, Store

_CHART_WIDTH_PX = 640
_CHART_HEIGHT_PX = 160


@dataclass(frozen=True)
class NodeView:
    """A node with what the page says of it."""

    node: NodeRecord
    speedup: float | None
    gain_over_parent: float | None
    diagnosis: Diagnosis | None
    diff_to_parent: str
    on_winning_path: bool


@dataclass(frozen=True)
class ChartPoint:
    """A candidate on the chart of speedups over steps, in pixels, and the best so far there."""

    node_id: int
    x: float
    y: float | None
    best_y: float


def write_report(store: Store, result: Result, path: Path) -> None:
    """Writes the page of the run in `store` to `path`."""
    path.write_text(render(store, result))


def render(store: Store, result: Result) -> str:
    """The page as text."""
    nodes = store.nodes()
    views = _views(nodes)
    environment = Environment(
        loader=PackageLoader("kevolve.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["us"] = _microseconds
    environment.filters["number"] = format_metric
    return environment.get_template("report.html.j2").render(
        run=store.run(),
        result=result,
        views=views,
        path=[view for view in views if view.on_winning_path],
        before=dominant(nodes[0].evaluation) if nodes else None,
        after=_best_diagnosis(nodes),
        tree=draw_tree(nodes),
        fill=lambda node: _fill(views[node.id]),
        chart=_chart(views),
        grid_lines=_grid_lines(views),
        chart_width=_CHART_WIDTH_PX,
        chart_height=_CHART_HEIGHT_PX,
    )


def format_metric(metric: Metric) -> str:
    """A metric's value as a person would write it, with its unit."""
    if metric.unit in ("", "1", "fraction", "share"):
        return f"{metric.value:.1%}"
    if metric.unit == "ns":
        return _microseconds(metric.value)
    for factor, prefix in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(metric.value) >= factor:
            return f"{metric.value / factor:.3g} {prefix}{metric.unit}"
    return f"{metric.value:.4g} {metric.unit}"


def _microseconds(time_ns: float | None) -> str:
    return f"{time_ns / 1e3:,.2f} µs" if time_ns is not None else "–"


def _winner(nodes: Sequence[NodeRecord]) -> NodeRecord | None:
    correct = [node for node in nodes if node.id and node.time_ns is not None]
    return min(correct, key=lambda node: (node.time_ns or 0.0, node.id), default=None)


def _best_diagnosis(nodes: Sequence[NodeRecord]) -> Diagnosis | None:
    winner = _winner(nodes)
    return dominant(winner.evaluation) if winner else None


def _winning_path(nodes: Sequence[NodeRecord]) -> set[int]:
    path = set()
    node = _winner(nodes)
    while node is not None:
        path.add(node.id)
        node = nodes[node.parent_id] if node.parent_id is not None else None
    return path


def _views(nodes: Sequence[NodeRecord]) -> list[NodeView]:
    path = _winning_path(nodes)
    return [_view(node, nodes, node.id in path) for node in nodes]


def _view(node: NodeRecord, nodes: Sequence[NodeRecord], on_path: bool) -> NodeView:
    parent = nodes[node.parent_id] if node.parent_id is not None else None
    return NodeView(
        node=node,
        speedup=_ratio(nodes[0], node),
        gain_over_parent=_ratio(parent, node) if parent else None,
        diagnosis=dominant(node.evaluation),
        diff_to_parent=_diff(parent, node) if parent else "",
        on_winning_path=on_path,
    )


def _ratio(before: NodeRecord, after: NodeRecord) -> float | None:
    if before.time_ns is None or after.time_ns is None:
        return None
    return before.time_ns / after.time_ns


def _diff(parent: NodeRecord, node: NodeRecord) -> str:
    lines = difflib.unified_diff(
        parent.source.splitlines(),
        node.source.splitlines(),
        f"#{parent.id}",
        f"#{node.id}",
        lineterm="",
    )
    return "\n".join(lines)


def _fill(view: NodeView) -> str:
    if view.speedup is None:
        return "var(--wrong)"
    # The bluer the faster: from 20 % at half the baseline's speed to 100 % at three times it.
    share = min(1.0, max(0.2, 0.2 + 0.32 * (view.speedup - 0.5)))
    return f"color-mix(in srgb, var(--accent) {share:.0%}, var(--page))"


def _grid_lines(views: Sequence[NodeView]) -> list[tuple[float, float]]:
    """(speedup, pixels from the top) of the chart's horizontal lines."""
    top = _chart_top(views)
    step = next(size for size in (0.5, 1.0, 2.0, 5.0, 10.0, 50.0, top) if top / size <= 6)
    lines = [step * index for index in range(int(top / step) + 1)]
    return [(line, _CHART_HEIGHT_PX * (1 - line / top)) for line in lines]


def _chart_top(views: Sequence[NodeView]) -> float:
    return max((view.speedup or 0.0 for view in views), default=1.0) * 1.1 or 1.0


def _chart(views: Sequence[NodeView]) -> list[ChartPoint]:
    top = _chart_top(views)
    step = _CHART_WIDTH_PX / max(1, len(views))
    best = 0.0
    points = []
    for index, view in enumerate(views):
        best = max(best, view.speedup or 0.0)
        y = None if view.speedup is None else _CHART_HEIGHT_PX * (1 - view.speedup / top)
        best_y = _CHART_HEIGHT_PX * (1 - best / top)
        points.append(ChartPoint(view.node.id, (index + 0.5) * step, y, best_y))
    return points


__all__ = ["TreeDrawing", "format_metric", "render", "write_report"]
