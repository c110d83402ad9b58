"""Kernels that other people wrote cross exactly too: liger-kernel's and fla-core's.

Their public functions are called on CPU tensors and their launches recorded, so that signatures,
constants and alignment are the real ones.
"""

import itertools

import pytest
import torch
from kevolve.compile.targets import find_target
from kevolve.errors import CompileError
from kevolve.triton_bridge import stages
from kevolve.triton_bridge.launches import recording
from test_exact import assert_crosses_exactly

TARGETS = [find_target("cuda:sm_90"), find_target("hip:gfx942")]


def liger_calls():
    ops = pytest.importorskip("liger_kernel.ops", reason="needs the extra `test`")
    from liger_kernel.ops.fused_add_rms_norm import LigerFusedAddRMSNormFunction
    from liger_kernel.ops.group_norm import LigerGroupNormFunction
    from liger_kernel.ops.sparsemax import LigerSparsemaxFunction

    x = torch.randn(64, 512, requires_grad=True)
    fixed, w = x.detach(), torch.ones(512, requires_grad=True)
    q, angle = torch.randn(1, 4, 16, 64), torch.ones(1, 16, 64)
    labels = torch.zeros(64, dtype=torch.long)
    return [
        lambda: ops.LigerRMSNormFunction.apply(x, w, 1e-6, 0.0, "llama", False).sum().backward(),
        lambda: ops.LigerLayerNormFunction.apply(x, w, w, 1e-5).sum().backward(),
        lambda: ops.LigerCrossEntropyFunction.apply(x, labels, None),
        lambda: ops.LigerGELUMulFunction.apply(x, x).sum().backward(),
        lambda: ops.LigerSiLUMulFunction.apply(x, x).sum().backward(),
        lambda: ops.LigerSoftmaxFunction.apply(x).sum().backward(),
        lambda: ops.LigerRopeFunction.apply(q, q, angle, angle),
        lambda: ops.LigerKLDivLossFunction.apply(x, fixed),
        lambda: ops.LigerTVDLossFunction.apply(x, fixed),
        lambda: ops.LigerDyTFunction.apply(x, torch.ones(1), w, w),
        lambda: LigerFusedAddRMSNormFunction.apply(x, x, w, 1e-6, 0.0, "llama", False),
        lambda: LigerGroupNormFunction.apply(
            torch.randn(2, 8, 64), torch.ones(8), torch.ones(8), 8, 4, 1e-5
        ),
        lambda: LigerSparsemaxFunction.apply(x, -1),
    ]


def fla_calls():
    pytest.importorskip("fla.ops", reason="needs the extra `test`")
    from fla.ops.attn import parallel_attn
    from fla.ops.delta_rule import chunk_delta_rule
    from fla.ops.gated_delta_rule import chunk_gated_delta_rule
    from fla.ops.gla import chunk_gla
    from fla.ops.hgrn import fused_recurrent_hgrn
    from fla.ops.linear_attn import chunk_linear_attn
    from fla.ops.retention import chunk_retention
    from fla.ops.rwkv6 import fused_recurrent_rwkv6

    q, k, v, g = (torch.randn(1, 128, 2, 64) for _ in range(4))
    low = [one.half() for one in (q, k, v)]
    gate, beta = torch.rand(1, 128, 2), torch.rand(1, 128, 2).half()
    return [
        lambda: chunk_gla(q, k, v, g),
        lambda: chunk_retention(q, k, v),
        lambda: chunk_linear_attn(q, k, v),
        lambda: chunk_delta_rule(*low, beta),
        lambda: chunk_gated_delta_rule(*low, gate, beta),
        lambda: fused_recurrent_hgrn(q[..., 0], k[..., 0]),
        lambda: fused_recurrent_rwkv6(q, k, v, g, torch.randn(2, 64)),
        lambda: parallel_attn(*low),
    ]


def different_launches(calls, target):
    """One launch per kernel: the others have the same code in other sizes."""
    with recording(target.triton) as launches:
        for call in calls:
            call()
    by_name = itertools.groupby(sorted(launches, key=lambda one: one.name), lambda one: one.name)
    return [next(group) for _, group in by_name]


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
@pytest.mark.parametrize(
    ("calls", "at_least"), [(liger_calls, 17), (fla_calls, 14)], ids=["liger", "fla"]
)
def test_kernels_of_others(calls, at_least, target):
    refused = []
    crossed = 0
    for source in different_launches(calls(), target):
        try:
            module = stages.lower(source, target.triton, "ttgir").module
        except CompileError as error:
            refused.append(f"{source.name}: {error}")
            continue
        assert_crosses_exactly(module)
        crossed += 1
    # What Triton itself does not compile for a target is not ours to carry.
    assert crossed >= at_least, refused
