"""Control flow: while loops, conditions, nested loops, functions that are not inlined, asserts."""

import torch
import triton
import triton.language as tl


@triton.jit
def collatz(x_ptr, out_ptr):
    program = tl.program_id(0)
    value = tl.load(x_ptr + program)
    steps = 0
    while value != 1:
        if value % 2 == 0:  # noqa: SIM108
            value = value // 2
        else:
            value = 3 * value + 1
        steps += 1
    tl.store(out_ptr + program, steps)


@triton.jit(noinline=True)
def polynomial(x, degree):
    total = 0.0
    for power in range(degree):
        total = total * x + power
    return total


@triton.jit
def calls(x_ptr, out_ptr, degree, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    scale = polynomial(tl.load(x_ptr), degree) + polynomial(2.0, degree)
    tl.store(out_ptr + offsets, tl.load(x_ptr + offsets) * scale)


@triton.jit
def early_return(x_ptr, n, BLOCK: tl.constexpr):
    program = tl.program_id(0)
    if program * BLOCK >= n:
        return
    offsets = program * BLOCK + tl.arange(0, BLOCK)
    tl.store(x_ptr + offsets, tl.program_id(1) + tl.num_programs(0) + 0.0)


@triton.jit
def nested_loops(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), tl.float32)
    for i in range(n):
        partial = tl.zeros((BLOCK,), tl.float32)
        for j in range(i, n):
            partial += tl.load(x_ptr + (i * n + j) * BLOCK + offsets)
        total = tl.maximum(total, partial)
        for unrolled in tl.static_range(3):
            total += unrolled
    tl.store(out_ptr + offsets, total)


@triton.jit
def asserted(x_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets)
    tl.device_assert(x >= 0, "negative")
    tl.device_print("x", x)
    tl.store(x_ptr + offsets, x + 1)


def kevolve_example():
    x = torch.ones(4096)
    collatz[(4,)](x.int(), x.int())
    calls[(1,)](x, x, 5, BLOCK=128)
    early_return[(4, 2)](x, 500, BLOCK=128)
    nested_loops[(1,)](x, x, 7, BLOCK=128)
    asserted[(1,)](x, 500, BLOCK=128, debug=True)
