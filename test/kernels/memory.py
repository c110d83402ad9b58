"""Memory: atomics, locks, cache hints, gathers, transposes, joins."""

import torch
import triton
import triton.language as tl


@triton.jit
def atomics(x_ptr, out_ptr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets)
    tl.atomic_add(out_ptr + offsets, x, mask=offsets < BLOCK - 3, sem="relaxed")
    tl.atomic_max(out_ptr + offsets, x, scope="cta")
    tl.atomic_xchg(out_ptr + BLOCK, tl.sum(x))


@triton.jit
def locked_sum(x_ptr, out_ptr, lock_ptr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + tl.program_id(0) * BLOCK + offsets)
    while tl.atomic_cas(lock_ptr, 0, 1) == 1:
        pass
    tl.store(out_ptr + offsets, tl.load(out_ptr + offsets) + x)
    tl.debug_barrier()
    tl.atomic_xchg(lock_ptr, 0)


@triton.jit
def cache_hints(x_ptr, out_ptr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, eviction_policy="evict_last", cache_modifier=".cg")
    y = tl.load(x_ptr + BLOCK + tl.max_contiguous(offsets, 8), volatile=True)
    tl.store(out_ptr + offsets, x + y, cache_modifier=".wt", eviction_policy="evict_first")


@triton.jit
def indirect(x_ptr, index_ptr, out_ptr, N: tl.constexpr):
    offsets = tl.arange(0, N)
    index = tl.load(index_ptr + offsets)
    row = tl.load(x_ptr + offsets)
    tl.store(out_ptr + offsets, tl.load(x_ptr + index) + tl.gather(row, index, 0))


@triton.jit
def transpose(x_ptr, out_ptr, stride, BM: tl.constexpr, BN: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    tile = tl.load(x_ptr + m[:, None] * stride + n[None, :])
    tl.store(out_ptr + n[:, None] * stride + m[None, :], tl.trans(tile))


@triton.jit
def interleave(x_ptr, out_ptr, N: tl.constexpr):
    offsets = tl.arange(0, N)
    pairs = tl.reshape(tl.load(x_ptr + offsets), (N // 2, 2))
    even, odd = tl.split(pairs)
    cube = tl.permute(tl.reshape(tl.join(odd, even), (4, N // 8, 2)), (2, 0, 1))
    tl.store(out_ptr + offsets, tl.reshape(cube, (N,)))


def kevolve_example():
    x = torch.ones(8192)
    atomics[(1,)](x, x, BLOCK=256)
    locked_sum[(4,)](x, x, x.int(), BLOCK=256)
    cache_hints[(1,)](x, x, BLOCK=1024)
    indirect[(1,)](x, x.int(), x, N=128)
    transpose[(2, 2)](x, x, 64, BM=32, BN=32)
    interleave[(1,)](x, x, N=256)
