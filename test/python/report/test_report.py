"""The report of a run: well-formed, complete, and every link in it leads somewhere."""

from html.parser import HTMLParser

import pytest
from kevolve.records import (
    Bottleneck,
    Diagnosis,
    Evaluation,
    HotSite,
    KernelLaunch,
    Measurement,
    Metric,
    Site,
    Status,
    TimeKind,
    Verdict,
)
from kevolve.report.html import format_metric, render
from kevolve.report.layout import COLUMN_PX, ROW_PX, draw_tree
from kevolve.search.outcome import outcome
from kevolve.search.tree import Tree
from kevolve.store import NodeRecord, RunRecord, Store

RUN = RunRecord("soft<max>", "p.py", "", "h", "mtia", 3, "rewrite", "{}")


def evaluation(time_ns, bottleneck):
    site = Site(1, "load", "x", "k.py", 7, 5, 0, 4096)
    diagnosis = Diagnosis(
        1,
        "mtia",
        "kernel_a",
        bottleneck,
        0.9,
        (Metric("dram.utilization", 0.83, "fraction", "mtia simulator"),),
        None,
        (HotSite(site, 64, 1234, 1000, 0.25),),
    )
    launch = KernelLaunch("kernel_a", (64, 1, 1), time_ns)
    measurement = Measurement(time_ns, TimeKind.SIMULATED, (launch,))
    return Evaluation(Verdict(Status.CORRECT), measurement, (diagnosis,), {"0:kernel_a": "ir <&>"})


def node(node_id, parent, result, operator="op"):
    source = f"line one\nnode {node_id}\n"
    return NodeRecord(node_id, parent, operator, "", "", "", source, str(node_id), result, 5)


WRONG = Evaluation(Verdict(Status.INCORRECT, "3 of 4 elements <differ>"))
NODES = [
    node(0, None, evaluation(4000.0, Bottleneck.LAUNCH), "baseline"),
    node(1, 0, evaluation(2000.0, Bottleneck.MEMORY_LATENCY), "seed"),
    node(2, 1, WRONG),
    node(3, 1, evaluation(1000.0, Bottleneck.MEMORY_BANDWIDTH)),
]


class Page(HTMLParser):
    VOID = frozenset({"meta"})

    def __init__(self):
        super().__init__()
        self.open, self.ids, self.links, self.text = [], set(), set(), ""

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.ids.add(values.get("id"))
        self.links.add(values.get("href"))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        pass

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


@pytest.fixture
def page(tmp_path):
    with Store.create(tmp_path, RUN) as store:
        for record in NODES:
            store.add(record)
        text = render(store, outcome(store.run(), Tree.of(store.nodes()), None, None))
    parsed = Page()
    parsed.feed(text)
    assert parsed.open == []
    return parsed


def test_links_lead_to_candidates(page):
    targets = {link.removeprefix("#") for link in page.links if link}
    assert targets == {f"node-{n.id}" for n in NODES}
    assert targets <= page.ids


def test_numbers_and_bottlenecks_are_on_the_page(page):
    for text in ("4.00 µs", "2.00 µs", "1.00 µs", "4.00×", "83.0%", "launch", "memory-bandwidth"):
        assert text in page.text, text
    assert "line 7:5" in page.text


def test_text_of_candidates_is_escaped(page):
    assert "3 of 4 elements <differ>" in page.text
    assert "ir <&>" in page.text
    assert "soft<max>" in page.text


def test_diff_is_against_the_parent(page):
    assert "-node 1\n" in page.text
    assert "+node 3\n" in page.text


def test_tree_is_laid_out_by_depth_and_leaf():
    drawing = draw_tree(NODES)
    at = {place.node.id: (place.x, place.y) for place in drawing.placed}
    assert at[1][0] - at[0][0] == COLUMN_PX
    assert at[0][1] == at[1][1] == at[2][1]
    assert at[3] == (at[2][0], at[2][1] + ROW_PX)
    assert {(edge.begin.node.id, edge.end.node.id) for edge in drawing.edges} == {
        (0, 1),
        (1, 2),
        (1, 3),
    }


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (0.5, "fraction", "50.0%"),
        (204.8e9, "B/s", "205 GB/s"),
        (1350.0, "cycles", "1.35 kcycles"),
        (5550.0, "ns", "5.55 µs"),
        (3.0, "flop/B", "3 flop/B"),
    ],
)
def test_metrics_are_written_for_people(value, unit, text):
    assert format_metric(Metric("m", value, unit, "s")) == text
