"""Every kind of operator, alone and in graphs that hypothesis draws, against the reference."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from kevolve.errors import ProblemError
from kevolve.problem import load_problem
from kevolve.synthesize.capture import capture
from kevolve.synthesize.emit import emit
from kevolve.synthesize.graph import SeedError
from kevolve.synthesize.seeder import baseline, seed

MATRIX = "torch.randn(9, 20)"
POSITIVE = "torch.rand(9, 20) + 0.1"

# body of forward, arguments, inputs; several results exercise several operators at once.
CASES = {
    "elementwise": (
        "return x.exp(), x.sin() + x.cos(), x.abs().sqrt(), torch.rsqrt(x.abs() + 1), "
        "x.sigmoid(), x.tanh(), x.relu(), -x, x.floor(), x.ceil(), x.reciprocal(), x.erf(), "
        "(x.abs() + 1).log(), (x.abs() + 1).log2(), x.exp2()",
        "x",
        MATRIX,
    ),
    "activations": (
        "return F.gelu(x), F.gelu(x, approximate='tanh'), F.silu(x), F.softplus(x), "
        "F.leaky_relu(x, 0.1), F.elu(x), F.hardtanh(x), F.relu6(x), F.hardswish(x), F.mish(x)",
        "x",
        MATRIX,
    ),
    "arithmetic": (
        "return x + 2 * y, x - y, x / y, 1 - x, torch.maximum(x, y), torch.minimum(x, y), "
        "x ** 2, x ** 3, y ** 0.5, y ** -1, torch.add(x, y, alpha=3), torch.lerp(x, y, 0.25), "
        "torch.addcmul(x, x, y, value=2)",
        "x, y",
        f"{MATRIX}, {POSITIVE}",
    ),
    "choices": (
        "m = x > 0\nreturn torch.where(m, x, y), x.clamp(-0.5, 0.5), x.clamp(min=0), m, "
        "m & (y < 0.5), ~m, x.masked_fill(m, -1.0), torch.logical_or(m, y > 0.9), x == y, "
        "x.masked_fill(m, float('-inf'))",
        "x, y",
        f"{MATRIX}, {POSITIVE}",
    ),
    "types": (
        "return x.half(), (x * 10).int(), k + 1, k * x, k.float(), h + x, h * 2, "
        "(h.float() + 1).to(torch.bfloat16), k > 2",
        "x, k, h",
        f"{MATRIX}, torch.arange(180).reshape(9, 20), {MATRIX}.half()",
    ),
    "broadcasts": (
        "return x + row, x * col, x + row * col, row * col, x + s, x.T + x.T.exp(), "
        "x.unsqueeze(0).expand(3, 9, 20) * 2",
        "x, row, col, s",
        f"{MATRIX}, torch.randn(20), torch.randn(9, 1), torch.randn(())",
    ),
    "views": (
        "a, b = x.chunk(2, dim=-1)\nreturn a * b, x[:, 3:7] + 1, x[2] * 2, "
        "x.reshape(3, 3, 20).permute(1, 0, 2) + 1, x.T.reshape(-1) + 1, x.flatten() * 2, "
        "x.unbind(0)[3].sum(), (x + 1).view(180) * 3, x.T.contiguous()",
        "x",
        MATRIX,
    ),
    "reductions": (
        "return x.sum(-1), x.mean(-1), x.amax(-1, keepdim=True), x.amin(-1), x.prod(-1), "
        "x.var(-1), x.std(-1, unbiased=False), x.argmax(-1), x.argmin(-1), x.max(-1)[0], "
        "x.min(-1)[1], k.sum(-1), k.amax(-1)",
        "x, k",
        f"{MATRIX}, torch.arange(180).reshape(9, 20)",
    ),
    "other_axes": (
        "return x.sum(0), x.amax(0), x.mean(), x.sum(), x.softmax(0), z.mean((1, 2)), z.sum(1), "
        "z.var((0, 1)), z.amax((0, 1, 2)), x.argmax(0), x.argmax()",
        "x, z",
        f"{MATRIX}, torch.randn(4, 6, 10)",
    ),
    "softmaxes": (
        "return x.softmax(-1), x.log_softmax(-1), torch.logsumexp(x, -1), F.softmin(x, -1), "
        "F.softmax(z, -1)",
        "x, z",
        f"{MATRIX} * 5, torch.randn(2, 3, 33)",
    ),
    "norms": (
        "return F.layer_norm(x, (20,)), F.rms_norm(x, (20,), w), F.layer_norm(z, (6, 10)), "
        "F.normalize(x, dim=-1), "
        "torch.linalg.vector_norm(x, 1, -1), "
        "(x - x.mean(-1, keepdim=True)) / x.std(-1, keepdim=True)",
        "x, w, z",
        f"{MATRIX}, torch.randn(20), torch.randn(4, 6, 10)",
    ),
    "vectors": (
        "return x @ y, y @ z, y @ y",
        "x, y, z",
        f"{MATRIX}, torch.randn(20), torch.randn(20, 5)",
    ),
    "statistics_of_images": (
        "return self.batch(x), self.group(x), self.instance(x), self.dense(x.flatten(1)) * scale",
        "x, scale",
        "torch.randn(2, 16, 6, 6), 0.5",
        "self.batch = nn.BatchNorm2d(16)\nself.group = nn.GroupNorm(4, 16)\n"
        "self.instance = nn.InstanceNorm2d(16)\n"
        "self.dense = nn.Sequential(nn.Linear(576, 24), nn.ReLU(), nn.Linear(24, 8))",
    ),
    "products": (
        "return x @ y, F.linear(x, v, b), torch.addmm(b, x, y), torch.bmm(p, q), "
        "F.relu(p @ y2) + 1, x @ x.T, F.linear(x, v)",
        "x, y, v, b, p, q, y2",
        "torch.randn(9, 20), torch.randn(20, 33), torch.randn(33, 20), torch.randn(33), "
        "torch.randn(3, 9, 20), torch.randn(3, 20, 17), torch.randn(20, 17)",
    ),
    "epilogues": (
        "h = F.gelu(F.linear(x, v, b))\nreturn h + r, (x @ v.T).softmax(-1), "
        "(F.linear(x, v) * s[:, None]).half()",
        "x, v, b, r, s",
        "torch.randn(24, 40).half(), torch.randn(50, 40).half(), torch.randn(50).half(), "
        "torch.randn(24, 50).half(), torch.randn(24)",
    ),
    "decomposed": (
        "return torch.einsum('ij,kj->ik', x, y), F.glu(x), F.mse_loss(x, y), F.logsigmoid(x)",
        "x, y",
        f"{MATRIX}, {MATRIX}",
    ),
    "one_element": (
        "return x[:, :1] * 2, x[:1].sum(-1), x[:1, :1].softmax(-1), x[:1].softmax(0)",
        "x",
        MATRIX,
    ),
}


def with_both_plans(problem):
    return problem, [emit(problem, make(problem, "mtia")) for make in (baseline, seed)]


def test_operators(write_problem, assert_right):
    problems = [write_problem(*case, name=name) for name, case in CASES.items()]
    assert_right(*map(with_both_plans, problems))


@pytest.mark.parametrize(
    ("call", "operator"),
    [
        ("torch.cumsum(x, 0)", "aten.cumsum"),
        ("torch.sort(x)[0]", "aten.sort"),
        ("torch.linalg.qr(x)[0]", "aten.linalg_qr"),
        ("F.conv1d(x[None], x[:, None, :3], groups=9)", "aten.convolution"),
        ("x ** 2.5", "aten.pow"),
    ],
)
def test_what_cannot_be_lowered_is_named_with_its_line(call, operator, write_problem):
    problem = write_problem(f"y = x + 1\nreturn {call}", "x", MATRIX)
    with pytest.raises(SeedError) as caught:
        seed(problem, "mtia")
    wanted = next(n for n, text in enumerate(problem.source.splitlines(), 1) if call in text)
    assert caught.value.line == wanted
    assert caught.value.file == str(problem.path)
    assert operator in caught.value.message
    assert "\n" not in str(caught.value)


def test_a_forward_that_fails_is_told_with_its_line(write_problem):
    problem = write_problem("y = x + 1\nreturn y @ y", "x", MATRIX)
    with pytest.raises(ProblemError) as caught:
        capture(problem)
    assert caught.value.line == 13


def test_control_flow_on_data_is_told(write_problem):
    problem = write_problem("if x.sum() > 0:\n    return x\nreturn -x", "x", MATRIX)
    with pytest.raises(ProblemError, match=r"cannot capture Model\.forward"):
        capture(problem)


UNARY = (
    "torch.sin({0})",
    "torch.sigmoid({0})",
    "F.gelu({0})",
    "({0}).abs()",
    "-({0})",
    "({0}) ** 2",
)
BINARY = (
    "({0}) + ({1})",
    "({0}) * ({1})",
    "({0}) - ({1})",
    "torch.maximum({0}, {1})",
    "torch.where({0} > 0, {0}, {1})",
)
REDUCE = (
    "({0}).sum({1}, keepdim=True)",
    "({0}).amax({1}, keepdim=True)",
    "({0}).mean({1}, keepdim=True)",
    "({0}).softmax({1})",
)


@st.composite
def programs(draw):
    """A forward of pointwise functions, reductions and broadcasts over three inputs."""
    rank = draw(st.integers(1, 3))
    shape = draw(st.lists(st.integers(1, 7), min_size=rank, max_size=rank))
    inputs = []
    for _ in range(3):
        sizes = [size if draw(st.booleans()) else 1 for size in shape]
        inputs.append(f"torch.randn({sizes[draw(st.integers(0, rank - 1)) :]})")
    inputs[0] = f"torch.randn({shape})"
    names, lines = ["x", "y", "z"], []
    for step in range(draw(st.integers(2, 7))):
        template = draw(st.sampled_from(UNARY + BINARY + (REDUCE if step % 2 else ())))
        first = draw(st.sampled_from(names))
        second = draw(st.sampled_from(names))
        if template in REDUCE:
            template, first, second = template, f"({first} + x)", draw(st.integers(-rank, -1))
        lines.append(f"v{step} = {template.format(first, second)}")
        names.append(f"v{step}")
    results = draw(st.lists(st.sampled_from(names[3:]), min_size=1, max_size=3, unique=True))
    return "\n".join([*lines, f"return {', '.join([*results, names[-1]])}"]), ", ".join(inputs)


@settings(max_examples=4, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(drawn=st.lists(programs(), min_size=12, max_size=12))
def test_random_graphs(drawn, write_problem, assert_right):
    problems = [
        write_problem(body, "x, y, z", inputs, name=f"problem_{index}")
        for index, (body, inputs) in enumerate(drawn)
    ]
    assert_right(*map(with_both_plans, problems))


def test_examples_load():
    from problem_files import EXAMPLES

    assert len(EXAMPLES) >= 6
    assert all(load_problem(path).inputs() for path in EXAMPLES)
