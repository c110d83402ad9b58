"""Matrix products: software-pipelined loops, many element types, persistent and batched forms."""

import torch
import triton
import triton.language as tl


@triton.jit
def matmul(
    a_ptr, b_ptr, c_ptr, M, N, K, stride_a, stride_b, stride_c,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr,
):  # fmt: skip
    program = tl.program_id(0)
    rows, columns = tl.cdiv(M, BM), tl.cdiv(N, BN)
    group = program // (GROUP * columns)
    size = min(rows - group * GROUP, GROUP)
    m = group * GROUP + (program % (GROUP * columns)) % size
    n = (program % (GROUP * columns)) // size
    rm = (m * BM + tl.arange(0, BM)) % M
    rn = (n * BN + tl.arange(0, BN)) % N
    rk = tl.arange(0, BK)
    a = a_ptr + rm[:, None] * stride_a + rk[None, :]
    b = b_ptr + rk[:, None] * stride_b + rn[None, :]
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BK)):
        x = tl.load(a, mask=rk[None, :] < K - k * BK, other=0.0)
        y = tl.load(b, mask=rk[:, None] < K - k * BK, other=0.0)
        total = tl.dot(x, y, total)
        a += BK
        b += BK * stride_b
    rm = m * BM + tl.arange(0, BM)
    rn = n * BN + tl.arange(0, BN)
    c = c_ptr + rm[:, None] * stride_c + rn[None, :]
    tl.store(c, total.to(c_ptr.dtype.element_ty), mask=(rm[:, None] < M) & (rn[None, :] < N))


@triton.jit
def integer_matmul(a_ptr, b_ptr, c_ptr, K, BLOCK: tl.constexpr):
    r = tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK, BLOCK), tl.int32)
    for k in range(0, K, BLOCK):
        a = tl.load(a_ptr + r[:, None] * K + (k + r)[None, :])
        b = tl.load(b_ptr + (k + r)[:, None] * BLOCK + r[None, :])
        total += tl.dot(a, b)
    tl.store(c_ptr + r[:, None] * BLOCK + r[None, :], total)


@triton.jit
def batched_dot(a_ptr, b_ptr, c_ptr, B: tl.constexpr, N: tl.constexpr):
    i = tl.arange(0, B)[:, None, None] * N * N
    square = tl.arange(0, N)[None, :, None] * N + tl.arange(0, N)[None, None, :]
    a = tl.load(a_ptr + i + square)
    b = tl.load(b_ptr + i + square)
    tl.store(c_ptr + i + square, tl.dot(a, b))


@triton.jit
def persistent_matmul(
    a_ptr, b_ptr, c_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
    PROGRAMS: tl.constexpr,
):  # fmt: skip
    columns = tl.cdiv(N, BN)
    for tile in tl.range(tl.program_id(0), tl.cdiv(M, BM) * columns, PROGRAMS):
        rm = tile // columns * BM + tl.arange(0, BM)
        rn = tile % columns * BN + tl.arange(0, BN)
        rk = tl.arange(0, BK)
        total = tl.zeros((BM, BN), dtype=tl.float32)
        for k in tl.range(0, K, BK, num_stages=3):
            a = tl.load(a_ptr + rm[:, None] * K + (k + rk)[None, :])
            b = tl.load(b_ptr + (k + rk)[:, None] * N + rn[None, :])
            total = tl.dot(a, b, total)
        tl.store(c_ptr + rm[:, None] * N + rn[None, :], total.to(tl.float16))


@triton.jit
def fused_epilogue(a_ptr, b_ptr, bias_ptr, c_ptr, K, BLOCK: tl.constexpr):
    r = tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK, BLOCK), tl.float32)
    for k in range(0, K, BLOCK):
        a = tl.load(a_ptr + r[:, None] * K + (k + r)[None, :])
        b = tl.load(b_ptr + r[:, None] * K + (k + r)[None, :])
        total = tl.dot(a, tl.trans(b), total, input_precision="ieee")
    total = tl.maximum(total + tl.load(bias_ptr + r)[None, :], 0)
    tl.store(c_ptr + r[:, None] * BLOCK + r[None, :], total)


@triton.jit
def warp_specialised_matmul(
    a_ptr, b_ptr, c_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr
):
    a = tl.make_tensor_descriptor(a_ptr, shape=[M, K], strides=[K, 1], block_shape=[BM, BK])
    b = tl.make_tensor_descriptor(b_ptr, shape=[N, K], strides=[K, 1], block_shape=[BN, BK])
    c = tl.make_tensor_descriptor(c_ptr, shape=[M, N], strides=[N, 1], block_shape=[BM, BN])
    columns = tl.cdiv(N, BN)
    tiles = tl.cdiv(M, BM) * columns
    for tile in tl.range(
        tl.program_id(0), tiles, tl.num_programs(0), flatten=True, warp_specialize=True
    ):
        m, n = tile // columns * BM, tile % columns * BN
        total = tl.zeros((BM, BN), dtype=tl.float32)
        for k in range(0, K, BK):
            total = tl.dot(a.load([m, k]), b.load([n, k]).T, total)
        c.store([m, n], total.to(tl.float16))


@triton.jit
def scaled_dot(a_ptr, a_scale_ptr, b_ptr, b_scale_ptr, c_ptr, N: tl.constexpr, K: tl.constexpr):
    n, k, s = tl.arange(0, N), tl.arange(0, K), tl.arange(0, K // 32)
    a = tl.load(a_ptr + n[:, None] * K + k[None, :])
    b = tl.load(b_ptr + k[:, None] * N + n[None, :])
    a_scale = tl.load(a_scale_ptr + n[:, None] * (K // 32) + s[None, :])
    b_scale = tl.load(b_scale_ptr + n[:, None] * (K // 32) + s[None, :])
    c = tl.dot_scaled(a, a_scale, "e5m2", b, b_scale, "e5m2")
    tl.store(c_ptr + n[:, None] * N + n[None, :], c)


def kevolve_example_tiled():
    half = torch.ones(256, 256, dtype=torch.float16)
    tiles = {"BM": 128, "BN": 128, "BK": 64, "GROUP": 8}
    arguments = (256, 256, 256, 256, 256, 256)
    matmul[(4,)](half, half, half, *arguments, **tiles, num_warps=8, num_stages=3)
    single = half.float()
    tiles = {"BM": 64, "BN": 64, "BK": 32, "GROUP": 4}
    matmul[(16,)](single, single, single, *arguments, **tiles, num_stages=4)


def kevolve_example_forms():
    half = torch.ones(256, 256, dtype=torch.float16)
    byte = torch.ones(256, 256, dtype=torch.int8)
    integer_matmul[(1,)](byte, byte, byte.int(), 256, BLOCK=64)
    batched_dot[(1,)](half, half, half.float(), B=4, N=32)
    persistent_matmul[(4,)](half, half, half, 256, 256, 256, BM=64, BN=128, BK=64, PROGRAMS=4)
    fused_epilogue[(1,)](half, half, half.float(), half.float(), 256, BLOCK=32)


def kevolve_example_late_hardware():
    half = torch.ones(256, 256, dtype=torch.float16)
    tiles = {"BM": 128, "BN": 128, "BK": 64}
    warp_specialised_matmul[(2,)](half, half, half, 256, 256, 256, **tiles, num_warps=4)
    scale = torch.ones(128, 4, dtype=torch.uint8)
    low = torch.ones(128, 128, dtype=torch.float8_e5m2)
    scaled_dot[(1,)](low, scale, low, scale, half.float(), N=128, K=128)
