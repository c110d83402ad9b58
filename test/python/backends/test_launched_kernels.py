"""Triton kernels on CPU tensors, end to end, against torch in float64."""

import launched_kernels as kernels
import pytest
import torch
import triton

FLOATS = [torch.float32, torch.float16, torch.bfloat16]


def randn(*shape, dtype=torch.float32, seed=0):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed)).to(dtype)


def check(actual, expected, factor=4):
    """Within a few units in the last place of the result's type, by the expected magnitude."""
    tolerance = factor * torch.finfo(actual.dtype).eps
    torch.testing.assert_close(
        actual.to(torch.float64), expected.to(torch.float64), rtol=tolerance, atol=tolerance
    )


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("n", [1, 127, 128, 1000, 4099])
def test_add(device, n, dtype):
    x, y = randn(n, dtype=dtype), randn(n, dtype=dtype, seed=1)
    out = torch.full((n + 3,), 5, dtype=dtype)
    kernels.add[(triton.cdiv(n, 256),)](x, y, out, n, BLOCK=256)
    check(out[:n], x.double() + y.double(), factor=1)
    assert (out[n:] == 5).all()


def test_views_reach_their_place_in_the_storage(device):
    storage = randn(1000)
    out = torch.zeros(1000)
    kernels.add[(1,)](storage[3:], storage[500:], out[7:], 100, BLOCK=128)
    expected = torch.zeros(1000)
    expected[7:107] = storage[3:103] + storage[500:600]
    assert torch.equal(out, expected)


@pytest.mark.parametrize(("low", "high"), [(0, 100), (5, 17), (60, 10), (-3, 300)])
def test_masks_with_two_bounds(device, low, high):
    x, out = randn(128), torch.zeros(128)
    kernels.masked_fill[(1,)](x, out, low, high, BLOCK=128)
    at = torch.arange(128)
    assert torch.equal(out, torch.where((at >= low) & (at < high), x, torch.tensor(-1.0)))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16])
@pytest.mark.parametrize("columns", [7, 128, 781])
def test_softmax(device, columns, dtype):
    x = randn(70, columns, dtype=dtype) * 3
    out = torch.zeros_like(x)
    block = triton.next_power_of_2(columns)
    kernels.softmax[(70,)](x, out, x.stride(0), columns, BLOCK=block)
    check(out, x.double().softmax(1), factor=8)


@pytest.mark.parametrize("columns", [64, 300])
def test_layer_norm(device, columns):
    x, weight, bias = randn(9, columns) + 3, randn(columns, seed=1), randn(columns, seed=2)
    out, mean = torch.zeros_like(x), torch.zeros(9)
    kernels.layer_norm[(9,)](x, weight, bias, out, mean, x.stride(0), columns, 1e-5, BLOCK=128)
    expected = torch.nn.functional.layer_norm(
        x.double(), (columns,), weight.double(), bias.double()
    )
    check(mean, x.double().mean(1), factor=16)
    check(out, expected, factor=64)


@pytest.mark.parametrize("use_se", [True, False])
@pytest.mark.parametrize("form", ["none", "tanh"])
def test_gelu(device, form, use_se):
    x = randn(2000) * 2
    out = torch.zeros_like(x)
    kernels.gelu[(4,)](x, out, 2000, ERF=form == "none", BLOCK=512, use_se=use_se)
    check(out, torch.nn.functional.gelu(x.double(), approximate=form), factor=64)


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("op", ["sum", "max", "min"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.int32])
def test_reductions(device, axis, op, dtype):
    x = (randn(32, 64) * 100).to(dtype)
    out = torch.zeros(x.shape[1 - axis], dtype=dtype)
    kernels.reduce_2d[(1,)](x, out, M=32, N=64, AXIS=axis, OP=op)
    expected = {"sum": x.double().sum(axis), "max": x.amax(axis), "min": x.amin(axis)}[op]
    torch.testing.assert_close(out.double(), expected.double(), rtol=1e-5, atol=1e-3)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize(("m", "n", "k"), [(64, 64, 64), (50, 70, 33), (128, 32, 200)])
@pytest.mark.parametrize("transposed", [False, True])
def test_matmul(device, m, n, k, dtype, transposed):
    a = randn(m, k, dtype=dtype)
    b = randn(n, k, dtype=dtype, seed=1).T if transposed else randn(k, n, dtype=dtype, seed=1)
    c = torch.zeros(m, n)
    grid = (triton.cdiv(m, 32), triton.cdiv(n, 32))
    strides = (*a.stride(), *b.stride(), *c.stride())
    kernels.matmul[grid](a, b, c, m, n, k, *strides, BM=32, BN=32, BK=32)
    torch.testing.assert_close(c.double(), a.double() @ b.double(), rtol=1e-4, atol=1e-4)


def test_two_dimensional_grid(device):
    x, y, out = randn(37), randn(53, seed=1), torch.zeros(37, 53)
    kernels.outer_add[(3, 4)](x, y, out, 37, 53, BM=16, BN=16)
    assert torch.equal(out, x[:, None] + y[None, :])


@pytest.mark.parametrize("dtype", [torch.int8, torch.int16, torch.int32, torch.int64])
def test_integer_operations(device, dtype):
    generator = torch.Generator().manual_seed(0)
    x = torch.randint(-100, 100, (64,), generator=generator).to(dtype)
    y = torch.randint(1, 11, (64,), generator=generator).to(dtype)
    out = torch.zeros(11, 64, dtype=dtype)
    kernels.integers[(1,)](x, y, out, BLOCK=64)
    trunc = torch.div(x, y, rounding_mode="trunc")
    expected = [x + y, x * y, trunc, x - trunc * y, x & y, x | y, x ^ y, x << 2, x >> 1]
    expected += [torch.minimum(x, y), torch.maximum(x, y)]
    names = ["+", "*", "/", "%", "&", "|", "^", "<<", ">>", "where", "maximum"]
    for name, got, want in zip(names, out, expected, strict=True):
        assert torch.equal(got, want), name


def test_several_outputs(device):
    x, y = randn(300), randn(300, seed=1)
    low, high, chosen = (torch.zeros(300) for _ in range(3))
    kernels.extrema[(3,)](x, y, low, high, chosen, 300, BLOCK=128)
    assert torch.equal(low, torch.minimum(x, y))
    assert torch.equal(high, torch.maximum(x, y))
    assert torch.equal(chosen, torch.where(x > 0, x, y * 2))


@pytest.mark.parametrize("flag", [True, False])
@pytest.mark.parametrize("i", [-3, 1, 2**20])
def test_scalar_arguments(device, i, flag):
    out = torch.zeros(32)
    kernels.scale_by_scalars[(1,)](out, i, 2.5, flag, BLOCK=32)
    value = torch.arange(32) * 2.5 + i
    assert torch.equal(out, value if flag else -value)


def test_gather_and_scatter(device):
    x = randn(500)
    order = torch.randperm(500, generator=torch.Generator().manual_seed(1)).to(torch.int32)
    taken, put = torch.zeros(500), torch.zeros(500)
    kernels.take[(4,)](x, order, taken, 500, BLOCK=128)
    kernels.put[(4,)](taken, order, put, 500, BLOCK=128)
    assert torch.equal(taken, x[order.long()])
    assert torch.equal(put, x)


def test_atomics_of_many_pes_add_up(device):
    values = torch.randint(0, 10, (5000,), generator=torch.Generator().manual_seed(2))
    counts, total = torch.zeros(10, dtype=torch.int32), torch.zeros(1, dtype=torch.int32)
    kernels.histogram[(40,)](values.to(torch.int32), counts, total, 5000, BLOCK=128)
    assert torch.equal(counts.long(), values.bincount(minlength=10))
    assert total.item() == 5000


@pytest.mark.parametrize("options", [{"vector_lmul": 1}, {"vector_lmul": 8}, {"cb_multiplier": 1}])
def test_options_change_no_result(device, options):
    x = randn(20, 500)
    out = torch.zeros_like(x)
    kernels.softmax[(20,)](x, out, x.stride(0), 500, BLOCK=512, **options)
    check(out, x.double().softmax(1), factor=8)


def test_an_empty_grid_does_nothing(device):
    out = torch.zeros(4)
    kernels.add[(0,)](out, out, out, 0, BLOCK=128)
    assert device.take_launches() == []
