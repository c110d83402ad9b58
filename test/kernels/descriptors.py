"""Tensor descriptors (TMA on sm_90 and later), made on the device and on the host."""

import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor


@triton.jit
def descriptor_matmul(
    a_ptr, b_ptr, c_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr
):
    a = tl.make_tensor_descriptor(a_ptr, shape=[M, K], strides=[K, 1], block_shape=[BM, BK])
    b = tl.make_tensor_descriptor(b_ptr, shape=[K, N], strides=[N, 1], block_shape=[BK, BN])
    c = tl.make_tensor_descriptor(c_ptr, shape=[M, N], strides=[N, 1], block_shape=[BM, BN])
    m = tl.program_id(0) * BM
    n = tl.program_id(1) * BN
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        total = tl.dot(a.load([m, k]), b.load([k, n]), total)
    c.store([m, n], total.to(tl.float16))


@triton.jit
def host_descriptor_copy(source, destination, rows, BM: tl.constexpr):
    for m in range(0, rows, BM):
        destination.store([m, 0], source.load([m, 0]) * 2)


@triton.jit
def descriptor_accumulate(x_ptr, out_ptr, M, N, BM: tl.constexpr, BN: tl.constexpr):
    out = tl.make_tensor_descriptor(out_ptr, shape=[M, N], strides=[N, 1], block_shape=[BM, BN])
    m = tl.arange(0, BM)
    n = tl.arange(0, BN)
    out.atomic_add([0, 0], tl.load(x_ptr + m[:, None] * BN + n[None, :]))


def kevolve_example_device():
    half = torch.ones(256, 256, dtype=torch.float16)
    tiles = {"BM": 128, "BN": 128, "BK": 64}
    descriptor_matmul[(2, 2)](half, half, half, 256, 256, 256, **tiles, num_warps=4)
    single = torch.ones(64, 64)
    descriptor_accumulate[(1,)](single, single, 64, 64, BM=64, BN=64)


def kevolve_example_host():
    half = torch.ones(256, 64, dtype=torch.float16)
    descriptor = TensorDescriptor.from_tensor(half, [64, 64])
    host_descriptor_copy[(1,)](descriptor, descriptor, 256, BM=64)
