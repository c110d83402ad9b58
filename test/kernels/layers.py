"""Layers of neural networks: losses, embeddings, quantisation, convolution, recurrences."""

import torch
import triton
import triton.language as tl


@triton.jit
def cross_entropy(logits_ptr, label_ptr, loss_ptr, classes, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    label = tl.load(label_ptr + row)
    peak = -float("inf")
    total = 0.0
    for start in range(0, classes, BLOCK):
        columns = start + tl.arange(0, BLOCK)
        x = tl.load(
            logits_ptr + row * classes + columns, mask=columns < classes, other=-float("inf")
        )
        higher = tl.maximum(peak, tl.max(x))
        total = total * tl.exp(peak - higher) + tl.sum(tl.exp(x - higher))
        peak = higher
    chosen = tl.load(logits_ptr + row * classes + label)
    tl.store(loss_ptr + row, peak + tl.log(total) - chosen)


@triton.jit
def embedding_gradient(grad_ptr, index_ptr, out_ptr, width, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    target = tl.load(index_ptr + row)
    if target >= 0:
        columns = tl.arange(0, BLOCK)
        grad = tl.load(grad_ptr + row * width + columns, mask=columns < width)
        tl.atomic_add(out_ptr + target * width + columns, grad, mask=columns < width)


@triton.jit
def quantise_rows(x_ptr, out_ptr, scale_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + columns, mask=columns < n, other=0.0).to(tl.float32)
    scale = tl.maximum(tl.max(tl.abs(x)) / 127.0, 1e-8)
    tl.store(scale_ptr + row, scale)
    tl.store(out_ptr + row * n + columns, tl.floor(x / scale + 0.5).to(tl.int8), mask=columns < n)


@triton.jit
def rotary(x_ptr, cos_ptr, sin_ptr, HEADS: tl.constexpr, HALF: tl.constexpr):
    token = tl.program_id(0)
    pair = tl.arange(0, HALF)
    where = token * HEADS * 2 * HALF + tl.arange(0, HEADS)[:, None] * 2 * HALF + pair[None, :]
    cos = tl.load(cos_ptr + token * HALF + pair)[None, :]
    sin = tl.load(sin_ptr + token * HALF + pair)[None, :]
    left = tl.load(x_ptr + where)
    right = tl.load(x_ptr + where + HALF)
    tl.store(x_ptr + where, left * cos - right * sin)
    tl.store(x_ptr + where + HALF, right * cos + left * sin)


@triton.jit
def convolution(x_ptr, w_ptr, out_ptr, width, TAPS: tl.constexpr, BLOCK: tl.constexpr):
    channel = tl.program_id(1)
    columns = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), tl.float32)
    for tap in tl.static_range(TAPS):
        at = columns + tap - TAPS // 2
        x = tl.load(x_ptr + channel * width + at, mask=(at >= 0) & (at < width), other=0.0)
        total += x * tl.load(w_ptr + channel * TAPS + tap)
    tl.store(out_ptr + channel * width + columns, total * tl.sigmoid(total), mask=columns < width)


@triton.jit
def chunked_linear_attention(
    q_ptr, k_ptr, v_ptr, out_ptr, length, CHUNK: tl.constexpr, D: tl.constexpr
):
    d = tl.arange(0, D)
    state = tl.zeros((D, D), tl.float32)
    for start in range(0, length, CHUNK):
        rows = start + tl.arange(0, CHUNK)
        where = rows[:, None] * D + d[None, :]
        q, k, v = tl.load(q_ptr + where), tl.load(k_ptr + where), tl.load(v_ptr + where)
        score = tl.where(rows[:, None] >= rows[None, :], tl.dot(q, tl.trans(k)), 0.0)
        out = tl.dot(score.to(q.dtype), v) + tl.dot(q, state.to(q.dtype))
        state += tl.dot(tl.trans(k), v)
        tl.store(out_ptr + where, out)


def kevolve_example():
    x = torch.ones(32, 1000)
    cross_entropy[(32,)](x, x.long(), x, 1000, BLOCK=256)
    embedding_gradient[(32,)](x, x.int(), x, 1000, BLOCK=1024)
    quantise_rows[(32,)](x.half(), x.to(torch.int8), x, 1000, BLOCK=1024)
    rotary[(32,)](x, x, x, HEADS=8, HALF=32)
    convolution[(4, 8)](x, x, x, 1000, TAPS=5, BLOCK=256)
    half = torch.ones(256, 64, dtype=torch.float16)
    chunked_linear_attention[(1,)](half, half, half, half.float(), 256, CHUNK=64, D=64)
