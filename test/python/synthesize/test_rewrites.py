"""Rewrites of plans: lawful, telling the truth about what they change, and keeping results."""

from collections import Counter

import pytest
from kevolve.errors import KevolveError
from kevolve.problem import load_problem
from kevolve.records import Bottleneck, Diagnosis
from kevolve.synthesize.emit import emit, kernel_names
from kevolve.synthesize.propose import propose
from kevolve.synthesize.rewrites import REWRITES, Context, named, reference_page
from kevolve.synthesize.seeder import baseline, seed
from problem_files import EXAMPLES, ROOT

# Small problems, ragged where the template allows it, that reach every rewrite between them.
SMALL = {
    "softmax": ("return torch.softmax(x + y, -1)", "x, y", "torch.randn(70, 96), torch.randn(96)"),
    "long_softmax": ("return torch.log_softmax(x * 2, -1)", "x", "torch.randn(3, 1024)"),
    "norm": (
        "return F.layer_norm(x + y, (512,), y[0], y[1], 1e-5)",
        "x, y",
        "torch.randn(6, 512) + 3, torch.randn(6, 512)",
    ),
    "statistics": (
        "d = (x - y).abs()\nreturn d.mean(-1), d.amax(-1), torch.logsumexp(d, -1)",
        "x, y",
        "torch.randn(5, 768), torch.randn(5, 768)",
    ),
    "gemm": (
        "return F.gelu(x @ y.T + z) * 2",
        "x, y, z",
        "torch.randn(72, 128).half(), torch.randn(80, 128).half(), torch.randn(80).half()",
    ),
    "chain": (
        "return torch.tanh(x * y[:, None] + z)",
        "x, y, z",
        "torch.randn(160, 48), torch.randn(160), torch.randn(48)",
    ),
}


@pytest.fixture
def small(write_problem):
    return lambda name: write_problem(*SMALL[name], name=name)


def plans_after_each_rewrite(problem, target):
    """Every plan that one rewrite makes of the baseline or the seed."""
    context = Context(problem, target)
    found = {}
    for start in (baseline(problem, target), seed(problem, target)):
        for proposal in propose(context, start):
            found.setdefault(proposal.plan.to_json(), proposal)
    return list(found.values())


@pytest.mark.parametrize(
    ("name", "target"), [*((name, "mtia") for name in SMALL), ("softmax", "cuda"), ("gemm", "cuda")]
)
def test_rewrites_keep_results(name, target, small, assert_right):
    problem = small(name)
    sources = {}
    for proposal in plans_after_each_rewrite(problem, target):
        candidate = emit(problem, proposal.plan)
        sources.setdefault(_without_options(candidate.source), candidate)
    assert_right((problem, list(sources.values())))


def _without_options(source):
    """The text as the interpreter sees it: launch options mean nothing there."""
    lines = source.splitlines()
    return "\n".join(x for x in lines if "kevolve-plan" not in x and "**tuned" not in x)


def test_rewrites_on_rewrites_keep_results(small, assert_right):
    """Random walks of four rewrites."""
    pairs = []
    for name in ("softmax", "norm", "gemm"):
        problem = small(name)
        context = Context(problem, "mtia")
        candidates = []
        for walk in range(6):
            plan = seed(problem, "mtia") if walk % 2 else baseline(problem, "mtia")
            for step in range(4):
                proposals = propose(context, plan, seed=17 * walk + step)
                plan = proposals[(7 * walk + 3 * step) % len(proposals)].plan
            candidates.append(emit(problem, plan))
        pairs.append((problem, candidates))
    assert_right(*pairs)


def test_every_rewrite_is_reached(small):
    reached = Counter(
        proposal.rewrite
        for name in SMALL
        for target in ("mtia", "cuda")
        for proposal in plans_after_each_rewrite(small(name), target)
    )
    assert set(reached) == {rewrite.name for rewrite in REWRITES}
    assert len(reached) >= 10


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_rewrites_change_what_they_say(path):
    problem = load_problem(path)
    context = Context(problem, "mtia")
    for start in (baseline(problem, "mtia"), seed(problem, "mtia")):
        before = emit(problem, start)
        for proposal in propose(context, start):
            assert emit(problem, proposal.plan).hash != before.hash, proposal
            if proposal.rewrite not in ("fuse-kernels", "split-kernel"):
                schedule = proposal.plan.kernels[proposal.parameters["kernel"]].schedule
                for field, value in proposal.parameters.items():
                    assert field == "kernel" or getattr(schedule, field) == value
            assert any(c.isdigit() for c in proposal.reason) or "->" in proposal.reason
            assert context.legal(proposal.plan)


def test_fusion_and_fission_undo_each_other(small):
    problem = small("softmax")
    context = Context(problem, "mtia")
    eager = baseline(problem, "mtia")
    (parameters,) = named("fuse-kernels").applicable(eager, context)
    fused = named("fuse-kernels").apply(eager, parameters, context)
    assert fused == seed(problem, "mtia")
    (cut,) = named("split-kernel").applicable(fused, context)
    assert named("split-kernel").apply(fused, cut, context) == eager


def test_local_memory_bounds_tiles(small):
    context = Context(small("chain"), "mtia")
    plan = seed(context.problem, "mtia")
    assert context.legal(plan)
    assert not context.legal(plan.with_schedule(0, block_rows=1 << 12, block_cols=64))
    assert not context.legal(plan.with_schedule(0, block_cols=48))


def diagnosis(kernel, bottleneck):
    return Diagnosis(1, "mtia", kernel, bottleneck, 0.9, ())


@pytest.mark.parametrize("bottleneck", list(Bottleneck))
def test_what_answers_the_diagnosis_comes_first(bottleneck):
    context = Context(load_problem(EXAMPLES[0]), "mtia")
    plan = baseline(context.problem, "mtia")
    slow = kernel_names(context.graph, plan)[-1]
    first = propose(context, plan, [diagnosis(slow, bottleneck)])[0]
    assert bottleneck in named(first.rewrite).answers
    assert str(bottleneck) in first.reason


def test_what_was_tried_is_not_proposed_again():
    context = Context(load_problem(EXAMPLES[0]), "mtia")
    plan = seed(context.problem, "mtia")
    every = [proposal.plan.to_json() for proposal in propose(context, plan)]
    assert len(set(every)) == len(every)
    assert propose(context, plan, tried=every) == []
    rest = propose(context, plan, tried=every[:3])
    assert [proposal.plan.to_json() for proposal in rest] == every[3:]


def test_the_seed_decides_the_order():
    context = Context(load_problem(EXAMPLES[0]), "mtia")
    plan = seed(context.problem, "mtia")
    assert propose(context, plan, seed=1) == propose(context, plan, seed=1)
    assert propose(context, plan, seed=1) != propose(context, plan, seed=2)


def test_the_page_lists_every_rewrite():
    page = reference_page()
    assert all(f"`{rewrite.name}`" in page for rewrite in REWRITES)
    assert page == (ROOT / "docs" / "reference" / "rewrites.md").read_text()


def test_an_unknown_rewrite():
    with pytest.raises(KevolveError, match="no rewrite is called 'make-faster'"):
        named("make-faster")
