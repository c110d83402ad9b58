"""Triton kernels as they are written for GPUs, that the tests of the backend run."""

import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    tl.store(out + at, tl.load(x + at, mask=mask) + tl.load(y + at, mask=mask), mask=mask)


@triton.jit
def idle(x):
    pass


@triton.jit
def masked_fill(x, out, low, high, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    inside = (at >= low) & (at < high)
    tl.store(out + at, tl.load(x + at, mask=inside, other=-1.0))


@triton.jit
def softmax(x, out, stride, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    mask = at < columns
    values = tl.load(x + row * stride + at, mask=mask, other=-float("inf"))
    exps = tl.exp(values - tl.max(values, axis=0))
    tl.store(out + row * stride + at, exps / tl.sum(exps, axis=0), mask=mask)


@triton.jit
def layer_norm(x, weight, bias, out, mean_out, stride, columns, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    mean = 0.0
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        total += tl.load(x + row * stride + at, mask=at < columns, other=0.0).to(tl.float32)
    mean = tl.sum(total, axis=0) / columns
    squares = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        values = tl.load(x + row * stride + at, mask=at < columns, other=0.0).to(tl.float32)
        centred = tl.where(at < columns, values - mean, 0.0)
        squares += centred * centred
    scale = 1 / tl.sqrt(tl.sum(squares, axis=0) / columns + eps)
    tl.store(mean_out + row, mean)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        mask = at < columns
        values = tl.load(x + row * stride + at, mask=mask, other=0.0).to(tl.float32)
        w = tl.load(weight + at, mask=mask)
        b = tl.load(bias + at, mask=mask)
        tl.store(out + row * stride + at, (values - mean) * scale * w + b, mask=mask)


@triton.jit
def gelu(x, out, n, ERF: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at, mask=at < n)
    if ERF:
        y = 0.5 * v * (1 + tl.erf(v * 0.7071067811865476))
    else:
        y = 0.5 * v * (1 + libdevice.tanh(0.7978845608028654 * (v + 0.044715 * v * v * v)))
    tl.store(out + at, y, mask=at < n)


@triton.jit
def reduce_2d(x, out, M: tl.constexpr, N: tl.constexpr, AXIS: tl.constexpr, OP: tl.constexpr):
    rows = tl.arange(0, M)
    columns = tl.arange(0, N)
    tile = tl.load(x + rows[:, None] * N + columns[None, :])
    if OP == "sum":
        result = tl.sum(tile, axis=AXIS)
    elif OP == "max":
        result = tl.max(tile, axis=AXIS)
    else:
        result = tl.min(tile, axis=AXIS)
    if AXIS == 0:
        tl.store(out + columns, result)
    else:
        tl.store(out + rows, result)


@triton.jit
def matmul(
    a, b, c, m, n, k, am, ak, bk, bn, cm, cn,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    depth = tl.arange(0, BK)
    a_at = a + rows[:, None] * am + depth[None, :] * ak
    b_at = b + depth[:, None] * bk + columns[None, :] * bn
    accumulator = tl.zeros((BM, BN), tl.float32)
    for start in range(0, k, BK):
        left = k - start
        a_tile = tl.load(a_at, mask=(rows[:, None] < m) & (depth[None, :] < left), other=0.0)
        b_tile = tl.load(b_at, mask=(depth[:, None] < left) & (columns[None, :] < n), other=0.0)
        accumulator += tl.dot(a_tile, b_tile)
        a_at += BK * ak
        b_at += BK * bk
    c_at = c + rows[:, None] * cm + columns[None, :] * cn
    tl.store(c_at, accumulator, mask=(rows[:, None] < m) & (columns[None, :] < n))


@triton.jit
def outer_add(x, y, out, m, n, BM: tl.constexpr, BN: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    left = tl.load(x + rows, mask=rows < m, other=0.0)
    right = tl.load(y + columns, mask=columns < n, other=0.0)
    mask = (rows[:, None] < m) & (columns[None, :] < n)
    tl.store(out + rows[:, None] * n + columns[None, :], left[:, None] + right[None, :], mask=mask)


@triton.jit
def integers(x, y, out, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    a = tl.load(x + at)
    b = tl.load(y + at)
    tl.store(out + at, a + b)
    tl.store(out + BLOCK + at, a * b)
    tl.store(out + 2 * BLOCK + at, a // b)
    tl.store(out + 3 * BLOCK + at, a % b)
    tl.store(out + 4 * BLOCK + at, a & b)
    tl.store(out + 5 * BLOCK + at, a | b)
    tl.store(out + 6 * BLOCK + at, a ^ b)
    tl.store(out + 7 * BLOCK + at, a << 2)
    tl.store(out + 8 * BLOCK + at, a >> 1)
    tl.store(out + 9 * BLOCK + at, tl.where(a < b, a, b))
    tl.store(out + 10 * BLOCK + at, tl.maximum(a, b))


@triton.jit
def extrema(x, y, low_out, high_out, chosen_out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    a = tl.load(x + at, mask=mask)
    b = tl.load(y + at, mask=mask)
    tl.store(low_out + at, tl.minimum(a, b), mask=mask)
    tl.store(high_out + at, tl.maximum(a, b), mask=mask)
    tl.store(chosen_out + at, tl.where(a > 0, a, b * 2), mask=mask)


@triton.jit
def scale_by_scalars(out, i, f, flag, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    value = at.to(tl.float32) * f + i
    tl.store(out + at, tl.where(flag, value, -value))


@triton.jit
def take(x, indices, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    chosen = tl.load(indices + at, mask=at < n, other=0)
    tl.store(out + at, tl.load(x + chosen, mask=at < n), mask=at < n)


@triton.jit
def put(x, indices, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    chosen = tl.load(indices + at, mask=at < n, other=0)
    tl.store(out + chosen, tl.load(x + at, mask=at < n), mask=at < n)


@triton.jit
def histogram(values, counts, total, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    bins = tl.load(values + at, mask=at < n, other=0)
    tl.atomic_add(counts + bins, 1, mask=at < n)
    tl.atomic_add(total, tl.sum((at < n).to(tl.int32), axis=0))


@triton.jit
def unsupported(x, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(x + at, tl.inline_asm_elementwise("mov.u32 $0, $1;", "=r,r", [at], tl.int32, True, 1))


@triton.jit
def too_big(x, out, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    values = tl.load(x + at)
    tl.store(out + at, values - tl.max(values, axis=0))
