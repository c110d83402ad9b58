"""What Triton kernels compute through linalg and tile, against numpy."""

import host
import lowered_kernels as kernels
import numpy as np
import pytest


@pytest.fixture
def random():
    return np.random.default_rng(0)


def floats(random, *shape, dtype=np.float32):
    return random.standard_normal(shape).astype(dtype)


def close(actual, expected, tolerance=1e-5):
    np.testing.assert_allclose(actual, expected, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("n", [1, 64, 100, 256])
def test_vector_add(random, n):
    x, y, out = floats(random, n), floats(random, n), np.zeros(n, np.float32)
    text = host.launch(kernels.vector_add, (-(-n // 64),), out, x, y, n, BLOCK=64)
    np.testing.assert_array_equal(out, x + y)
    assert "tile.gather" not in text


def test_softmax(random):
    x = floats(random, 5, 100)
    out = np.zeros_like(x)
    text = host.launch(kernels.softmax, (5,), out, x, 100, 100, BLOCK=128)
    exact = np.exp(x.astype(np.float64))
    close(out, exact / exact.sum(1, keepdims=True))
    assert "tile.gather" not in text and text.count("tile.load") == 1


def test_softmax_of_nothing_but_nan():
    x = np.full((1, 4), np.nan, np.float32)
    out = np.zeros_like(x)
    host.launch(kernels.softmax, (1,), out, x, 4, 4, BLOCK=4)
    assert np.isnan(out).all()


def test_layer_norm(random):
    x, weight, bias = floats(random, 3, 70), floats(random, 70), floats(random, 70)
    out = np.zeros_like(x)
    text = host.launch(kernels.layer_norm, (3,), out, x, weight, bias, 70, 1e-5, BLOCK=32)
    wide = x.astype(np.float64)
    centred = wide - wide.mean(1, keepdims=True)
    variance = (centred**2).mean(1, keepdims=True)
    close(out, centred / np.sqrt(variance + 1e-5) * weight + bias)
    assert "tile.gather" not in text and "tile.scatter" not in text


def test_gelu(random):
    erf = np.vectorize(__import__("math").erf)
    x = floats(random, 50)
    out = np.zeros_like(x)
    host.launch(kernels.gelu, (2,), out, x, 50, BLOCK=32)
    close(out, 0.5 * x * (1 + erf(x * 0.70710678)))


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
@pytest.mark.parametrize("modulo", [False, True])
def test_gemm(random, dtype, modulo):
    m, n, k = 20, 35, 27
    a, b = floats(random, m, k, dtype=dtype), floats(random, k, n, dtype=dtype)
    c = np.zeros((m, n), np.float32)
    text = host.launch(
        kernels.gemm, (2, 3), c, a, b, m, n, k, k, 1, n, 1, BM=16, BN=16, BK=16, MODULO=modulo
    )
    close(c, a.astype(np.float64) @ b.astype(np.float64), 1e-4)
    assert ("tile.gather" in text) == modulo


def test_gemm_of_transposed_operands(random):
    m, n, k = 20, 35, 27
    a, b = floats(random, k, m), floats(random, n, k)
    c = np.zeros((m, n), np.float32)
    host.launch(
        kernels.gemm, (2, 3), c, a, b, m, n, k, 1, m, 1, k, BM=16, BN=16, BK=16, MODULO=False
    )
    close(c, a.T.astype(np.float64) @ b.T.astype(np.float64), 1e-4)


REDUCTIONS = {
    "sum": np.sum,
    "max": np.max,
    "min": np.min,
    "argmax": np.argmax,
    "argmin": np.argmin,
    "xor": np.bitwise_xor.reduce,
}


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("kind", sorted(REDUCTIONS))
@pytest.mark.parametrize("dtype", [np.float32, np.int32, np.float16])
def test_reduce(random, kind, axis, dtype):
    if kind == "xor" and dtype != np.int32:
        pytest.skip("bits of integers only")
    x = random.integers(-9, 9, (8, 16)).astype(dtype)  # with ties
    is_place = kind.startswith("arg")
    out = np.zeros(x.shape[1 - axis], np.int32 if is_place else dtype)
    host.launch(kernels.reduce_axis, (1,), out, x, AXIS=axis, KIND=kind, M=8, N=16)
    np.testing.assert_array_equal(out, REDUCTIONS[kind](x, axis))


def test_reduce_with_several_values(random):
    x = floats(random, 64)
    out = np.zeros(2, np.float32)
    host.launch(kernels.welford, (1,), out, x, BLOCK=64)
    close(out, [x.mean(dtype=np.float64), x.var(dtype=np.float64)])


def test_gather_rows(random):
    table = floats(random, 9, 12)
    indices = random.integers(0, 9, 21).astype(np.int32)
    out = np.zeros((21, 12), np.float32)
    host.launch(kernels.gather_rows, (3,), out, table, indices, 21, 12, BLOCK=8, WIDTH=16)
    np.testing.assert_array_equal(out, table[indices])


def test_scatter(random):
    values = floats(random, 20)
    indices = random.permutation(32)[:20].astype(np.int32)
    out = np.zeros(32, np.float32)
    host.launch(kernels.scatter_elements, (1,), out, indices, values, 20, BLOCK=32)
    expected = np.zeros(32, np.float32)
    expected[indices[values > 0]] = values[values > 0]
    np.testing.assert_array_equal(out, expected)


def test_negative_stride(random):
    x = floats(random, 40)
    out = np.zeros_like(x)
    text = host.launch(kernels.reverse, (3,), out, x, 40, BLOCK=16)
    np.testing.assert_array_equal(out, x[::-1])
    assert "strides [-4]" in text and "tile.gather" not in text


def test_stride_of_two(random):
    x = floats(random, 13)
    out = np.zeros(16, np.float32)
    text = host.launch(kernels.every_other, (1,), out, x, 13, BLOCK=16)
    np.testing.assert_array_equal(out, np.pad(x[::2], (0, 9), constant_values=-1))
    assert "strides [8]" in text and "tile.gather" not in text


LANES = np.arange(16)
MASKS = {
    # kind: (where, whether it is a box)
    "window": ((LANES >= 3) & (LANES <= 9) & (LANES < 12), True),
    "outside": ((LANES < 3) | (LANES > 9), False),
    "one": (LANES == 3, True),
    "not": (LANES != 3, False),
    "uniform": (LANES < 12, True),
    "reversed": (9 - LANES > 3, True),
    "modulo": (LANES % 3 == 0, False),
    "parity": (LANES % 2 == 0, False),
    "unsigned": ((LANES >= 5) & (LANES < 9), False),
    "scaled": (LANES * 3 < 12, False),
}


@pytest.mark.parametrize("kind", sorted(MASKS))
def test_mask(random, kind):
    where, is_box = MASKS[kind]
    x = floats(random, 16)
    out = np.zeros_like(x)
    text = host.launch(kernels.odd_masks, (1,), out, x, 12, 3, 9, 1, BLOCK=16, KIND=kind)
    np.testing.assert_array_equal(out, np.where(where, x, np.float32(7)))
    assert ("tile.gather" not in text) == is_box


def test_uniform_mask_that_is_false(random):
    x = floats(random, 16)
    out = np.zeros_like(x)
    host.launch(kernels.odd_masks, (1,), out, x, 12, 3, 9, 0, BLOCK=16, KIND="uniform")
    np.testing.assert_array_equal(out, np.full(16, 7, np.float32))


def test_modulo_and_quotient(random):
    x = floats(random, 15)
    out = np.zeros_like(x)
    host.launch(kernels.modulo_and_quotient, (1,), out, x, 5, 3, BLOCK=16)
    np.testing.assert_array_equal(out, x)


@pytest.mark.parametrize(("dy", "dx"), [(0, 0), (1, -1), (-2, 3)])
def test_window_with_lower_and_upper_bounds(random, dy, dx):
    x = floats(random, 11, 13)
    out = np.full_like(x, 9)
    text = host.launch(kernels.window_2d, (2, 2), out, x, 11, 13, 13, dy, dx, BM=8, BN=8)
    padded = np.pad(x, 3)
    np.testing.assert_array_equal(out, padded[3 + dy : 14 + dy, 3 + dx : 16 + dx])
    assert "tile.gather" not in text


def test_transpose(random):
    x = floats(random, 8, 16)
    out = np.zeros((16, 8), np.float32)
    host.launch(kernels.transpose, (1,), out, x, M=8, N=16)
    np.testing.assert_array_equal(out, x.T)


def test_broadcasts(random):
    x, y = floats(random, 8), floats(random, 8)
    out = np.zeros((8, 8), np.float32)
    host.launch(kernels.outer, (1,), out, x, y, BLOCK=8)
    np.testing.assert_array_equal(out, np.outer(x, y))


def test_while(random):
    x = np.abs(floats(random, 16)) * 100
    out = np.zeros_like(x)
    host.launch(kernels.halve_until_small, (1,), out, x, 1.5, BLOCK=16)
    steps = int(np.ceil(np.log2(x.max() / 1.5)))
    np.testing.assert_array_equal(out, x / np.float32(2**steps) + np.float32(steps))


def test_carried_pointers(random):
    x = floats(random, 64)
    out = np.zeros(8, np.float32)
    text = host.launch(kernels.pointer_walk, (1,), out, x, 5, 4, BLOCK=8)
    total, place = np.zeros(8, np.float32), 0
    for i in range(5):
        total += x[place : place + 8]
        total += x[place + 4 : place + 12]
        place += 4
        total = total * 2 if i % 2 else total
    close(out, total)
    assert "tile.gather" not in text and "xi64>" not in text


def test_carried_offsets(random):
    x = floats(random, 29)
    out = np.zeros(8, np.float32)
    text = host.launch(kernels.carried_offsets, (1,), out, x, 29, BLOCK=8)
    padded = np.pad(x, (0, 3)).reshape(4, 8).astype(np.float64)
    close(out, sum(row * np.arange(8) * 2**i for i, row in enumerate(padded)))
    assert "tile.gather" not in text


@pytest.mark.parametrize("n", [0, 1, 2, 7])
def test_carried_tensors_change_places(random, n):
    x = floats(random, 2, 8)
    out = np.zeros(8, np.float32)
    host.launch(kernels.swapping, (1,), out, x, n, BLOCK=8)
    a, b = x if n % 2 == 0 else x[::-1]
    np.testing.assert_array_equal(out, a - 2 * b)


def test_carried_tensors_move_on(random):
    x = random.integers(0, 5, (2, 8)).astype(np.float32)
    out = np.zeros(8, np.float32)
    host.launch(kernels.fibonacci, (1,), out, x, 5, BLOCK=8)
    np.testing.assert_array_equal(out, 5 * x[0] + 8 * x[1])


def test_atomic_histogram(random):
    x = random.integers(0, 10, 90).astype(np.int32)
    out = np.zeros(10, np.int32)
    host.launch(kernels.histogram_atomic, (3,), out, x, 90, BLOCK=32)
    np.testing.assert_array_equal(out, np.bincount(x, minlength=10))


def test_atomics(random):
    x = random.integers(-5, 5, 8).astype(np.float32)
    out, lock = np.zeros(17, np.float32), np.zeros(3, np.int32)
    out[1:9] = np.arange(8)
    host.launch(kernels.atomics, (1,), out, x, lock, BLOCK=8)
    np.testing.assert_array_equal(out, np.concatenate([[x.sum()], np.arange(8) + x, np.arange(8)]))
    np.testing.assert_array_equal(lock, [5, 1, 3])


def test_histogram(random):
    x = random.integers(0, 8, 64).astype(np.int32)
    out = np.zeros(8, np.int32)
    host.launch(kernels.histogram, (1,), out, x, BLOCK=64, BINS=8)
    np.testing.assert_array_equal(out, np.bincount(x, minlength=8))


@pytest.mark.parametrize("axis", [0, 1])
def test_gather_along_axis(random, axis):
    x = floats(random, 8, 4)
    indices = random.integers(0, x.shape[axis], (8, 4)).astype(np.int32)
    out = np.zeros_like(x)
    host.launch(kernels.take_along, (1,), out, x, indices, M=8, N=4, AXIS=axis)
    np.testing.assert_array_equal(out, np.take_along_axis(x, indices, axis))


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("reverse", [False, True])
def test_cumulative_sum(random, axis, reverse):
    x = random.integers(-5, 5, (8, 4)).astype(np.float32)
    out = np.zeros_like(x)
    host.launch(kernels.scans, (1,), out, x, M=8, N=4, AXIS=axis, REVERSE=reverse)
    expected = np.flip(np.cumsum(np.flip(x, axis), axis), axis) if reverse else np.cumsum(x, axis)
    np.testing.assert_array_equal(out, expected)


def test_cumulative_product(random):
    x = floats(random, 16)
    out = np.zeros_like(x)
    host.launch(kernels.scan_vector, (1,), out, x, BLOCK=16)
    close(out, np.cumprod(x, dtype=np.float64))


def test_shapes(random):
    x, y = random.integers(-9, 9, (2, 16)).astype(np.float32)
    out = np.zeros(100, np.float32)
    host.launch(kernels.shapes, (1,), out, x, y, BLOCK=16)
    np.testing.assert_array_equal(out[:16], 2 * x - 2 * y)
    np.testing.assert_array_equal(out[16:48], np.stack([x, y], -1).ravel())
    np.testing.assert_array_equal(out[48:80], np.concatenate([x, y]))
    np.testing.assert_array_equal(out[80:84], x.reshape(4, 4).sum(1))
    np.testing.assert_array_equal(out[84:100], x.reshape(4, 4).T.ravel())


def test_conversions(random):
    x = floats(random, 16) * 3
    x[0] = np.nan
    out = np.zeros((8, 16), np.float32)
    host.launch(kernels.conversions, (1,), out, x, BLOCK=16)
    np.testing.assert_array_equal(out[0], x.astype(np.float16).astype(np.float32))
    close(out[1], x, 2**-8)
    assert (out[1].view(np.uint32)[1:] & 0xFFFF == 0).all()
    np.testing.assert_array_equal(out[2][1:], np.trunc(x[1:]))
    np.testing.assert_array_equal(out[3], np.abs(x))
    np.testing.assert_array_equal(out[4][1:], np.clip(x[1:], -1, 1))
    close(out[5], np.sqrt(np.abs(x)))
    close(out[6], x / 3)
    np.testing.assert_array_equal(out[7][1:], np.where(x > 0, x, x * np.float32(0.1))[1:])


def test_high_products(random):
    x, y = random.integers(-(2**31), 2**31, (2, 16)).astype(np.int32)
    out = np.zeros_like(x)
    host.launch(kernels.high_products, (1,), out, x, y, BLOCK=16)
    product = x.view(np.uint32).astype(np.uint64) * y.view(np.uint32).astype(np.uint64)
    np.testing.assert_array_equal(out.view(np.uint32), (product >> 32).astype(np.uint32))


def test_batched_dot(random):
    x, y = floats(random, 2, 16, 16), floats(random, 2, 16, 16)
    out = np.zeros_like(x)
    host.launch(kernels.batched_dot, (1,), out, x, y, B=2, N=16)
    close(out, x.astype(np.float64) @ y.astype(np.float64), 1e-4)


def test_online_softmax(random):
    x = floats(random, 3, 50)
    out = np.zeros_like(x)
    host.launch(kernels.online_softmax, (3,), out, x, 50, BLOCK=16)
    exact = np.exp(x.astype(np.float64))
    close(out, exact / exact.sum(1, keepdims=True))


def test_early_return(random):
    x = floats(random, 20)
    out = np.zeros_like(x)
    host.launch(kernels.early_return, (4,), out, x, 20, BLOCK=8)
    np.testing.assert_array_equal(out, x + 1)


def test_call_of_function_that_is_not_inlined(random):
    x = floats(random, 8)
    out = np.zeros_like(x)
    text = host.launch(kernels.with_call, (8,), out, x)
    close(out, x * x + 3 + np.arange(8))
    assert "call @" not in text


@pytest.mark.parametrize("flag", [0, 1])
def test_pointers_that_are_chosen(random, flag):
    x, y = floats(random, 16), floats(random, 16)
    out = np.zeros(16, np.float32)
    host.launch(kernels.chosen_pointer, (1,), out, x, y, flag, BLOCK=8)
    np.testing.assert_array_equal(out[:8], x[:8] if flag else y[::2])
    np.testing.assert_array_equal(out[8:], np.where(np.arange(8) % 2 == 0, x[:8], y[:8]))


def test_masked_scalars(random):
    x = floats(random, 3)
    out = np.zeros(3, np.float32)
    host.launch(kernels.masked_scalars, (5,), out, x, 3)
    np.testing.assert_array_equal(out, x * 2)


def test_addresses_in_memory(random):
    x = floats(random, 2, 5)
    out = np.zeros_like(x)
    addresses = np.array([x[1].ctypes.data, x[0].ctypes.data], np.int64)
    host.launch(kernels.pointers_to_pointers, (2,), out, addresses, 5, BLOCK=8)
    np.testing.assert_array_equal(out, x[::-1])


def test_wide_offsets(random):
    x = floats(random, 3, 8)
    out = np.zeros_like(x)
    text = host.launch(kernels.wide_offsets, (3,), out, x, 8, 3, BLOCK=8)
    np.testing.assert_array_equal(out, x * 2)
    assert "tile.gather" not in text


def test_small_integers(random):
    x = random.integers(-128, 128, 64).astype(np.int8)
    y = random.integers(1, 128, 64).astype(np.int8)
    out = np.zeros_like(x)
    host.launch(kernels.small_integers, (1,), out, x, y, BLOCK=64)
    quotient = np.trunc(x.astype(float) / y).astype(np.int64)
    wide = x.astype(np.int64), y.astype(np.int64)
    expected = wide[0] * wide[1] + quotient + (wide[0] - quotient * wide[1]) + (wide[0] >> 1)
    np.testing.assert_array_equal(out, expected.astype(np.int8))
