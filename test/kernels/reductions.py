"""Reductions and scans: one and several operands, own combiners, sorting, histograms."""

import torch
import triton
import triton.language as tl


@triton.jit
def softmax(x_ptr, out_ptr, stride, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * stride + columns, mask=columns < n, other=-float("inf"))
    numerator = tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * stride + columns, numerator / tl.sum(numerator, 0), mask=columns < n)


@triton.jit
def welford(mean_a, m2_a, count_a, mean_b, m2_b, count_b):
    count = count_a + count_b
    delta = mean_b - mean_a
    share = tl.where(count == 0, 0.0, count_b / count)
    return mean_a + delta * share, m2_a + m2_b + delta * delta * count_a * share, count


@triton.jit
def layer_norm(x_ptr, out_ptr, w_ptr, n, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n
    x = tl.load(x_ptr + row * n + columns, mask=mask, other=0.0).to(tl.float32)
    count = mask.to(tl.float32)
    mean, m2, total = tl.reduce((x, tl.zeros_like(x), count), 0, welford)
    y = (x - mean) * tl.rsqrt(m2 / total + eps)
    tl.store(out_ptr + row * n + columns, y * tl.load(w_ptr + columns, mask=mask), mask=mask)


@triton.jit
def looped_sum(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, n, BLOCK):
        columns = start + tl.arange(0, BLOCK)
        total += tl.load(x_ptr + row * n + columns, mask=columns < n, other=0.0)
    tl.store(out_ptr + row, tl.sum(total))


@triton.jit
def row_and_column(x_ptr, rows_ptr, columns_ptr, M: tl.constexpr, N: tl.constexpr):
    m = tl.arange(0, M)
    n = tl.arange(0, N)
    x = tl.load(x_ptr + m[:, None] * N + n[None, :])
    tl.store(rows_ptr + m, tl.argmax(x, axis=1))
    tl.store(columns_ptr + n, tl.min(x, axis=0))


@triton.jit
def prefix_sum(x_ptr, out_ptr, M: tl.constexpr, N: tl.constexpr):
    offsets = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    tl.store(out_ptr + offsets, tl.cumsum(tl.load(x_ptr + offsets), axis=1, reverse=True))


@triton.jit
def first_order(a_left, b_left, a_right, b_right):
    return a_left * a_right, b_left * a_right + b_right


@triton.jit
def linear_recurrence(a_ptr, b_ptr, out_ptr, N: tl.constexpr):
    offsets = tl.arange(0, N)
    pair = (tl.load(a_ptr + offsets), tl.load(b_ptr + offsets))
    _, states = tl.associative_scan(pair, 0, first_order)
    tl.store(out_ptr + offsets, states)


@triton.jit
def top_of_sorted(x_ptr, out_ptr, N: tl.constexpr, K: tl.constexpr):
    offsets = tl.arange(0, N)
    ordered = tl.sort(tl.load(x_ptr + offsets), descending=True)
    tl.store(out_ptr + offsets, ordered, mask=offsets < K)


@triton.jit
def histogram(x_ptr, out_ptr, N: tl.constexpr, BINS: tl.constexpr):
    counts = tl.histogram(tl.load(x_ptr + tl.arange(0, N)), BINS)
    tl.store(out_ptr + tl.arange(0, BINS), counts)


def kevolve_example_reductions():
    x = torch.ones(64, 1000)
    softmax[(64,)](x, x, 1000, 1000, BLOCK=1024)
    layer_norm[(64,)](x.half(), x, x, 1000, 1e-5, BLOCK=1024, num_warps=8)
    looped_sum[(64,)](x, x, 1000, BLOCK=256)
    row_and_column[(1,)](x, x.int(), x, M=32, N=64)


def kevolve_example_scans():
    x = torch.ones(4096)
    prefix_sum[(1,)](x, x, M=16, N=64)
    linear_recurrence[(1,)](x, x, x, N=256)
    top_of_sorted[(1,)](x, x, N=128, K=8)
    histogram[(1,)](x.int(), x.int(), N=512, BINS=64)
