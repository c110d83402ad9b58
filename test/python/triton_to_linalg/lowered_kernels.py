"""Kernels that use Triton in many ways; test_lowered_kernels.py says what each computes."""

import triton
import triton.language as tl


@triton.jit
def vector_add(out, x, y, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    total = tl.load(x + offsets, mask=mask) + tl.load(y + offsets, mask=mask)
    tl.store(out + offsets, total, mask=mask)


@triton.jit
def softmax(out, x, stride, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    values = tl.load(x + row * stride + columns, mask=columns < n, other=-float("inf"))
    values = tl.exp(values - tl.max(values, 0))
    tl.store(out + row * stride + columns, values / tl.sum(values, 0), mask=columns < n)


@triton.jit
def layer_norm(out, x, weight, bias, n, eps, BLOCK: tl.constexpr):
    x += tl.program_id(0) * n
    out += tl.program_id(0) * n
    total = tl.zeros([BLOCK], tl.float32)
    for start in range(0, n, BLOCK):
        columns = start + tl.arange(0, BLOCK)
        total += tl.load(x + columns, mask=columns < n, other=0.0)
    mean = tl.sum(total, 0) / n
    squares = tl.zeros([BLOCK], tl.float32)
    for start in range(0, n, BLOCK):
        columns = start + tl.arange(0, BLOCK)
        centred = tl.load(x + columns, mask=columns < n, other=0.0) - mean
        squares += tl.where(columns < n, centred * centred, 0.0)
    scale = 1 / tl.sqrt(tl.sum(squares, 0) / n + eps)
    for start in range(0, n, BLOCK):
        columns = start + tl.arange(0, BLOCK)
        inside = columns < n
        values = (tl.load(x + columns, mask=inside) - mean) * scale
        values = values * tl.load(weight + columns, mask=inside) + tl.load(
            bias + columns, mask=inside
        )
        tl.store(out + columns, values, mask=inside)


@triton.jit
def gelu(out, x, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    values = tl.load(x + offsets, mask=offsets < n)
    tl.store(out + offsets, 0.5 * values * (1 + tl.erf(values * 0.70710678)), mask=offsets < n)


@triton.jit
def gemm(
    c, a, b, M, N, K, stride_am, stride_ak, stride_bk, stride_bn,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, MODULO: tl.constexpr,
):  # fmt: skip
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    depth = tl.arange(0, BK)
    a_rows = rows % M if MODULO else rows
    a_tile = a + a_rows[:, None] * stride_am + depth[None, :] * stride_ak
    b_tile = b + depth[:, None] * stride_bk + columns[None, :] * stride_bn
    total = tl.zeros((BM, BN), tl.float32)
    for k in range(0, tl.cdiv(K, BK)):
        left = K - k * BK
        a_mask = (a_rows[:, None] < M) & (depth[None, :] < left)
        x = tl.load(a_tile, mask=a_mask, other=0.0)
        y = tl.load(b_tile, mask=(depth[:, None] < left) & (columns[None, :] < N), other=0.0)
        total = tl.dot(x, y, total)
        a_tile += BK * stride_ak
        b_tile += BK * stride_bk
    inside = (rows[:, None] < M) & (columns[None, :] < N)
    tl.store(c + rows[:, None] * N + columns[None, :], total, mask=inside)


@triton.jit
def reduce_axis(out, x, AXIS: tl.constexpr, KIND: tl.constexpr, M: tl.constexpr, N: tl.constexpr):
    values = tl.load(x + tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :])
    if KIND == "sum":
        result = tl.sum(values, AXIS)
    elif KIND == "max":
        result = tl.max(values, AXIS)
    elif KIND == "min":
        result = tl.min(values, AXIS)
    elif KIND == "xor":
        result = tl.xor_sum(values, AXIS)
    elif KIND == "argmax":
        result = tl.argmax(values, AXIS)
    else:
        result = tl.argmin(values, AXIS)
    tl.store(out + tl.arange(0, N if AXIS == 0 else M), result)


@triton.jit
def combine_welford(mean_a, m2_a, count_a, mean_b, m2_b, count_b):
    count = count_a + count_b
    delta = mean_b - mean_a
    mean = mean_a + delta * count_b / count
    return mean, m2_a + m2_b + delta * delta * count_a * count_b / count, count


@triton.jit
def welford(out, x, BLOCK: tl.constexpr):
    values = tl.load(x + tl.arange(0, BLOCK))
    ones = tl.full([BLOCK], 1.0, tl.float32)
    mean, m2, count = tl.reduce((values, tl.zeros_like(values), ones), 0, combine_welford)
    tl.store(out, mean)
    tl.store(out + 1, m2 / count)


@triton.jit
def gather_rows(out, table, indices, n, width, BLOCK: tl.constexpr, WIDTH: tl.constexpr):
    rows = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    columns = tl.arange(0, WIDTH)
    index = tl.load(indices + rows, mask=rows < n, other=0)
    mask = (rows[:, None] < n) & (columns[None, :] < width)
    values = tl.load(table + index[:, None] * width + columns[None, :], mask=mask, other=0.0)
    tl.store(out + rows[:, None] * width + columns[None, :], values, mask=mask)


@triton.jit
def scatter_elements(out, indices, values, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    index = tl.load(indices + offsets, mask=offsets < n, other=0)
    value = tl.load(values + offsets, mask=offsets < n, other=0.0)
    tl.store(out + index, value, mask=(offsets < n) & (value > 0))


@triton.jit
def reverse(out, x, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    values = tl.load(x + (n - 1 - offsets), mask=n - 1 - offsets >= 0, other=0.0)
    tl.store(out + offsets, values, mask=offsets < n)


@triton.jit
def every_other(out, x, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    values = tl.load(x + 2 * offsets, mask=2 * offsets < n, other=-1.0)
    tl.store(out + offsets, values)


@triton.jit
def odd_masks(out, x, n, low, high, flag, BLOCK: tl.constexpr, KIND: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    if KIND == "window":
        mask = (offsets >= low) & (offsets <= high) & (offsets < n)
    elif KIND == "outside":
        mask = (offsets < low) | (offsets > high)
    elif KIND == "one":
        mask = offsets == low
    elif KIND == "not":
        mask = offsets != low
    elif KIND == "uniform":
        mask = (offsets < n) & (flag > 0)
    elif KIND == "reversed":
        mask = high - offsets > low
    elif KIND == "modulo":
        mask = offsets % 3 == 0
    elif KIND == "parity":
        mask = (offsets & 1) == 0
    elif KIND == "unsigned":
        mask = (offsets - 5).to(tl.uint32) < 4
    else:
        mask = offsets * 3 < n
    values = tl.load(x + offsets, mask=mask, other=7.0)
    tl.store(out + offsets, values)


@triton.jit
def modulo_and_quotient(out, x, n, rows, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    values = tl.load(x + (offsets // n) * n + (offsets % n) * 1, mask=offsets < n * rows)
    tl.store(out + offsets, values, mask=offsets < n * rows)


@triton.jit
def window_2d(out, x, M, N, stride, dy, dx, BM: tl.constexpr, BN: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    y = rows[:, None] + dy
    x_column = columns[None, :] + dx
    mask = (y >= 0) & (y < M) & (x_column >= 0) & (x_column < N)
    values = tl.load(x + y * stride + x_column, mask=mask, other=0.0)
    inside = (rows[:, None] < M) & (columns[None, :] < N)
    tl.store(out + rows[:, None] * N + columns[None, :], values, mask=inside)


@triton.jit
def transpose(out, x, M: tl.constexpr, N: tl.constexpr):
    rows, columns = tl.arange(0, M), tl.arange(0, N)
    values = tl.load(x + rows[:, None] * N + columns[None, :])
    tl.store(out + columns[:, None] * M + rows[None, :], tl.trans(values))


@triton.jit
def outer(out, x, y, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    product = tl.load(x + offsets)[:, None] * tl.load(y + offsets)[None, :]
    tl.store(out + offsets[:, None] * BLOCK + offsets[None, :], product)


@triton.jit
def halve_until_small(out, x, limit, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    values = tl.load(x + offsets)
    steps = 0
    while tl.max(values, 0) > limit:
        values = values * 0.5
        steps += 1
    tl.store(out + offsets, values + steps)


@triton.jit
def pointer_walk(out, x, n, step, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    pointers = x + offsets
    total = tl.zeros([BLOCK], tl.float32)
    for i in range(n):
        for _ in range(2):
            total += tl.load(pointers)
            pointers += step
        pointers -= step
        if i % 2 == 1:
            total = total * 2
    tl.store(out + offsets, total)


@triton.jit
def carried_offsets(out, x, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    spread = tl.arange(0, BLOCK)
    total = tl.zeros([BLOCK], tl.float32)
    for _ in range(0, n, BLOCK):
        total += tl.load(x + offsets, mask=offsets < n, other=0.0) * spread
        offsets += BLOCK
        spread = spread * 2
    tl.store(out + tl.arange(0, BLOCK), total)


@triton.jit
def swapping(out, x, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    a = tl.load(x + offsets)
    b = tl.load(x + BLOCK + offsets)
    for _ in range(n):
        a, b = b, a
    tl.store(out + offsets, a - 2 * b)


@triton.jit
def fibonacci(out, x, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    a = tl.load(x + offsets)
    b = tl.load(x + BLOCK + offsets)
    for _ in range(n):
        a, b = b, a + b
    tl.store(out + offsets, b)


@triton.jit
def histogram_atomic(out, x, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    values = tl.load(x + offsets, mask=offsets < n, other=0)
    tl.atomic_add(out + values, 1, mask=offsets < n)


@triton.jit
def atomics(out, x, lock, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    values = tl.load(x + offsets)
    tl.atomic_add(out, tl.sum(values, 0))
    old = tl.atomic_add(out + 1 + offsets, values)
    tl.store(out + 1 + BLOCK + offsets, old)
    before = tl.atomic_cas(lock, 0, 1)
    after = tl.atomic_xchg(lock, 5)
    tl.store(lock + 1, before * 10 + after)
    tl.atomic_max(lock + 2, 3)


@triton.jit
def histogram(out, x, BLOCK: tl.constexpr, BINS: tl.constexpr):
    tl.store(out + tl.arange(0, BINS), tl.histogram(tl.load(x + tl.arange(0, BLOCK)), BINS))


@triton.jit
def take_along(out, x, indices, M: tl.constexpr, N: tl.constexpr, AXIS: tl.constexpr):
    places = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    tl.store(out + places, tl.gather(tl.load(x + places), tl.load(indices + places), AXIS))


@triton.jit
def scans(out, x, M: tl.constexpr, N: tl.constexpr, AXIS: tl.constexpr, REVERSE: tl.constexpr):
    places = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    tl.store(out + places, tl.cumsum(tl.load(x + places), AXIS, reverse=REVERSE))


@triton.jit
def scan_vector(out, x, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.store(out + offsets, tl.cumprod(tl.load(x + offsets), 0))


@triton.jit
def shapes(out, x, y, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    a, b = tl.load(x + offsets), tl.load(y + offsets)
    pairs = tl.join(a, b)
    left, right = tl.split(pairs * 2)
    tl.store(out + offsets, left - right)
    tl.store(out + BLOCK + tl.arange(0, 2 * BLOCK), tl.reshape(pairs, [2 * BLOCK]))
    both = tl.cat(a, b, can_reorder=True)
    tl.store(out + 3 * BLOCK + tl.arange(0, 2 * BLOCK), both)
    square = tl.reshape(a, [4, BLOCK // 4])
    tl.store(out + 5 * BLOCK + tl.arange(0, 4), tl.sum(square, 1))
    tl.store(out + 5 * BLOCK + 4 + offsets, tl.ravel(tl.trans(square)))


@triton.jit
def conversions(out, x, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    values = tl.load(x + offsets)
    tl.store(out + offsets, values.to(tl.float16).to(tl.float32))
    tl.store(out + BLOCK + offsets, values.to(tl.bfloat16).to(tl.float32))
    tl.store(out + 2 * BLOCK + offsets, values.to(tl.int32).to(tl.float32))
    bits = values.to(tl.int32, bitcast=True) & 0x7FFFFFFF
    tl.store(out + 3 * BLOCK + offsets, bits.to(tl.float32, bitcast=True))
    tl.store(out + 4 * BLOCK + offsets, tl.clamp(values, -1.0, 1.0))
    tl.store(out + 5 * BLOCK + offsets, tl.sqrt_rn(tl.abs(values)))
    tl.store(out + 6 * BLOCK + offsets, tl.div_rn(values, 3.0))
    tl.store(out + 7 * BLOCK + offsets, tl.where(values > 0, values, values * 0.1))


@triton.jit
def high_products(out, x, y, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    a = tl.load(x + offsets).to(tl.uint32, bitcast=True)
    b = tl.load(y + offsets).to(tl.uint32, bitcast=True)
    tl.store(out + offsets, tl.umulhi(a, b).to(tl.int32, bitcast=True))


@triton.jit
def batched_dot(out, x, y, B: tl.constexpr, N: tl.constexpr):
    batch = tl.arange(0, B)[:, None, None] * N * N
    places = batch + tl.arange(0, N)[None, :, None] * N + tl.arange(0, N)[None, None, :]
    tl.store(out + places, tl.dot(tl.load(x + places), tl.load(y + places)))


@triton.jit
def online_softmax(out, x, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    high = tl.full([1], -float("inf"), tl.float32)
    total = tl.zeros([1], tl.float32)
    columns = tl.arange(0, BLOCK)
    for start in range(0, n, BLOCK):
        inside = start + columns < n
        values = tl.load(x + row * n + start + columns, mask=inside, other=-float("inf"))
        peak = tl.maximum(high, tl.max(values, 0))
        total = total * tl.exp(high - peak) + tl.sum(tl.exp(values - peak), 0)
        high = peak
    for start in range(0, n, BLOCK):
        inside = start + columns < n
        values = tl.load(x + row * n + start + columns, mask=inside, other=0.0)
        tl.store(out + row * n + start + columns, tl.exp(values - high) / total, mask=inside)


@triton.jit
def early_return(out, x, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    if pid * BLOCK >= n:
        return
    offsets = pid * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + offsets, tl.load(x + offsets, mask=offsets < n) + 1, mask=offsets < n)


@triton.jit(noinline=True)
def square_plus(value, extra):
    return value * value + extra + tl.program_id(0)


@triton.jit
def with_call(out, x):
    pid = tl.program_id(0)
    tl.store(out + pid, square_plus(tl.load(x + pid), 3.0))


@triton.jit
def chosen_pointer(out, x, y, flag, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    if flag > 0:  # noqa: SIM108 (a branch is what is tested)
        pointers = x + offsets
    else:
        pointers = y + 2 * offsets
    tl.store(out + offsets, tl.load(pointers))
    mixed = tl.where(offsets % 2 == 0, x + offsets, y + offsets)
    tl.store(out + BLOCK + offsets, tl.load(mixed))


@triton.jit
def masked_scalars(out, x, n):
    pid = tl.program_id(0)
    value = tl.load(x + pid, mask=pid < n, other=5.0)
    tl.store(out + pid, value * 2, mask=pid < n)


@triton.jit
def pointers_to_pointers(out, addresses, n, BLOCK: tl.constexpr):
    row = tl.load(addresses + tl.program_id(0)).to(tl.pointer_type(tl.float32))
    offsets = tl.arange(0, BLOCK)
    values = tl.load(row + offsets, mask=offsets < n, other=0.0)
    tl.store(out + tl.program_id(0) * n + offsets, values, mask=offsets < n)


@triton.jit
def wide_offsets(out, x, stride, rows, BLOCK: tl.constexpr):
    offsets = tl.program_id(0).to(tl.int64) * stride + tl.arange(0, BLOCK)
    tl.store(out + offsets, tl.load(x + offsets) * 2)


@triton.jit
def small_integers(out, x, y, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    a, b = tl.load(x + offsets), tl.load(y + offsets)
    tl.store(out + offsets, a * b + (a // b) + (a % b) + (a >> 1))
