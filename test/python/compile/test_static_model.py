"""Static resources, traffic and time of kernels, without a GPU."""

from pathlib import Path

import pytest
from kevolve.compile.compiler import compile_kernel
from kevolve.compile.hardware import all_hardware, hardware_of
from kevolve.compile.occupancy import occupancy, spread
from kevolve.compile.resources import Resources, resources
from kevolve.compile.specs import parse_spec
from kevolve.compile.static_model import dram_bytes, estimate, matrix_peak
from kevolve.compile.targets import all_targets, find_target
from kevolve.compile.traffic import Traffic, traffic
from kevolve.errors import CompileError, KevolveError

KERNELS = Path(__file__).parents[2] / "kernels"
GPU_TARGETS = [target for target in all_targets() if target.family in ("cuda", "hip")]
H100 = hardware_of(find_target("cuda:sm_90"))


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    return tmp_path_factory.mktemp("artifacts")


def traffic_of(root, spec, grid=None, values=None):
    artifact = compile_kernel(str(KERNELS / spec), "cuda", emit="ttir", root=root)
    manifest = artifact.manifest
    return traffic(
        artifact.text("ttir"),
        grid or manifest.grid,
        manifest.values if values is None else values,
    )


def test_masked_loads_count_what_the_mask_lets_through(root):
    moved = traffic_of(root, "elementwise.py:add")
    assert moved.read_bytes == {"x_ptr": 4000, "y_ptr": 4000}
    assert moved.written_bytes == {"out_ptr": 4000}
    assert moved.vector_flops == 1024


def test_matmul_by_hand(root):
    moved = traffic_of(root, "matmul.py:matmul")
    # 256 x 256 x 256 in tiles of 128 x 128 x 64: 4 programs, each loads 4 tiles of A and of B.
    assert moved.matrix_flops == {"f16": pytest.approx(2 * 256**3)}
    assert moved.read_bytes == {
        "a_ptr": pytest.approx(4 * 4 * 128 * 64 * 2),
        "b_ptr": pytest.approx(4 * 4 * 64 * 128 * 2),
    }
    assert moved.written_bytes == {"c_ptr": pytest.approx(256 * 256 * 2)}
    # Each matrix is read twice, but is there once.
    assert moved.footprint_bytes(moved.read_bytes) == pytest.approx(2 * 256 * 256 * 2)
    assert moved.loop_iterations == 4


def test_long_loops_and_large_grids_are_sampled_exactly(root):
    size = 8192
    values = dict.fromkeys(("M", "N", "K", "stride_a", "stride_b", "stride_c"), size)
    moved = traffic_of(root, "matmul.py:matmul", (64 * 64, 1, 1), values)
    assert moved.matrix_flops["f16"] == pytest.approx(2 * size**3)
    assert moved.read_bytes["a_ptr"] == pytest.approx(64 * 64 * 128 * size * 2)
    assert moved.footprint_bytes(moved.read_bytes) == pytest.approx(2 * size * size * 2, rel=0.1)


def test_descriptors_are_cut_at_the_edge(root):
    values = {"M": 200, "N": 256, "K": 256}
    moved = traffic_of(root, "descriptors.py:descriptor_matmul", values=values)
    assert moved.read_bytes["a_ptr"] == pytest.approx(2 * 200 * 256 * 2)
    assert moved.written_bytes["c_ptr"] == pytest.approx(200 * 256 * 2)


def test_causal_loops_that_depend_on_the_program(root):
    moved = traffic_of(root, "attention.py:attention")
    # Rows of 128 of 512: the k-th block of rows sees k + 1 blocks of columns, in 4 heads.
    assert moved.read_bytes["k_ptr"] == pytest.approx(4 * (1 + 2 + 3 + 4) * 128 * 64 * 2, rel=0.01)


def test_trip_counts_that_depend_on_data_are_counted(root):
    assert traffic_of(root, "control_flow.py:collatz").unknown_trips == 4
    assert traffic_of(root, "matmul.py:matmul", values={}).unknown_trips == 4


def test_functions_that_are_not_inlined(root):
    moved = traffic_of(root, "control_flow.py:calls")
    # Two calls of 5 rounds of a multiplication and two additions with casts, and 128 products.
    assert moved.read_bytes == {"x_ptr": 516}
    assert moved.vector_flops >= 128 + 2 * 5 * 2


@pytest.mark.parametrize("target", GPU_TARGETS, ids=lambda target: target.name)
def test_resources_and_estimate_of_every_gpu(target, root):
    artifact = compile_kernel(f"{KERNELS / 'reductions.py'}:softmax", target, root=root)
    used = resources(artifact)
    assert 8 <= used.registers_per_thread <= 128
    assert used.spilled_bytes_per_thread == 0
    assert used.num_warps == 4
    assert used.warp_size == target.triton.warp_size
    assert used.shared_bytes == artifact.manifest.metadata["shared"] > 0
    small = estimate(artifact, (64, 1, 1))
    large = estimate(artifact, (64 * 256, 1, 1))
    assert large.bound == "memory"
    assert 10 * small.time_ns < large.time_ns
    bytes_moved = 2 * 64 * 256 * 1000 * 4
    hardware = hardware_of(target)
    assert large.time_ns * 1.0001 >= bytes_moved / hardware.dram_bytes_per_s * 1e9
    named = {metric.name: metric for metric in large.metrics}
    assert named["dram.bytes"].value == pytest.approx(bytes_moved)
    assert 0.9 < named["dram.utilization"].value <= 1.0
    assert {metric.source for metric in large.metrics} == {"estimate"}


def test_large_matmul_is_bound_by_the_matrix_units(root):
    artifact = compile_kernel(f"{KERNELS / 'matmul.py'}:matmul", "cuda", root=root)
    size = 8192
    values = dict.fromkeys(("M", "N", "K", "stride_a", "stride_b", "stride_c"), size)
    whole = estimate(artifact, (4096, 1, 1), values)
    assert whole.bound == "matrix"
    ideal_ns = 2 * size**3 / 989.4e12 * 1e9
    assert ideal_ns < whole.time_ns < 1.3 * ideal_ns
    faster = estimate(artifact, (4096, 1, 1), values, product="H200")
    assert faster.memory_time_ns < whole.memory_time_ns


def test_spills_show(root):
    """A tile that no register file holds."""
    artifact = compile_kernel(
        parse_spec(
            f"{KERNELS / 'matmul.py'}:fused_epilogue", options={"num_warps": 1, "maxnreg": 32}
        ),
        "cuda",
        root=root,
    )
    assert resources(artifact).spilled_bytes_per_thread > 0
    assert resources(artifact).registers_per_thread <= 32


def test_occupancy_by_hand():
    """H100: 64 warps, 65536 registers and 228 KiB of shared memory per unit."""
    few = Resources(32, 0, 0, 0, num_warps=4, warp_size=32)
    assert occupancy(few, H100).blocks_per_unit == 16
    assert occupancy(few, H100).warp_share == 1.0
    many_registers = Resources(255, 0, 0, 0, num_warps=8, warp_size=32)
    assert occupancy(many_registers, H100).blocks_per_unit == 1
    assert occupancy(many_registers, H100).limit == "registers"
    much_shared = Resources(32, 0, 100 * 1024, 0, num_warps=4, warp_size=32)
    assert occupancy(much_shared, H100).blocks_per_unit == 2
    assert occupancy(much_shared, H100).limit == "shared"


def test_waves_and_imbalance():
    held = occupancy(Resources(32, 0, 100 * 1024, 0, 4, 32), H100)
    one_more = spread(133, held, H100)
    assert (one_more.waves, one_more.busy_units) == (1, 132)
    assert one_more.imbalance == pytest.approx(2 / (133 / 132) - 1)
    assert spread(264 * 3 + 1, held, H100).waves == 4
    assert spread(10, held, H100).busy_units == 10


def test_repeated_reads_that_the_cache_or_a_neighbour_has_are_free():
    fits = Traffic(read_bytes={"a": 1e9}, spans={"a": (0.0, 1e7)})
    laid = spread(4096, occupancy(Resources(32, 0, 0, 0, 8, 32), H100), H100)
    assert dram_bytes(fits, H100, laid) == 1e7
    spans = {"a": (0.0, 4 * H100.l2_bytes)}
    apart = Traffic(read_bytes={"a": 1e9}, spans=spans, neighbours={"a": (16, 64)})
    assert dram_bytes(apart, H100, laid) == 1e9
    together = Traffic(read_bytes={"a": 1e9}, spans=spans, neighbours={"a": (8, 16)})
    assert 4 * H100.l2_bytes <= dram_bytes(together, H100, laid) < 0.5e9


def test_every_target_has_hardware_with_sources():
    for target in GPU_TARGETS:
        assert hardware_of(target).arch == target.chip
    for one in all_hardware():
        numbers = {"compute_units", "clock_hz", "dram_bytes_per_s", "peak_flop_per_s", "l2_bytes"}
        assert numbers | {"occupancy"} <= set(one.sources), one.name
        assert (one.dram_latency_ns is None) == ("dram_latency_ns" not in one.sources)
        # 8-bit and 16-bit products run at least as fast as the vector units.
        assert matrix_peak("f16", one) > one.peak_flop_per_s["fp32"]


def test_unknown_product():
    with pytest.raises(KevolveError, match="no hardware H900 on file for cuda:sm_90"):
        hardware_of(find_target("cuda"), "H900")


def test_reports_need_the_binary_and_the_grid(root, tmp_path):
    early = compile_kernel(f"{KERNELS / 'reductions.py'}:softmax", "cuda", emit="ptx", root=root)
    with pytest.raises(CompileError, match="needs the level cubin"):
        resources(early)
    whole = compile_kernel(f"{KERNELS / 'reductions.py'}:softmax", "cuda", root=root)
    path = tmp_path / "k.ttgir"
    path.write_text(whole.text("ttgir"))
    with pytest.raises(CompileError, match="needs the grid"):
        estimate(compile_kernel(str(path), "cuda", root=root))
