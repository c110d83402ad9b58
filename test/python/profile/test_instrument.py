"""Probes in real kernels, all the way through Triton, without a GPU."""

import importlib.util
import re
from pathlib import Path

import pytest
from kevolve.errors import UnknownTargetError
from kevolve.profile.instrument import ProbeChoice, probe_ttgir
from kevolve.triton_bridge import crossing, generic
from kevolve.triton_bridge.inspection import pipeline_edit
from kevolve.triton_bridge.stages import lower
from triton.backends.compiler import GPUTarget


def _load(path: Path):
    spec = importlib.util.spec_from_file_location("kernels_and_their_launches", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


kernels = _load(Path(__file__).parents[1] / "triton_bridge" / "example_kernels.py")

TARGETS = {
    "cuda:90": (GPUTarget("cuda", 90, 32), "probe-lower-to-ptx", "ptx", "%clock64;"),
    "cuda:100": (GPUTarget("cuda", 100, 32), "probe-lower-to-ptx", "ptx", "%clock64;"),
    "gfx942": (GPUTarget("hip", "gfx942", 64), "probe-lower-to-amdgcn", "amdgcn", "s_memtime"),
    "gfx1100": (
        GPUTarget("hip", "gfx1100", 32),
        "probe-lower-to-amdgcn",
        "amdgcn",
        "MSG_RTN_GET_REALTIME",
    ),
}


# Every kernel on one GPU of each vendor; what differs most between generations on all.
CASES = [
    (path, name)
    for path in kernels.KERNEL_FILES
    for name in TARGETS
    if name in ("cuda:90", "gfx942") or path.stem in ("matmul", "descriptors")
]


@pytest.mark.parametrize(
    ("path", "name"), CASES, ids=[f"{path.stem}-{name}" for path, name in CASES]
)
def test_kernels_with_probes_compile(path, name):
    target, lowering, level, clock = TARGETS[name]
    edit = pipeline_edit(f"probe-insert,{lowering}")
    for source in kernels.example_launches(path, target):
        lowered = lower(source, target, until=level, edit=edit)
        assert lowered.added_arguments == 1
        assert lowered.arguments[-1] == "*i64"
        # At the least the kernel as a whole is measured.
        assert len(re.findall(re.escape(clock), lowered.levels[level])) >= 2


def _softmax_ttgir(backend: str) -> str:
    target = TARGETS["cuda:90" if backend == "cuda" else "gfx942"][0]
    path = next(path for path in kernels.KERNEL_FILES if path.stem == "reductions")
    source = kernels.example_launches(path, target)[0]
    return lower(source, target, until="ttgir").levels["ttgir"]


@pytest.mark.parametrize("backend", ["cuda", "hip"])
def test_a_probed_kernel_has_its_sites_and_its_lowered_form(backend):
    kernel = probe_ttgir(_softmax_ttgir(backend), backend)
    assert kernel.sites[0].kind == "kernel"
    assert {"load", "reduce", "store"} <= {site.kind for site in kernel.sites}
    assert all(site.file.endswith("reductions.py") for site in kernel.sites)
    assert kernel.record_area_bytes(10) == 10 * len(kernel.sites) * 32
    assert kernel.probed_ir.count("probe.begin") == len(kernel.sites)
    assert "probe." not in kernel.ttgir
    assert "%probe_area: !tt.ptr<i64>" in kernel.ttgir
    # The probed module without its probes is the kernel that went in.
    module = crossing.parse(kernel.probed_ir, crossing.new_context())
    crossing.run_passes(module, "probe-strip")
    before = generic.print_generic(generic.parse(_softmax_ttgir(backend)), locations=False)
    after = generic.print_generic(crossing.to_triton(module), locations=False)
    assert after == before


def test_a_choice_chooses():
    choice = ProbeChoice(kinds=("store",), loops=False)
    kernel = probe_ttgir(_softmax_ttgir("cuda"), "cuda", choice)
    assert {site.kind for site in kernel.sites} == {"kernel", "store"}


def test_other_backends_are_told():
    with pytest.raises(UnknownTargetError, match="no probes for mtia"):
        probe_ttgir("", "mtia")
