"""Cycle counts against arithmetic by hand with the chip's published rates."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path

import numpy as np
import pytest
from launching import Launcher, c_kernel, kernel, metrics

MIB = 1 << 20

DOCS = Path(__file__).parents[3] / "docs" / "simulator.md"
CHIP = json.loads((resources.files("kevolve") / "_data" / "chips" / "mtia-2i.json").read_text())


def parameter(name):
    return CHIP[name]["value"]


CLOCK_HZ = parameter("clock_hz")
LAUNCH_CYCLES = parameter("job.launch_cycles")


def arrays(megabytes):
    source = np.ones(megabytes * MIB, np.uint8)
    return source, np.zeros_like(source)


def counters(report):
    return json.loads(report.counters_json)


def work_cycles(report):
    return report.cycles - LAUNCH_CYCLES


def test_launch_costs_less_than_a_microsecond(launch):
    report = launch(c_kernel(""))
    assert LAUNCH_CYCLES <= report.cycles < LAUNCH_CYCLES + 100
    assert 0 < report.time_ns < 1000
    assert report.time_ns == pytest.approx(report.cycles / CLOCK_HZ * 1e9)
    assert metrics(report)["launch.share"] > 0.9


def test_cold_copy_runs_at_the_speed_of_dram(launch):
    """16 MiB are read from DRAM; what is written stays in the SRAM."""
    source, target = arrays(16)
    report = launch(kernel("copy"), source, target, source.size)
    floor = source.size / (parameter("dram.bytes_per_second") / CLOCK_HZ)
    assert floor <= work_cycles(report) <= 1.03 * floor
    assert metrics(report)["dram.bytes"] == source.size
    assert 0.97 < metrics(report)["dram.utilization"] <= 1
    assert metrics(report)["stall.memory.share"] > 0.95


def test_warm_copy_runs_at_the_speed_of_the_sram(launch):
    """Reads and writes share 2000 bytes a cycle."""
    source, target = arrays(16)
    launch(kernel("copy"), source, target, source.size)
    report = launch(kernel("copy"), source, target, source.size)
    floor = 2 * source.size / parameter("sram.bytes_per_cycle")
    assert floor <= work_cycles(report) <= 1.10 * floor
    assert metrics(report)["dram.bytes"] == 0
    assert metrics(report)["cache.llc.hit_rate"] == 1
    assert metrics(report)["sram.utilization"] <= 1


def test_reset_makes_the_cache_cold(launch):
    source, target = arrays(1)
    cold = launch(kernel("copy"), source, target, source.size)
    warm = launch(kernel("copy"), source, target, source.size)
    launch.device.reset()
    again = launch(kernel("copy"), source, target, source.size)
    assert warm.cycles < cold.cycles == again.cycles


def test_one_pe_is_limited_by_its_port(launch):
    """64 bytes a cycle in each direction, loads and stores overlapping."""
    source, target = arrays(1)
    launch(kernel("copy"), source, target, source.size, num_pes=1)
    report = launch(kernel("copy"), source, target, source.size, num_pes=1)
    floor = source.size / parameter("noc.port_bytes_per_cycle")
    assert floor <= work_cycles(report) <= 1.15 * floor


def test_short_rows_waste_the_port(launch):
    """A row of 4 bytes moves a beat of 64: as many cycles as rows, not as words."""
    source = np.zeros(512 * 64, np.uint8)
    target = np.zeros(512 * 4, np.uint8)
    elf = c_kernel(
        """char *buffer = mtia_local(4096);
        mtia_wait(mtia_dma_load_2d(buffer, (void *)a[0], 4, 512, 4, 64));
        mtia_wait(mtia_dma_store((void *)a[1], buffer, 2048));"""
    )
    launch(elf, source, target, num_pes=1)
    pe = counters(launch(elf, source, target, num_pes=1))["pes"][0]
    assert pe["read_bytes"] == 2048
    assert pe["moved_read_bytes"] == 512 * 64
    assert pe["units"]["fi.load"]["busy_cycles"] >= 512


MATMUL = """struct mtia_matmul_shape s = {{{m}, {n}, {k}, {k} * 2, {n} * 2, {n} * 4, {flags}}};
char *left = mtia_local(2048), *right = left + {m} * {k} * 2, *sums = right + {n} * {k} * 2;
mtia_ticket last = 0;
for (int i = 0; i < {count}; ++i)
  last = mtia_dpe_matmul(sums, left, right, s);
mtia_wait(last);"""


def matmul(m, n, k, count, flags=0):
    return c_kernel(MATMUL.format(m=m, n=n, k=k, count=count, flags=flags))


def test_one_matmul_by_hand(launch):
    """64 x 128 x 64: two blocks of 32 rows times four of 16 k, 128 columns each, on two
    tiles; then the pipeline, the dispatch and a few instructions."""
    report = launch(matmul(64, 128, 64, 1), num_pes=1)
    dpe = counters(report)["pes"][0]["units"]["dpe"]
    assert dpe["busy_cycles"] == 2 * 4 * 128 / 2
    least = 512 + parameter("dpe.pipeline_cycles") + parameter("cp.dispatch_cycles")
    assert least < work_cycles(report) < least + 60


def test_dpe_reaches_its_peak_from_local_memory(launch):
    """1024 FP16 multiply-adds a cycle; the pipeline fills once for many commands."""
    report = launch(matmul(128, 128, 256, 20, 0x10), num_pes=1)
    floor = 20 * 128 * 128 * 256 / 1024
    assert floor <= work_cycles(report) <= 1.02 * floor
    assert metrics(report)["dpe.utilization"] > 0.9
    assert metrics(report)["stall.dpe.share"] > 0.9


def test_int8_is_twice_as_fast(launch):
    fp16 = launch(matmul(128, 128, 128, 16, 0x10), num_pes=1)
    int8 = launch(matmul(128, 128, 128, 16, 0x12), num_pes=1)
    assert work_cycles(fp16) / work_cycles(int8) == pytest.approx(2, rel=0.05)


def test_few_rows_leave_the_tiles_idle(launch):
    """Narrow C: a block is loaded as long as it is used for fewer than 32 columns."""
    wide = launch(matmul(64, 32, 64, 16), num_pes=1)
    narrow = launch(matmul(64, 8, 64, 16), num_pes=1)
    assert work_cycles(narrow) == pytest.approx(work_cycles(wide), rel=0.02)


def test_small_commands_are_bound_by_issue(launch):
    """Sixteen matmuls of 32 x 32 x 16 a loop: the core, not the DPE, is the limit."""
    report = launch(matmul(32, 32, 16, 200), num_pes=1)
    assert metrics(report)["issue.utilization"] > 0.3
    large = launch(matmul(128, 128, 128, 20), num_pes=1)
    assert metrics(large)["issue.utilization"] < 0.1


def test_se_by_hand(launch):
    """32 elements a cycle."""
    elf = c_kernel(
        """mtia_wait(mtia_fill(mtia_local(4096), 0, 8192, 4));
        mtia_wait(mtia_se_unary(0, 0, mtia_local(4096), mtia_local(4096), 8192));"""
    )
    units = counters(launch(elf, num_pes=1))["pes"][0]["units"]
    assert units["se"]["busy_cycles"] == 8192 / 32
    assert units["fi.fill"]["busy_cycles"] == 8192 * 4 / parameter("fi.fill_bytes_per_cycle")


def test_waits_are_charged_to_what_is_really_waited_for(launch):
    """The core waits for a matmul that waits for a DMA: memory is to blame."""
    source = np.zeros(MIB // 4, np.uint8)
    elf = c_kernel(
        """struct mtia_matmul_shape s = {32, 32, 16, 32, 64, 128, 0};
        char *left = mtia_local(2048);
        mtia_dma_load(left, (void *)a[0], 262144);
        mtia_wait(mtia_dpe_matmul(mtia_local(300000), left, left + 1024, s));"""
    )
    found = metrics(launch(elf, source, num_pes=1))
    assert found["stall.memory.share"] > 0.9
    assert 0 < found["stall.dpe.share"] < 0.1


def test_gemm_2048_from_sram(launch):
    """Published: more than 92 % of the peak with operands in SRAM."""
    a = np.ones((2048, 2048), np.float16)
    b = np.ones((2048, 2048), np.float16)
    c = np.zeros((2048, 2048), np.float32)
    launch(kernel("gemm"), c, a, b, 2048, 2048, 2048)
    report = launch(kernel("gemm"), c, a, b, 2048, 2048, 2048)
    assert (c == 2048).all()
    assert metrics(report)["dpe.utilization"] > 0.92
    assert metrics(report)["compute.flops"] == 2 * 2048**3


def test_fully_connected_layer_is_bound_by_dram(launch):
    """Published: ~95 % of DRAM's bandwidth for 512 x 26592 x 2048. Half of its weights here: the
    fewer the rounds of tiles, the more the last, partial one counts."""
    a = np.ones((512, 2048), np.float16)
    b = np.ones((2048, 13312), np.float16)
    c = np.zeros((512, 13312), np.float32)
    report = launch(kernel("gemm"), c, a, b, 512, 13312, 2048)
    assert (c == 2048).all()
    assert metrics(report)["dram.bytes"] == a.nbytes + b.nbytes
    assert metrics(report)["dram.utilization"] > 0.93


def test_softmax_is_right_and_keeps_dram_busy(launch):
    x = np.random.default_rng(8).standard_normal((1024, 1024)).astype(np.float32)
    y = np.zeros_like(x)
    report = launch(kernel("softmax"), x, y, 1024, 1024)
    exact = np.exp(x.astype(np.float64))
    np.testing.assert_allclose(y, exact / exact.sum(1, keepdims=True), rtol=1e-5)
    assert metrics(report)["dram.utilization"] > 0.8
    assert metrics(report)["se.utilization"] > 0.01


def test_direct_access_waits_for_memory(launch):
    """A core that loads words from DRAM itself pays the whole way for each."""
    source = np.zeros(64 * 1024, np.uint8)
    elf = c_kernel("for (int i = 0; i < 64; ++i) *(volatile int *)(a[0] + i * 1024);")
    report = launch(elf, source, num_pes=1)
    way = 2 * parameter("noc.latency_cycles") + parameter("sram.latency_cycles")
    assert work_cycles(report) > 64 * (way + parameter("dram.latency_cycles"))
    warm = launch(elf, source, num_pes=1)
    assert 64 * way < work_cycles(warm) < work_cycles(report)


def test_column_neighbours_share_a_read(launch):
    """PEs that read the same bytes at the same time: the SRAM sends them once a column."""
    source = np.zeros(128 * 1024, np.uint8)
    elf = c_kernel("mtia_wait(mtia_dma_load(mtia_local(2048), (void *)a[0], 131072));")
    launch(elf, source)
    shared = launch(elf, source)
    floor = 64 * source.size / parameter("sram.bytes_per_cycle")
    assert work_cycles(shared) < 0.7 * floor
    assert counters(shared)["memory"]["merged_line_reads"] > 0


@pytest.mark.parametrize("name", ["copy", "gemm", "softmax"])
def test_cycles_depend_on_nothing_else(name):
    """Two devices, other host allocations: the same cycles and counters."""
    sizes = {"copy": MIB, "gemm": 256, "softmax": 256}
    reports = []
    for padding in (0, 12345):
        keep = np.zeros(padding + 1, np.uint8)
        launch = Launcher()
        n = sizes[name]
        if name == "copy":
            arguments = (np.ones(n, np.uint8), np.zeros(n, np.uint8), n)
        elif name == "gemm":
            half = np.ones((n, n), np.float16)
            arguments = (np.zeros((n, n), np.float32), half, half.copy(), n, n, n)
        else:
            arguments = (np.ones((n, n), np.float32), np.zeros((n, n), np.float32), n, n)
        reports += [launch(kernel(name), *arguments) for _ in range(2)]
        del keep
    assert reports[0].counters_json == reports[2].counters_json
    assert reports[1].counters_json == reports[3].counters_json
    assert reports[0].cycles > reports[1].cycles


def test_host_addresses_change_no_cycles(launch):
    """The same tensors at other device addresses."""
    elf, cycles = kernel("copy"), []
    for shift in (0, 1 << 33):
        source, target = arrays(1)
        regions = [
            ((1 << 34) + shift, source.nbytes, False, source.ctypes.data),
            ((1 << 35) + shift * 3, target.nbytes, True, target.ctypes.data),
        ]
        launch.device.reset()
        slots = [regions[0][0], regions[1][0], source.nbytes]
        cycles.append(launch.device.launch(elf, "kernel", (1, 1, 1), slots, regions).cycles)
        assert (source == target).all()
    assert cycles[0] == cycles[1]


@pytest.mark.parametrize("name", CHIP)
def test_the_documentation_has_every_parameter(name):
    """The table of docs/simulator.md is the chip file, row by row."""
    entry = CHIP[name]
    value = entry["value"] if isinstance(entry["value"], str) else f"{entry['value']:.10g}"
    rows = [line for line in DOCS.read_text().splitlines() if line.startswith(f"| `{name}` |")]
    assert len(rows) == 1
    cells = [cell.strip() for cell in rows[0].strip("|").split("|")]
    assert cells[1] == value
    assert cells[3:] == [entry["source"], entry["reason"]]
