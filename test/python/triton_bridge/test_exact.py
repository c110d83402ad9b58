"""Triton -> kevolve's MLIR -> Triton gives the same module, locations included."""

import re

import pytest
import triton
from example_kernels import KERNEL_FILES, example_launches
from kevolve.compile.targets import all_targets
from kevolve.triton_bridge import crossing, generic, stages

GPU_TARGETS = [target for target in all_targets() if target.family in ("cuda", "hip")]
_OP = re.compile(r'"([a-z_]+\.[\w.]+)"\(')

# What makes Triton's IR hard to carry: each must be in the corpus, or the tests say too little.
REQUIRED_OPS = {
    "cuda:sm_80": {"ttg.async_copy_global_to_local", "ttg.async_wait", "tt.reduce", "tt.scan"},
    "cuda:sm_90": {
        "ttng.warp_group_dot",
        "ttng.async_tma_copy_global_to_local",
        "ttng.wait_barrier",
        "ttng.async_tma_reduce",
        "tt.call",
        "tt.elementwise_inline_asm",
        "scf.while",
        "cf.cond_br",
        "tt.atomic_cas",
        "tt.atomic_rmw",
        "tt.print",
        "tt.gather",
        "tt.histogram",
    },
    "cuda:sm_100": {
        "ttng.tc_gen5_mma",
        "ttng.tc_gen5_mma_scaled",
        "ttng.tmem_load",
        "ttg.warp_specialize",
    },
    "hip:gfx942": {"amdg.buffer_load", "amdg.in_thread_transpose", "amdg.scaled_upcast_fp8"},
    "hip:gfx950": {"amdg.buffer_load_to_local", "rocdl.sched.group.barrier", "ttg.async_wait"},
    "hip:gfx1100": {"tt.dot", "ttg.local_load"},
}


def assert_crosses_exactly(module):
    before = generic.print_generic(module)
    back = crossing.to_triton(crossing.from_triton(module))
    assert generic.print_generic(back) == before
    assert generic.print_pretty(back) == generic.print_pretty(module)
    return set(_OP.findall(before))


@pytest.mark.parametrize("target", GPU_TARGETS, ids=lambda target: target.name)
def test_ttgir_of_every_kernel(target):
    seen = set()
    kernels = 0
    for path in KERNEL_FILES:
        for source in example_launches(path, target.triton):
            seen |= assert_crosses_exactly(stages.lower(source, target.triton, "ttgir").module)
            kernels += 1
    assert kernels >= 40
    # Older releases of Triton do not have all of these.
    if triton.__version__.split(".")[:2] == ["3", "9"]:
        assert REQUIRED_OPS[target.name] <= seen


def test_ttir_of_every_kernel(kernel_file):
    target = GPU_TARGETS[0]
    for source in example_launches(kernel_file, target.triton):
        assert_crosses_exactly(stages.lower(source, target.triton, "ttir").module)


def test_pretty_text_of_triton_crosses_too(kernel_file):
    """Pretty text lacks the locations of loop arguments; all that it has comes back."""
    target = GPU_TARGETS[0]
    for source in example_launches(kernel_file, target.triton):
        text = stages.lower(source, target.triton, "ttgir").levels["ttgir"]
        assert_crosses_exactly(generic.parse(text, name="k.ttgir"))
