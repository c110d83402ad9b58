"""Atomics from many PEs at once lose nothing."""

import pytest
import torch
import triton
import triton.language as tl


@triton.jit
def add_own_number(total, BLOCK: tl.constexpr):
    tl.atomic_add(total, tl.program_id(0) + 1.0)


@triton.jit
def add_vectors(x, total, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    values = tl.load(x + tl.program_id(0) * BLOCK + offsets)
    tl.atomic_add(total + offsets, values)


@triton.jit
def count(total, BLOCK: tl.constexpr):
    tl.atomic_add(total, 1)


@pytest.mark.parametrize("programs", [1, 5, 64, 300])
def test_float_additions_to_one_word(programs):
    total = torch.zeros(1)
    add_own_number[(programs,)](total, BLOCK=1)
    # 1 + 2 + .. + n is exact in float32 for these n.
    assert total.item() == programs * (programs + 1) / 2


def test_float_additions_to_a_vector():
    x = torch.randint(-8, 8, (96, 64)).float()
    total = torch.zeros(64)
    add_vectors[(96,)](x, total, BLOCK=64)
    assert torch.equal(total, x.sum(0))


def test_integer_additions():
    total = torch.zeros(1, dtype=torch.int32)
    count[(500,)](total, BLOCK=1)
    assert total.item() == 500
