"""What a launch reports: cycles, metrics, and what it faults on."""

import launched_kernels as kernels
import pytest
import torch
from kevolve.backends.mtia.device import chip_parameter
from kevolve.errors import CompileError, LaunchError
from kevolve.profile.records import decode, record_file
from kevolve.profile.sites import site_table


def run_softmax(rows=128, columns=512):
    x = torch.randn(rows, columns, generator=torch.Generator().manual_seed(0))
    out = torch.zeros_like(x)
    kernels.softmax[(rows,)](x, out, columns, columns, BLOCK=columns)
    return x, out


def test_launches_are_kept_until_taken(device):
    run_softmax()
    run_softmax(rows=64)
    first, second = device.take_launches()
    assert (first.kernel, first.grid, second.grid) == ("softmax", (128, 1, 1), (64, 1, 1))
    assert first.report.cycles > 0
    assert first.report.time_ns == pytest.approx(first.report.cycles / 1.35, rel=1e-3)
    assert first.records is None
    assert device.take_launches() == []


def test_cycles_are_deterministic_from_a_cold_start(device):
    cycles = set()
    for _ in range(3):
        device.reset_device()
        # Other addresses each time.
        keep = torch.zeros(12345)
        run_softmax()
        cycles.add(device.take_launches()[0].report.cycles)
        del keep
    assert len(cycles) == 1


def test_a_second_launch_finds_the_data_in_the_cache(device):
    x, out = run_softmax(rows=512)
    kernels.softmax[(512,)](x, out, 512, 512, BLOCK=512)
    cold, warm = device.take_launches()
    assert warm.report.cycles < cold.report.cycles


def test_metrics_say_what_moved(device):
    n = 1 << 16
    x, y, out = torch.ones(n), torch.ones(n), torch.zeros(n)
    kernels.add[(n // 1024,)](x, y, out, n, BLOCK=1024)
    report = device.take_launches()[0].report
    values = {name: value for name, value, _ in report.metrics}
    assert values["kernel.cycles"] == report.cycles
    assert values["memory.bytes_read"] >= 8 * n
    assert values["memory.bytes_written"] >= 4 * n


def test_out_of_range_pointers_are_launch_errors(device):
    x = torch.zeros(64)
    with pytest.raises(LaunchError, match="kernel add faulted") as caught:
        kernels.add[(4,)](x, x, x, 256, BLOCK=64)
    assert "\n" not in str(caught.value)


def test_unsupported_operations_name_the_line(device):
    x = torch.zeros(64, dtype=torch.int32)
    with pytest.raises(CompileError) as caught:
        kernels.unsupported[(1,)](x, BLOCK=64)
    assert caught.value.file == kernels.__file__
    assert "inline_asm" in str(caught.value)
    source = open(kernels.__file__).read().splitlines()  # noqa: SIM115
    assert "inline_asm_elementwise" in source[caught.value.line - 1]


def test_too_much_local_memory_is_told(device):
    x = torch.zeros(1 << 18)
    with pytest.raises(CompileError, match="local memory") as caught:
        kernels.too_big[(1,)](x, torch.zeros_like(x), BLOCK=1 << 18)
    assert "\n" not in str(caught.value)


def idle_kernel():
    kernels.idle[(64,)](torch.zeros(1))


def small_add():
    x = torch.ones(256)
    kernels.add[(1,)](x, x, torch.zeros(256), 256, BLOCK=256)


def large_add():
    x = torch.ones(1 << 18)
    kernels.add[(256,)](x, x, torch.zeros(1 << 18), 1 << 18, BLOCK=1024)


def matmul():
    a, b = torch.ones(256, 256, dtype=torch.float16), torch.ones(256, 256, dtype=torch.float16)
    out = torch.zeros(256, 256)
    sizes, blocks = (256, 256, 256), {"BM": 64, "BN": 64, "BK": 64}
    kernels.matmul[(4, 4)](a, b, out, *sizes, *a.stride(), *b.stride(), *out.stride(), **blocks)


def cycles_of_sites(launch):
    """Self cycles of every site, summed, for the PE where they are most."""
    sites = site_table(launch.probed_ir)
    file = decode(record_file(launch.records, len(sites), "mtia", 1_350_000_000))
    totals = file.records["total_cycles"].astype(int)
    children = [[other.id for other in sites if other.parent == site.id] for site in sites]
    self_cycles = [totals[:, i] - totals[:, children[i]].sum(axis=1) for i in range(len(sites))]
    assert min(cycles.min() for cycles in self_cycles) >= 0
    return int(sum(self_cycles).max())


def probed_launch(device, run):
    device.reset_device()
    device.enable_profiling()
    run()
    return device.take_launches()[0]


@pytest.mark.parametrize("run", [small_add, large_add, matmul, lambda: run_softmax(rows=2048)])
def test_cycles_of_the_sites_add_up_to_those_of_the_kernel(device, run):
    """Within 2 %, at any size.

    Before the kernel there is the launch, and after its last site the records are written. A
    kernel without work shows both; more sites than its one take up to 100 cycles more to write.
    """
    launch_cycles = chip_parameter("mtia-2i", "job.launch_cycles")
    idle = probed_launch(device, idle_kernel)
    around = idle.report.cycles - cycles_of_sites(idle)
    assert launch_cycles < around < launch_cycles + 400
    launch = probed_launch(device, run)
    gap = launch.report.cycles - around - cycles_of_sites(launch)
    assert abs(gap) < 0.02 * (launch.report.cycles - around) + 100


def test_probes_change_no_result_and_few_cycles(device):
    _, plain = run_softmax(rows=512)
    cycles = device.take_launches()[0].report.cycles
    device.reset_device()
    device.enable_profiling()
    _, probed = run_softmax(rows=512)
    assert torch.equal(plain, probed)
    # What probes cost is measured by the benchmarks; here only that it stays bounded.
    assert device.take_launches()[0].report.cycles < 1.5 * cycles
