"""Attention: two products in one pipelined loop with an online softmax, and its causal form."""

import torch
import triton
import triton.language as tl


@triton.jit
def attend(
    total, weight, peak, q, k_ptr, v_ptr, start, stop, rows, scale,
    CAUSAL: tl.constexpr, BN: tl.constexpr, D: tl.constexpr,
):  # fmt: skip
    d = tl.arange(0, D)
    for n in range(start, stop, BN):
        columns = n + tl.arange(0, BN)
        k = tl.load(k_ptr + d[:, None] + columns[None, :] * D)
        score = tl.dot(q, k) * scale
        if CAUSAL:
            score = tl.where(rows[:, None] >= columns[None, :], score, -1.0e6)
        higher = tl.maximum(peak, tl.max(score, 1))
        p = tl.exp2(score - higher[:, None])
        shrink = tl.exp2(peak - higher)
        weight = weight * shrink + tl.sum(p, 1)
        v = tl.load(v_ptr + columns[:, None] * D + d[None, :])
        total = tl.dot(p.to(tl.float16), v, total * shrink[:, None])
        peak = higher
    return total, weight, peak


@triton.jit
def attention(
    q_ptr, k_ptr, v_ptr, out_ptr, length, scale,
    CAUSAL: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr,
):  # fmt: skip
    first = tl.program_id(0) * BM
    head = tl.program_id(1) * length * D
    rows = first + tl.arange(0, BM)
    where = rows[:, None] * D + tl.arange(0, D)[None, :]
    q = tl.load(q_ptr + head + where)
    total = tl.zeros((BM, D), tl.float32)
    weight = tl.full((BM,), 1.0, tl.float32)
    peak = tl.full((BM,), -float("inf"), tl.float32)
    full = first if CAUSAL else length
    k, v = k_ptr + head, v_ptr + head
    total, weight, peak = attend(total, weight, peak, q, k, v, 0, full, rows, scale, False, BN, D)
    if CAUSAL:
        total, weight, peak = attend(
            total, weight, peak, q, k, v, first, first + BM, rows, scale, True, BN, D
        )
    tl.store(out_ptr + head + where, (total / weight[:, None]).to(tl.float16))


def kevolve_example():
    half = torch.ones(4, 512, 64, dtype=torch.float16)
    tiles = {"BM": 128, "BN": 64, "D": 64}
    attention[(4, 4)](half, half, half, half, 512, 0.18, CAUSAL=True, **tiles, num_warps=4)
    attention[(4, 4)](half, half, half, half, 512, 0.18, CAUSAL=False, **tiles, num_warps=8)
