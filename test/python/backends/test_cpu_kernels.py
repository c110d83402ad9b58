"""Triton kernels on this machine's CPU, end to end, against torch in float64."""

import guarded_tensors
import launched_kernels as kernels
import pytest
import torch
import triton
import triton.language as tl
from kevolve.backends import cpu
from kevolve.errors import CompileError, LaunchError
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource, make_backend

FLOATS = [torch.float32, torch.float16, torch.bfloat16]
TARGET = GPUTarget("cpu", "native", 1)


@pytest.fixture(autouse=True)
def previous_driver():
    """Other files of this folder launch on the driver that was there before."""
    previous = triton.runtime.driver._active
    cpu.activate()
    cpu.take_launches()
    yield
    triton.runtime.driver._active = previous


@pytest.fixture(params=[1, 3])
def threads(request):
    """Options of a launch; three threads never divide the grids of these tests."""
    return {"num_threads": request.param}


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
def test_add(threads, n, dtype):
    x, y = randn(n, dtype=dtype), randn(n, dtype=dtype, seed=1)
    out = torch.full((n + 3,), 5, dtype=dtype)
    kernels.add[(triton.cdiv(n, 256),)](x, y, out, n, BLOCK=256, **threads)
    check(out[:n], x.double() + y.double(), factor=1)
    assert (out[n:] == 5).all()


def test_views_reach_their_place_in_the_storage():
    storage = randn(1000)
    out = torch.zeros(1000)
    kernels.add[(1,)](storage[3:], storage[500:], out[7:], 100, BLOCK=128)
    expected = torch.zeros(1000)
    expected[7:107] = storage[3:103] + storage[500:600]
    assert torch.equal(out, expected)


@pytest.mark.parametrize("before", [False, True])
@pytest.mark.parametrize("n", [1, 100, 1023])
def test_masked_accesses_touch_nothing_outside(n, before):
    x, y = randn(n), randn(n, seed=1)
    out = guarded_tensors.guarded(torch.zeros(n), before)
    inside = [guarded_tensors.guarded(tensor, before) for tensor in (x, y)]
    kernels.add[(triton.cdiv(n, 256),)](*inside, out, n, BLOCK=256)
    assert torch.equal(out, x + y)


@pytest.mark.parametrize("before", [False, True])
def test_masked_tiles_touch_nothing_outside(before):
    a, b = randn(50, 33), randn(33, 70, seed=1)
    inside = [guarded_tensors.guarded(tensor, before) for tensor in (a, b)]
    c = guarded_tensors.guarded(torch.zeros(50, 70), before)
    strides = (*a.stride(), *b.stride(), *c.stride())
    kernels.matmul[(2, 3)](*inside, c, 50, 70, 33, *strides, BM=32, BN=32, BK=32)
    torch.testing.assert_close(c.double(), a.double() @ b.double(), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("before", [False, True])
def test_masked_gathers_touch_nothing_outside(before):
    x = guarded_tensors.guarded(randn(300), before)
    order = torch.randperm(300, generator=torch.Generator().manual_seed(1)).to(torch.int32)
    indices = guarded_tensors.guarded(order, before)
    out = guarded_tensors.guarded(torch.zeros(300), before)
    kernels.take[(3,)](x, indices, out, 300, BLOCK=128)
    assert torch.equal(out, x[order.long()])


@pytest.mark.parametrize(("low", "high"), [(0, 100), (5, 17), (60, 10), (-3, 300)])
def test_masks_with_two_bounds(low, high):
    x, out = randn(128), torch.zeros(128)
    kernels.masked_fill[(1,)](x, out, low, high, BLOCK=128)
    at = torch.arange(128)
    assert torch.equal(out, torch.where((at >= low) & (at < high), x, torch.tensor(-1.0)))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16])
@pytest.mark.parametrize("columns", [7, 128, 781])
def test_softmax(threads, columns, dtype):
    x = randn(70, columns, dtype=dtype) * 3
    out = torch.zeros_like(x)
    block = triton.next_power_of_2(columns)
    kernels.softmax[(70,)](x, out, x.stride(0), columns, BLOCK=block, **threads)
    check(out, x.double().softmax(1), factor=8)


@pytest.mark.parametrize("columns", [64, 300])
def test_layer_norm(threads, columns):
    x, weight, bias = randn(10, columns) + 3, randn(columns, seed=1), randn(columns, seed=2)
    out, mean = torch.zeros_like(x), torch.zeros(10)
    kernels.layer_norm[(10,)](
        x, weight, bias, out, mean, x.stride(0), columns, 1e-5, BLOCK=128, **threads
    )
    expected = torch.nn.functional.layer_norm(
        x.double(), (columns,), weight.double(), bias.double()
    )
    check(mean, x.double().mean(1), factor=16)
    check(out, expected, factor=64)


@pytest.mark.parametrize("form", ["none", "tanh"])
def test_gelu(form):
    x = randn(2000) * 2
    out = torch.zeros_like(x)
    kernels.gelu[(4,)](x, out, 2000, ERF=form == "none", BLOCK=512)
    check(out, torch.nn.functional.gelu(x.double(), approximate=form), factor=64)


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("op", ["sum", "max", "min"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.int32])
def test_reductions(axis, op, dtype):
    x = (randn(32, 64) * 100).to(dtype)
    out = torch.zeros(x.shape[1 - axis], dtype=dtype)
    kernels.reduce_2d[(1,)](x, out, M=32, N=64, AXIS=axis, OP=op)
    expected = {"sum": x.double().sum(axis), "max": x.amax(axis), "min": x.amin(axis)}[op]
    torch.testing.assert_close(out.double(), expected.double(), rtol=1e-5, atol=1e-3)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize(("m", "n", "k"), [(64, 64, 64), (50, 70, 33), (128, 32, 200)])
@pytest.mark.parametrize("transposed", [False, True])
def test_matmul(threads, m, n, k, dtype, transposed):
    a = randn(m, k, dtype=dtype)
    b = randn(n, k, dtype=dtype, seed=1).T if transposed else randn(k, n, dtype=dtype, seed=1)
    c = torch.zeros(m, n)
    grid = (triton.cdiv(m, 32), triton.cdiv(n, 32))
    strides = (*a.stride(), *b.stride(), *c.stride())
    kernels.matmul[grid](a, b, c, m, n, k, *strides, BM=32, BN=32, BK=32, **threads)
    torch.testing.assert_close(c.double(), a.double() @ b.double(), rtol=1e-4, atol=1e-4)


@triton.jit
def batched_product(a, b, c, B: tl.constexpr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    batch = tl.arange(0, B)[:, None, None]
    rows, depth, columns = tl.arange(0, M), tl.arange(0, K), tl.arange(0, N)
    left = tl.load(a + batch * M * K + rows[None, :, None] * K + depth[None, None, :])
    right = tl.load(b + batch * K * N + depth[None, :, None] * N + columns[None, None, :])
    product = tl.dot(left, right)
    tl.store(c + batch * M * N + rows[None, :, None] * N + columns[None, None, :], product)


def test_batched_products():
    a, b, c = randn(2, 16, 32), randn(2, 32, 64, seed=1), torch.zeros(2, 16, 64)
    batched_product[(1,)](a, b, c, B=2, M=16, N=64, K=32)
    torch.testing.assert_close(c.double(), a.double() @ b.double(), rtol=1e-4, atol=1e-4)


@triton.jit
def product_and_sum(x, y, out, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    a, b = tl.load(x + at), tl.load(y + at)
    tl.store(out + at, a * a - b)


def test_products_are_rounded_before_they_are_added_if_asked():
    # (1 + 2^-12)^2 - (1 + 2^-11) is 2^-24, all of which the product's rounding loses.
    x = torch.full((64,), 1 + 2.0**-12)
    y = torch.full((64,), 1 + 2.0**-11)
    out = torch.zeros(64)
    product_and_sum[(1,)](x, y, out, BLOCK=64, enable_fp_fusion=False)
    assert torch.equal(out, x * x - y) and out.sum() == 0


@triton.jit
def program_numbers(out):
    x, y, z = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    nx, ny = tl.num_programs(0), tl.num_programs(1)
    tl.store(out + (z * ny + y) * nx + x, x + 100 * y + 10000 * z + 1000000 * tl.num_programs(2))


@pytest.mark.parametrize("grid", [(1,), (5,), (3, 4), (2, 3, 4), (1, 1, 7), (7, 1, 2)])
def test_grids(threads, grid):
    nx, ny, nz = (*grid, 1, 1)[:3]
    out = torch.zeros(nz, ny, nx, dtype=torch.int32)
    program_numbers[grid](out, **threads)
    x, y, z = torch.arange(nx), torch.arange(ny), torch.arange(nz)
    expected = x + 100 * y[:, None] + 10000 * z[:, None, None] + 1000000 * nz
    assert torch.equal(out.long(), expected)


def test_an_empty_grid_does_nothing():
    out = torch.zeros(4)
    kernels.add[(0,)](out, out, out, 0, BLOCK=128)
    assert cpu.take_launches() == []


@pytest.mark.parametrize("dtype", [torch.int8, torch.int16, torch.int32, torch.int64])
def test_integer_operations(dtype):
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


@pytest.mark.parametrize("flag", [True, False])
@pytest.mark.parametrize("i", [-3, 1, 2**20, 2**40])
def test_scalar_arguments(i, flag):
    out = torch.zeros(32)
    kernels.scale_by_scalars[(1,)](out, i, 2.5, flag, BLOCK=32)
    value = torch.arange(32) * 2.5 + i
    assert torch.equal(out, value if flag else -value)


def test_gather_and_scatter(threads):
    x = randn(500)
    order = torch.randperm(500, generator=torch.Generator().manual_seed(1)).to(torch.int32)
    taken, put = torch.zeros(500), torch.zeros(500)
    kernels.take[(4,)](x, order, taken, 500, BLOCK=128, **threads)
    kernels.put[(4,)](taken, order, put, 500, BLOCK=128, **threads)
    assert torch.equal(taken, x[order.long()])
    assert torch.equal(put, x)


def test_atomics_of_many_programs_add_up(threads):
    values = torch.randint(0, 10, (200_000,), generator=torch.Generator().manual_seed(2))
    counts, total = torch.zeros(10, dtype=torch.int32), torch.zeros(1, dtype=torch.int32)
    kernels.histogram[(1563,)](values.to(torch.int32), counts, total, 200_000, BLOCK=128, **threads)
    assert torch.equal(counts.long(), values.bincount(minlength=10))
    assert total.item() == 200_000


@triton.jit
def add_ones(total, n):
    for _ in range(n):
        tl.atomic_add(total, 1.0)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16])
def test_float_atomics_lose_nothing(dtype):
    # The sums are exact: 2048 is the last whole number that half precision counts to.
    total = torch.zeros(1, dtype=dtype)
    programs, n = (64, 10_000) if dtype is torch.float32 else (64, 32)
    add_ones[(programs,)](total, n, num_threads=4)
    assert total.item() == programs * n


@triton.jit
def take_turns(lock, counter, n):
    """Adds to a plain word under a spin lock."""
    for _ in range(n):
        while tl.atomic_cas(lock, 0, 1) == 1:
            pass
        tl.store(counter, tl.load(counter) + 1)
        tl.atomic_xchg(lock, 0)


def test_a_lock_keeps_threads_apart():
    lock, counter = torch.zeros(1, dtype=torch.int32), torch.zeros(1, dtype=torch.int32)
    take_turns[(8,)](lock, counter, 2000, num_threads=2)
    assert (lock.item(), counter.item()) == (0, 16_000)


def test_launches_say_what_ran():
    x, out = randn(70, 128), torch.zeros(70, 128)
    kernels.softmax[(70,)](x, out, 128, 128, BLOCK=128, num_threads=3)
    kernels.softmax[(2,)](x, out, 128, 128, BLOCK=128, num_threads=3)
    first, second = cpu.take_launches()
    assert (first.kernel, first.grid, first.num_threads) == ("softmax", (70, 1, 1), 3)
    assert (second.grid, second.num_threads) == ((2, 1, 1), 2)
    assert first.time_ns > 0


def test_threads_of_the_device_are_the_default():
    cpu.activate(num_threads=1)
    x, out = randn(70, 128), torch.zeros(70, 128)
    kernels.softmax[(70,)](x, out, 128, 128, BLOCK=128)
    assert cpu.take_launches()[0].num_threads == 1
    with pytest.raises(LaunchError, match="num_threads must be at least 1, got 0"):
        cpu.activate(num_threads=0)


def test_unsupported_operations_name_the_line():
    x = torch.zeros(64, dtype=torch.int32)
    with pytest.raises(CompileError) as caught:
        kernels.unsupported[(1,)](x, BLOCK=64)
    assert caught.value.file == kernels.__file__
    assert "inline_asm" in str(caught.value) and "\n" not in str(caught.value)
    with open(kernels.__file__) as source:
        assert "inline_asm_elementwise" in source.readlines()[caught.value.line - 1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"num_threads": -1}, "num_threads must not be negative, got -1"),
        ({"num_ctas": 2}, "no clusters: num_ctas=2"),
        ({"launch_cooperative_grid": True}, "cannot wait for each other"),
        ({"extern_libs": {"a": "b.bc"}}, "links no external libraries"),
    ],
)
def test_bad_options_are_told(options, message):
    with pytest.raises(CompileError, match=message):
        make_backend(TARGET).parse_options(options)


def test_it_is_never_the_default():
    assert not triton.backends.backends["cpu"].driver.is_active()


def test_every_stage_can_be_read():
    types = {"x": "*fp32", "y": "*fp32", "out": "*fp32", "n": "i32", "BLOCK": "constexpr"}
    compiled = triton.compile(ASTSource(kernels.add, types, {"BLOCK": 128}), target=TARGET)
    assert "tile.load" in compiled.asm["linalg"]
    assert "llvm.func @kevolve_run_programs" in compiled.asm["mlir"]
    assert "define void @kevolve_run_programs(ptr" in compiled.asm["llir"]
    assert "kevolve_run_programs" in compiled.asm["asm"]
    assert compiled.asm["so"][:4] == b"\x7fELF"
    assert f'"{kernels.__file__}"' in compiled.asm["linalg"]
