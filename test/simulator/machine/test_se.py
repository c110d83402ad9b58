"""The SE against numpy's float64 functions, rounded once."""

from __future__ import annotations

import math

import numpy as np
import pytest
from launching import kernel

FP32, FP16, BF16 = 0, 1, 2

FUNCTIONS = {
    0: np.exp,
    1: np.exp2,
    2: np.log,
    3: np.log2,
    4: np.sin,
    5: np.cos,
    6: np.tanh,
    7: lambda x: 1 / (1 + np.exp(-x)),
    8: np.vectorize(math.erf),
    9: np.sqrt,
    10: lambda x: 1 / np.sqrt(x),
    11: lambda x: 1 / x,
}


def run(launch, function, type_code, source):
    target = np.zeros_like(source)
    launch(
        kernel("se"),
        source,
        target,
        *(source.size, source.itemsize, function, type_code),
        num_pes=1,
    )
    return target


def samples(function, dtype):
    rng = np.random.default_rng(7)
    x = (rng.standard_normal(5000) * 4).astype(dtype)
    positive_only = function in (2, 3, 9, 10)
    return np.abs(x) + dtype(0.001) if positive_only else x


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize(("type_code", "dtype"), [(FP32, np.float32), (FP16, np.float16)])
def test_result_is_rounded_once(launch, function, type_code, dtype):
    x = samples(function, dtype)
    got = run(launch, function, type_code, x)
    with np.errstate(all="ignore"):
        exact = FUNCTIONS[function](x.astype(np.float64))
        expected = exact.astype(dtype)
    # float64 functions of two libraries differ in the last bits: one ulp at ties.
    same = (got == expected) | (np.isnan(got) & np.isnan(expected))
    assert same.mean() > 0.999
    np.testing.assert_allclose(
        got[~same].astype(np.float64), exact[~same], rtol=float(np.finfo(dtype).eps)
    )


def test_bf16(launch):
    x = np.linspace(-8, 8, 4097).astype(np.float32)
    bits = (x.view(np.uint32) >> 16).astype(np.uint16)
    got = (run(launch, 0, BF16, bits).astype(np.uint32) << 16).view(np.float32)
    exact = np.exp((bits.astype(np.uint32) << 16).view(np.float32).astype(np.float64))
    assert (np.abs(got - exact) <= exact * 2.0**-8).all()


def test_special_values(launch):
    x = np.array([np.inf, -np.inf, np.nan, 0.0, -0.0, 1e-40], dtype=np.float32)
    assert np.array_equal(run(launch, 0, FP32, x)[:2], [np.inf, 0.0])
    assert np.isnan(run(launch, 0, FP32, x)[2])
    assert np.array_equal(run(launch, 11, FP32, x)[3:5], [np.inf, -np.inf])
    assert run(launch, 2, FP32, x)[3] == -np.inf
    assert run(launch, 7, FP32, np.float32([-1000.0, 1000.0])).tolist() == [0.0, 1.0]


def test_half_rounds_to_even_and_overflows(launch):
    # exp2 of these is exact, beyond the range, or subnormal.
    x = np.array([15.0, 16.0, -14.0, -24.0, -25.0, -26.0], dtype=np.float16)
    got = run(launch, 1, FP16, x)
    with np.errstate(over="ignore"):
        expected = np.exp2(x.astype(np.float64)).astype(np.float16)
    assert np.array_equal(got, expected)
