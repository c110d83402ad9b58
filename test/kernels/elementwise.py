"""Element-wise kernels: casts, maths library calls, inline assembly, bit operations."""

import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def add(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    y = tl.load(y_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x + y, mask=mask)


@triton.jit
def gelu(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n, other=0.0).to(tl.float32)
    y = 0.5 * x * (1 + tl.erf(x * 0.7071067811865476))
    tl.store(out_ptr + offsets, y.to(tl.float16), mask=offsets < n)


@triton.jit
def library_calls(x_ptr, out_ptr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets)
    tl.store(out_ptr + offsets, libdevice.asin(x) + tl.exp2(tl.log2(tl.abs(x) + 1)) * tl.rsqrt(x))


@triton.jit
def casts(x_ptr, out_ptr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets)
    low = x.to(tl.float8e5).to(tl.float32)
    bits = x.to(tl.int32, bitcast=True)
    tl.store(out_ptr + offsets, low + ((bits >> 3) & 0xFF).to(tl.float32) + x.to(tl.bfloat16))


@triton.jit
def integer_maths(x_ptr, y_ptr, out_ptr, n: tl.int64, BLOCK: tl.constexpr):
    offsets = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n, other=1)
    y = tl.load(y_ptr + offsets, mask=offsets < n, other=1)
    high = tl.umulhi(x.to(tl.uint32), y.to(tl.uint32)).to(tl.int32)
    tl.store(out_ptr + offsets, tl.where(x % y > 2, x // y, high), mask=offsets < n)


@triton.jit
def shared_exponent(x_ptr, out_ptr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets)
    bits = tl.inline_asm_elementwise(
        "not.b32 $0, $1; // {}", "=r,r", [x], dtype=tl.int32, is_pure=True, pack=1
    )
    tl.store(out_ptr + offsets, bits)


@triton.jit
def random_dropout(x_ptr, out_ptr, seed, p, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    keep = tl.rand(seed, offsets) > p
    tl.store(out_ptr + offsets, tl.where(keep, tl.load(x_ptr + offsets) / (1 - p), 0.0))


def kevolve_example_floats():
    x = torch.ones(1000)
    add[(1,)](x, x, x, 1000, BLOCK=1024)
    gelu[(1,)](x, x.half(), 1000, BLOCK=1024, num_warps=8)
    library_calls[(1,)](x, x, BLOCK=256)
    casts[(1,)](x, x, BLOCK=512)
    random_dropout[(1,)](x, x, 17, 0.5, BLOCK=512)


def kevolve_example_integers():
    x = torch.ones(1000, dtype=torch.int32)
    integer_maths[(4,)](x, x, x, 1000, BLOCK=256)
    shared_exponent[(1,)](x, x, BLOCK=256)
