"""The DPE against numpy: float64 bounds, exact sums where they are exact, int8."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from launching import kernel

FP16, BF16, INT8 = 0, 1, 2
ACCUMULATE, TRANSPOSE_A, TRANSPOSE_B = 0x10, 0x20, 0x40

SHAPES = [(1, 1, 1), (32, 32, 32), (5, 37, 19), (64, 96, 128), (33, 1, 200), (128, 128, 64)]


def to_bf16(values):
    """float32 values cut to bfloat16, as their bits."""
    return (values.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)


def from_bf16(bits):
    return (bits.astype(np.uint32) << 16).view(np.float32)


def stored(matrix, transposed):
    return np.ascontiguousarray(matrix.T if transposed else matrix)


def run(launch, a, b, c, flags):
    """C after one command; a and b are M x K and K x N."""
    left = stored(a, flags & TRANSPOSE_A)
    right = stored(b, flags & TRANSPOSE_B)
    result = c.copy()
    (m, k), n = a.shape, b.shape[1]
    launch(kernel("matmul"), result, left, right, m, n, k, flags, a.itemsize, num_pes=1)
    return result


def sequential(a, b, c):
    """fp32 sums of exact products in increasing k, as the contract says."""
    total = c.astype(np.float32)
    for k in range(a.shape[1]):
        product = a[:, k : k + 1].astype(np.float64) * b[k : k + 1, :].astype(np.float64)
        total = (total.astype(np.float64) + product).astype(np.float32)
    return total


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize(
    "flags",
    [sum(s) for s in itertools.product((0, ACCUMULATE), (0, TRANSPOSE_A), (0, TRANSPOSE_B))],
)
def test_fp16_is_near_float64(launch, shape, flags):
    m, n, k = shape
    rng = np.random.default_rng(3)
    a = rng.standard_normal((m, k)).astype(np.float16)
    b = rng.standard_normal((k, n)).astype(np.float16)
    c = rng.standard_normal((m, n)).astype(np.float32)
    got = run(launch, a, b, c, FP16 | flags)
    exact = a.astype(np.float64) @ b.astype(np.float64)
    if flags & ACCUMULATE:
        exact += c
    # k roundings, each of half an ulp of a sum no larger than that of magnitudes.
    bound = k * 2.0**-24 * (np.abs(a.astype(np.float64)) @ np.abs(b.astype(np.float64)) + np.abs(c))
    assert (np.abs(got - exact) <= bound + 1e-7).all()


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("accumulate", [0, ACCUMULATE])
def test_bf16_sums_in_order(launch, shape, accumulate):
    m, n, k = shape
    rng = np.random.default_rng(4)
    a = to_bf16(rng.standard_normal((m, k)))
    b = to_bf16(rng.standard_normal((k, n)))
    c = rng.standard_normal((m, n)).astype(np.float32)
    got = run(launch, a, b, c, BF16 | accumulate)
    start = c if accumulate else np.zeros_like(c)
    # Double rounding (float64, then float32) may differ from one rounding by an ulp, rarely.
    expected = sequential(from_bf16(a), from_bf16(b), start)
    np.testing.assert_allclose(got, expected, rtol=0, atol=1e-6 * k)


def test_fp16_extremes_keep_products_exact(launch):
    """The largest and smallest FP16 values: nothing overflows or is lost in a product."""
    a = np.array([[65504.0, 2.0**-24, np.inf, 1.0]], dtype=np.float16)
    b = np.array([[65504.0], [2.0**-24], [0.0], [1.0]], dtype=np.float16)
    got = run(launch, a[:, :2], b[:2], np.zeros((1, 1), np.float32), FP16)
    assert got[0, 0] == np.float32(65504.0**2 + 2.0**-48)
    got = run(launch, a[:, 1:2], b[1:2], np.zeros((1, 1), np.float32), FP16)
    assert got[0, 0] == np.float32(2.0**-48)
    assert np.isnan(run(launch, a, b, np.zeros((1, 1), np.float32), FP16)[0, 0])


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("flags", [0, ACCUMULATE, TRANSPOSE_A, TRANSPOSE_B])
def test_int8_is_exact(launch, shape, flags):
    m, n, k = shape
    rng = np.random.default_rng(5)
    a = rng.integers(-128, 128, (m, k), dtype=np.int8)
    b = rng.integers(-128, 128, (k, n), dtype=np.int8)
    c = rng.integers(-1000, 1000, (m, n), dtype=np.int32)
    got = run(launch, a, b, c, INT8 | flags)
    expected = a.astype(np.int32) @ b.astype(np.int32)
    assert (got == expected + (c if flags & ACCUMULATE else 0)).all()


def test_gemm_on_all_pes(launch):
    rng = np.random.default_rng(6)
    a = rng.standard_normal((512, 256)).astype(np.float16)
    b = rng.standard_normal((256, 384)).astype(np.float16)
    c = np.zeros((512, 384), np.float32)
    launch(kernel("gemm"), c, a, b, 512, 384, 256)
    np.testing.assert_allclose(c, a.astype(np.float64) @ b.astype(np.float64), atol=1e-3)
