"""The search loop over synthetic candidates: what it grows, and that a kill changes nothing."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kevolve.errors import KevolveError
from kevolve.records import Evaluation, KernelLaunch, Measurement, Status, TimeKind, Verdict
from kevolve.search.driver import search
from kevolve.search.fitness import speedup
from kevolve.search.policy import Greedy
from kevolve.search.synthesizer import Proposal
from kevolve.search.termination import Budget
from kevolve.search.tree import Tree
from kevolve.store import RunRecord, Store

RUN = RunRecord("p", "p.py", "", "h", "mtia", 0, "numbers", "{}")


class Numbers:
    """Candidates are words over a, b, c; growing one appends a letter."""

    name = "numbers"

    def baseline(self):
        return Proposal("b", "b", "baseline")

    def seed(self):
        return Proposal("s", "s", "seed")

    def expand(self, node, tree):
        for letter in "abc":
            word = node.source + letter
            if len(word) < 5 and not tree.has_source(word):
                return Proposal(word, word, "append", letter)
        return None


def evaluation(time_ns):
    if time_ns is None:
        return Evaluation(Verdict(Status.INCORRECT, "wrong"))
    launch = KernelLaunch("k", (1, 1, 1), time_ns)
    return Evaluation(Verdict(Status.CORRECT), Measurement(time_ns, TimeKind.SIMULATED, (launch,)))


class Recorder:
    def __init__(self):
        self.seen = []

    def evaluating(self, node_id, proposal):
        self.seen.append((node_id, proposal.source))

    def evaluated(self, node, tree):
        pass


def grow(directory, evaluate, candidates):
    with Store.create(directory, RUN) as store:
        recorder = Recorder()
        tree = search(store, Numbers(), evaluate, Greedy(), Budget(candidates), recorder)
    return tree, recorder.seen


def shape(tree):
    return [(n.id, n.parent_id, n.operator, n.parameters, n.source) for n in tree.nodes.values()]


def test_greedy_climbs_from_each_new_best(tmp_path):
    times = {"b": 100.0, "s": 50.0, "sa": 60.0, "sb": 40.0, "sba": None, "sbb": 20.0}
    tree, _ = grow(tmp_path, lambda word: evaluation(times.get(word, 90.0)), 6)
    # s, then sa (slower), sb (new best), sba (wrong), sbb (new best), sbba from it.
    assert [node.source for node in tree.candidates()] == ["s", "sa", "sb", "sba", "sbb", "sbba"]
    best = tree.best()
    assert best.source == "sbb"
    assert speedup(best, tree) == 5.0
    assert speedup(tree.nodes[4], tree) == 0.0
    assert [node.source for node in tree.lineage(best)] == ["b", "s", "sb", "sbb"]


def test_stops_when_nothing_is_left(tmp_path):
    # Words of up to three letters after s, and after the baseline: 1 + 2 * (3 + 9 + 27).
    tree, _ = grow(tmp_path, lambda word: evaluation(10.0), 1000)
    assert len(tree.candidates()) == 79


def test_wrong_seed_falls_back_to_the_baseline(tmp_path):
    tree, _ = grow(tmp_path, lambda w: evaluation(None if w == "s" else 5.0), 3)
    assert [node.source for node in tree.candidates()] == ["s", "ba", "baa"]
    assert tree.nodes[2].parent_id == 0


@settings(max_examples=25, deadline=None)
@given(
    times=st.lists(st.one_of(st.none(), st.floats(1, 100)), min_size=41, max_size=41),
    kills=st.lists(st.integers(1, 8), max_size=4),
)
def test_killed_search_continues_to_the_same_tree(times, kills, tmp_path_factory):
    def time_of(word):
        return times[sum(ord(letter) * 7**i for i, letter in enumerate(word)) % len(times)]

    class Killed(BaseException):
        pass

    whole, _ = grow(tmp_path_factory.mktemp("whole"), lambda w: evaluation(time_of(w)), 15)
    directory = tmp_path_factory.mktemp("killed")
    for kill in kills:
        left = kill

        def dying(word):
            nonlocal left
            left -= 1
            if left < 0:
                raise Killed
            return evaluation(time_of(word))

        try:
            grow(directory, dying, 15)
        except Killed:
            continue
    before = len(_nodes(directory)) if kills else 0
    resumed, seen = grow(directory, lambda w: evaluation(time_of(w)), 15)
    assert shape(resumed) == shape(whole)
    # Nothing that was finished is evaluated again.
    assert [node_id for node_id, _ in seen] == list(range(before, len(resumed.nodes)))


def _nodes(directory: Path):
    with Store.open(directory) as store:
        return store.nodes()


def test_another_search_in_the_same_folder_is_refused(tmp_path):
    grow(tmp_path, lambda word: evaluation(1.0), 2)
    other = RunRecord("p", "p.py", "", "h", "mtia", 1, "numbers", "{}")
    with pytest.raises(KevolveError, match=r"another seed \(0 there, 1 now\)"):
        Store.create(tmp_path, other)


def test_a_store_that_is_no_database_is_told(tmp_path):
    (tmp_path / "store.sqlite").write_bytes(b"not a database, but long enough to look at" * 40)
    with pytest.raises(KevolveError, match="not a readable store"):
        Store.open(tmp_path)


def test_tree_refuses_gaps_and_missing_parents(tmp_path):
    tree, _ = grow(tmp_path, lambda word: evaluation(1.0), 2)
    nodes = list(tree.nodes.values())
    with pytest.raises(KevolveError, match="out of order"):
        Tree.of(nodes[1:])
