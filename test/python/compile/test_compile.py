"""Kernels to artifacts: Triton's own code without a pipeline, probes with one."""

from pathlib import Path

import pytest
import triton
from kevolve.compile import artifact as artifacts
from kevolve.compile.compiler import compile_kernel
from kevolve.compile.probes import probe_pipeline
from kevolve.compile.specs import load_source, parse_spec
from kevolve.compile.targets import all_targets, find_target
from kevolve.errors import CompileError, UnknownTargetError
from kevolve.profile.sites import site_table
from kevolve.triton_bridge import generic
from kevolve.triton_bridge.inspection import edited_ttgir, pipeline_edit

KERNELS = Path(__file__).parents[2] / "kernels"
SOFTMAX = f"{KERNELS / 'reductions.py'}:softmax"
GPU_TARGETS = [target for target in all_targets() if target.family in ("cuda", "hip")]
CLOCKS = {"cuda": "%clock64", "hip": "s_memtime"}


@pytest.fixture(autouse=True)
def fresh_triton_cache(tmp_path, monkeypatch):
    monkeypatch.setattr(triton.knobs.cache, "dir", str(tmp_path / "triton"))


@pytest.mark.parametrize("name", ["cuda:sm_90", "hip:gfx942"])
def test_without_a_pipeline_the_binary_is_tritons_own(name, tmp_path):
    target = find_target(name)
    artifact = compile_kernel(SOFTMAX, target, root=tmp_path)
    source = load_source(parse_spec(SOFTMAX), target)
    own = triton.compile(source.ast_source(), target=target.triton, options=dict(source.options))
    assert artifact.binary == own.asm[target.binary_level]
    for level in ("ttir", "ttgir", "llir"):
        assert artifact.text(level) == own.asm[level]
    assert artifact.manifest.metadata["shared"] == own.metadata.shared


def test_printing_generic_form_leaves_tritons_code_as_it_is(tmp_path):
    """The switch of the printer is global to libtriton, and so are LLVM's other options."""
    before = compile_kernel(SOFTMAX, "cuda", emit="ptx", root=tmp_path).text("ptx")
    generic.print_generic(generic.parse("module {}"))
    assert compile_kernel(SOFTMAX, "cuda", emit="ptx", root=tmp_path).text("ptx") == before


def test_crossing_at_the_end_of_ttgir_changes_nothing(tmp_path):
    """A pass that finds nothing to do: the module crosses twice, the code is the same."""
    plain = compile_kernel(SOFTMAX, "cuda", root=tmp_path)
    crossed = compile_kernel(SOFTMAX, "cuda", pipeline="probe-strip", root=tmp_path)
    assert crossed.binary == plain.binary
    assert crossed.hash == plain.hash


@pytest.mark.parametrize("target", GPU_TARGETS, ids=lambda target: target.name)
def test_probes_reach_the_assembly(target, tmp_path):
    level = target.default_level
    plain = compile_kernel(SOFTMAX, target, emit=level, root=tmp_path)
    probed = compile_kernel(
        SOFTMAX, target, emit=level, pipeline=probe_pipeline(target), root=tmp_path
    )
    clock = "s_sendmsg_rtn_b64" if target.chip == "gfx1100" else CLOCKS[target.family]
    assert clock not in plain.text(level)
    assert probed.text(level).count(clock) >= 2 * len(probed.manifest.sites) - 2
    area = probed.manifest.probe_area
    assert probed.manifest.arguments[area].name == "probe_area"
    assert probed.manifest.arguments[area].type == "*i64"
    assert area == len(plain.manifest.arguments)


def test_site_table_of_a_probed_kernel(tmp_path):
    target = find_target("cuda")
    artifact = compile_kernel(
        SOFTMAX, target, emit="ttgir", pipeline=probe_pipeline(target), root=tmp_path
    )
    sites = artifact.manifest.sites
    assert [site.kind for site in sites] == ["kernel", "load", "reduce", "reduce", "store"]
    assert all(site.file.endswith("reductions.py") for site in sites)
    assert [site.parent for site in sites] == [-1, 0, 0, 0, 0]
    assert site_table(artifact.text("probed.mlir")) == sites
    assert compile_kernel(SOFTMAX, target, emit="ttgir", root=tmp_path).manifest.sites == ()


def test_hook_on_tritons_own_compilation(tmp_path):
    target = find_target("cuda")
    source = load_source(parse_spec(SOFTMAX), target)
    pipeline = probe_pipeline(target)
    with edited_ttgir(pipeline_edit(pipeline), pipeline):
        probed = triton.compile(source.ast_source(), target=target.triton)
    plain = triton.compile(source.ast_source(), target=target.triton)
    assert "%clock64" in probed.asm["ptx"]
    assert "%clock64" not in plain.asm["ptx"]
    assert triton.knobs.runtime.add_stages_inspection_hook is None


def test_ir_file_goes_on_from_its_level(tmp_path):
    whole = compile_kernel(SOFTMAX, "cuda", emit="ptx", root=tmp_path)
    path = tmp_path / "k.ttgir"
    path.write_text(whole.text("ttgir"))
    rest = compile_kernel(str(path), "cuda", emit="ptx", root=tmp_path)
    assert rest.text("ptx") == whole.text("ptx")
    assert [one.type for one in rest.manifest.arguments] == ["*fp32", "*fp32", "i32", "i32"]


def test_ir_file_does_not_go_back(tmp_path):
    path = tmp_path / "k.ttgir"
    path.write_text(compile_kernel(SOFTMAX, "cuda", emit="ttgir", root=tmp_path).text("ttgir"))
    with pytest.raises(CompileError, match="this is ttgir already: it cannot become ttir"):
        compile_kernel(str(path), "cuda", emit="ttir", root=tmp_path)


def test_mtia_goes_through_its_own_levels(tmp_path):
    artifact = compile_kernel(SOFTMAX, "mtia", emit="linalg", root=tmp_path)
    assert list(artifact.manifest.levels) == ["ttir", "linalg"]
    assert "func.func" in artifact.text("linalg")
    assert artifact.manifest.kernel == "softmax"
    assert [one.name for one in artifact.manifest.arguments] == ["x_ptr", "out_ptr", "stride", "n"]


def test_cpu_goes_through_its_own_levels(tmp_path):
    artifact = compile_kernel(SOFTMAX, "cpu", root=tmp_path)
    assert list(artifact.manifest.levels) == ["ttir", "linalg", "llvm.mlir", "llir", "asm", "so"]
    assert "llvm.func @kevolve_run_programs" in artifact.text("llvm.mlir")
    assert artifact.binary[:4] == b"\x7fELF"
    with pytest.raises(CompileError, match="a pipeline edits TTGIR, which cpu does not have"):
        compile_kernel(SOFTMAX, "cpu", pipeline="probe-insert", root=tmp_path)


def test_artifact_is_content_addressed_and_reads_back(tmp_path):
    first = compile_kernel(SOFTMAX, "cuda", root=tmp_path / "one")
    again = compile_kernel(SOFTMAX, "cuda", root=tmp_path / "two")
    other = compile_kernel(SOFTMAX, "cuda:sm_80", root=tmp_path / "two")
    assert first.hash == again.hash != other.hash
    back = artifacts.read(first.path)
    assert back.manifest == first.manifest
    assert back.binary == first.binary
    assert back.manifest.grid == (64, 1, 1)
    assert back.manifest.values["n"] == 1000
    files = {path.name: path.read_bytes() for path in first.path.iterdir()}
    assert artifacts.content_hash(files) == first.hash


def test_damaged_and_missing_artifacts(tmp_path):
    with pytest.raises(CompileError, match="not an artifact"):
        artifacts.read(tmp_path)
    (tmp_path / "artifact.json").write_text("{}")
    with pytest.raises(CompileError, match=r"artifact\.json: damaged"):
        artifacts.read(tmp_path)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"emit": "sass"}, "cuda:sm_90 cannot emit 'sass'; it has ttir, ttgir"),
        ({"pipeline": "no-such-pass"}, "no-such-pass"),
        ({"pipeline": "probe-insert"}, "leaves what Triton cannot read"),
    ],
)
def test_bad_requests(arguments, message, tmp_path):
    with pytest.raises(CompileError) as caught:
        compile_kernel(SOFTMAX, "cuda", root=tmp_path, **arguments)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_pipeline_needs_ttgir(tmp_path):
    with pytest.raises(CompileError, match="a pipeline edits TTGIR"):
        compile_kernel(SOFTMAX, "mtia", pipeline="probe-insert", root=tmp_path)


def test_unknown_target(tmp_path):
    with pytest.raises(UnknownTargetError):
        compile_kernel(SOFTMAX, "tpu", root=tmp_path)


def test_kernel_that_triton_refuses_names_its_line(tmp_path):
    path = tmp_path / "bad.py"
    path.write_text(
        "import triton\nimport triton.language as tl\n\n\n@triton.jit\ndef k(x_ptr):\n"
        "    x = tl.load(x_ptr)\n    tl.store(x_ptr, x + undefined_name)\n"
    )
    with pytest.raises(CompileError) as caught:
        compile_kernel(parse_spec(f"{path}:k", "*fp32"), "cuda", root=tmp_path)
    assert str(caught.value).startswith(f"{path}:8: ")
    assert "undefined_name" in str(caught.value)
