"""What a kernel may not do, and that the message explains it."""

from __future__ import annotations

import re
from importlib import resources

import numpy as np
import pytest
from kevolve._native import _mtia_sim
from kevolve._native._mtia_sim import SimulatorFault
from launching import DRAM_BASE, Launcher, c_kernel, kernel

# a[0] is a tensor of 4096 bytes in each of these kernels.
FAULTS = {
    "load before the DMA is waited for": (
        """float *buffer = mtia_local(4096);
        mtia_dma_load(buffer, (void *)a[0], 1024);
        ((volatile float *)buffer)[255];""",
        "hazard",
        r"missing wait: core loads from .* which dma_load \(ticket 1, issued at kernel.*writes",
    ),
    "store into what a DMA still reads": (
        """volatile float *buffer = mtia_local(4096);
        mtia_dma_store((void *)a[0], (void *)buffer, 1024);
        buffer[0] = 1;""",
        "hazard",
        r"missing wait: core stores to .* which dma_store \(ticket 1.*still reads",
    ),
    "wait for the wrong ticket": (
        """volatile float *buffer = mtia_local(4096);
        mtia_ticket other = mtia_fill(mtia_local(8192), 0, 16, 4);
        mtia_dma_load((void *)buffer, (void *)a[0], 64);
        mtia_wait(other);
        buffer[0];""",
        "hazard",
        r"missing wait.*ticket 2",
    ),
    "wait for a ticket that was never issued": (
        "mtia_wait(7);",
        "machine",
        r"wait for ticket 7, but only 0 commands were issued",
    ),
    "DMA past the end of a tensor": (
        "mtia_wait(mtia_dma_load(mtia_local(4096), (char *)a[0] + 4000, 100));",
        "machine",
        r"dma_load: row 0 of plane 0: .* runs past the end of the tensor .* by 4 bytes",
    ),
    "DMA before a tensor": (
        "mtia_wait(mtia_dma_store((char *)a[0] - 8, mtia_local(4096), 8));",
        "machine",
        r"dma_store: .* lies in no tensor of the launch, 8 bytes before",
    ),
    "DMA of the second row outside": (
        "mtia_wait(mtia_dma_load_2d(mtia_local(4096), (char *)a[0], 64, 2, 64, 8192));",
        "machine",
        r"row 1 of plane 0",
    ),
    "DMA beyond local memory": (
        "mtia_wait(mtia_dma_load(mtia_local(393216 - 64), (void *)a[0], 128));",
        "machine",
        r"destination at 0x1005ffc0 .* does not lie in local memory",
    ),
    "DMA strides that leave local memory downwards": (
        "mtia_wait(mtia_dma_load_2d(mtia_local(4096), (void *)a[0], 64, 3, -4096, 64));",
        "machine",
        r"does not lie in local memory",
    ),
    "fill with elements of three bytes": (
        "mtia_wait(mtia_fill(mtia_local(4096), 0, 16, 3));",
        "machine",
        r"fill: an element of a fill has 1, 2, 4 or 8 bytes, not 3",
    ),
    "fill of misaligned elements": (
        "mtia_wait(mtia_fill(mtia_local(4098), 0, 16, 4));",
        "machine",
        r"destination 0x10001002 is not a multiple of 4 bytes",
    ),
    "matmul on a misaligned operand": (
        """struct mtia_matmul_shape s = {4, 4, 4, 8, 8, 16, 0};
        mtia_dpe_matmul(mtia_local(4096), mtia_local(8193), mtia_local(16384), s);""",
        "machine",
        r"dpe_matmul: an operand or its row stride 0x10002001 is not a multiple of 2",
    ),
    "matmul onto its operand": (
        """struct mtia_matmul_shape s = {4, 4, 4, 8, 8, 16, 0};
        mtia_dpe_matmul(mtia_local(4096), mtia_local(4096), mtia_local(16384), s);""",
        "machine",
        r"dpe_matmul: C overlaps an operand",
    ),
    "matmul of an unknown type": (
        """struct mtia_matmul_shape s = {4, 4, 4, 8, 8, 16, 9};
        mtia_dpe_matmul(mtia_local(4096), mtia_local(8192), mtia_local(16384), s);""",
        "machine",
        r"no DPE operand type 9",
    ),
    "unknown SE function": (
        "mtia_se_unary(99, 0, mtia_local(4096), mtia_local(4096), 8);",
        "machine",
        r"se: there is no SE function 99 of element type 0",
    ),
    "unknown command": (
        "mtia_issue(0x7F, 0, 0);",
        "machine",
        r"there is no command 0x7f",
    ),
    "core reads outside local memory": (
        "*(volatile char *)mtia_local(393216);",
        "load access",
        r"local memory overflow: core loads from",
    ),
    "core writes outside the tensors": (
        "*((volatile char *)a[0] + 4096) = 1;",
        "store access",
        r"core stores to DRAM: .* 0 bytes after the end of",
    ),
    "core writes to its code": (
        "*(volatile char *)0x10000 = 1;",
        "store access",
        r"which the program does not allow",
    ),
    "core reads where nothing is": (
        "*(volatile char *)16;",
        "load access",
        r"where nothing is",
    ),
    "ebreak": ('__asm__ volatile("ebreak");', "breakpoint", r"the kernel stopped itself"),
    "ecall": ('__asm__ volatile("ecall");', "environment call", r"no system to call"),
}


def fault_of(launch, elf, *arguments, **options):
    with pytest.raises(SimulatorFault) as caught:
        launch(elf, *arguments, **options)
    return caught.value


@pytest.mark.parametrize("name", FAULTS)
def test_fault_says_why(launch, name):
    body, kind, pattern = FAULTS[name]
    fault = fault_of(launch, c_kernel(body), np.zeros(4096, np.uint8), num_pes=1)
    assert fault.kind == kind
    assert (fault.pe, fault.core) == (0, 1)
    message = str(fault)
    assert "\n" not in message
    assert f"{kind} on PE 0 core 1 at pc {fault.pc:#x} (kernel" in message
    assert re.search(pattern, message), message


def test_the_pe_at_fault_is_named(launch):
    body = "if (mtia_pe_id() == 5) *(volatile char *)16;"
    assert fault_of(launch, c_kernel(body)).pe == 5


def test_a_tensor_may_be_read_only(launch):
    tensor = np.zeros(4096, np.uint8)
    stores = [
        "mtia_wait(mtia_dma_store((void *)a[0], mtia_local(4096), 64));",
        "*(volatile char *)a[0] = 1;",
    ]
    for body in stores:
        fault = fault_of(launch, c_kernel(body), tensor, read_only=[tensor], num_pes=1)
        assert "in a tensor that the launch may only read" in str(fault)
    assert not tensor.any()


def test_runaway_ends(launch):
    elf = c_kernel('for (;;) __asm__ volatile("");')
    fault = fault_of(launch, elf, instruction_budget=5_000_000, num_pes=2)
    assert fault.kind == "runaway"
    assert "has not ended after" in str(fault)


def test_a_wait_for_what_depends_on_a_command_covers_it(launch):
    """Waiting for the store covers the load and the fill that it came after."""
    body = """volatile char *buffer = mtia_local(4096);
    mtia_fill((void *)buffer, 7, 64, 1);
    mtia_dma_load((void *)buffer, (void *)a[0], 32);
    mtia_wait(mtia_dma_store((char *)a[0] + 64, (void *)buffer, 64));
    buffer[0] = buffer[63];"""
    tensor = np.arange(128, dtype=np.uint8)
    launch(c_kernel(body), tensor, num_pes=1)
    assert tensor[64:].tolist() == [*range(32), *[7] * 32]


def test_rows_between_the_rows_of_a_command_are_free(launch):
    """A strided command owns its rows, not what lies between them."""
    body = """volatile char *buffer = mtia_local(4096);
    mtia_dma_load_2d((void *)buffer, (void *)a[0], 16, 8, 32, 16);
    for (int i = 0; i < 8; ++i)
      for (int j = 16; j < 32; ++j)
        buffer[i * 32 + j] = 1;"""
    launch(c_kernel(body), np.zeros(4096, np.uint8), num_pes=1)
    inside = body.replace("j = 16", "j = 15")
    assert fault_of(launch, c_kernel(inside), np.zeros(4096, np.uint8)).kind == "hazard"


@pytest.mark.parametrize(
    ("options", "pattern"),
    [
        ({"num_pes": 65}, "launch on 65 PEs: mtia-2i has 64"),
    ],
)
def test_launches_that_cannot_start(launch, options, pattern):
    fault = fault_of(launch, c_kernel(""), **options)
    assert fault.kind == "launch"
    assert pattern in str(fault)


def test_bad_programs_are_refused(launch):
    device = launch.device
    with pytest.raises(SimulatorFault, match="ELF"):
        device.launch(b"not an ELF", "kernel", (1, 1, 1), [], [])
    with pytest.raises(SimulatorFault, match="no symbol 'absent'"):
        device.launch(c_kernel(""), "absent", (1, 1, 1), [], [])
    with pytest.raises(SimulatorFault, match="arguments do not fit"):
        device.launch(c_kernel(""), "kernel", (1, 1, 1), [0] * 125, [])
    with pytest.raises(SimulatorFault, match="below the DRAM base"):
        device.launch(c_kernel(""), "kernel", (1, 1, 1), [], [(4096, 64, False)])
    with pytest.raises(SimulatorFault, match="different host memory"):
        device.launch(
            c_kernel(""),
            "kernel",
            (1, 1, 1),
            [],
            [(DRAM_BASE, 64, False, 4096), (DRAM_BASE + 32, 64, False, 8192)],
        )


def test_a_device_works_after_a_fault(launch):
    fault_of(launch, c_kernel("*(volatile char *)16;"))
    source = np.arange(64, dtype=np.uint8)
    target = np.zeros(64, np.uint8)
    launch(kernel("copy"), source, target, 64, num_pes=1)
    assert (source == target).all()


CHIP_ERRORS = {
    "missing": ('"clock_hz"', '"clock_hertz"', "'clock_hz' is missing"),
    "domain": ('{"value": 8, "source": "P"', '{"value": 8.5, "source": "P"', "a whole number"),
    "source": ('"source": "P"', '"source": "X"', "source is P"),
    "syntax": ("{", "[", "expected '{'"),
}


@pytest.mark.parametrize("name", CHIP_ERRORS)
def test_bad_chip_files_name_the_line(tmp_path, name):
    old, new, pattern = CHIP_ERRORS[name]
    good = (resources.files("kevolve") / "_data" / "chips" / "mtia-2i.json").read_text()
    path = tmp_path / "chip.json"
    path.write_text(good.replace(old, new, 1))
    with pytest.raises(SimulatorFault, match=rf"chip.json:\d+: .*{pattern}"):
        _mtia_sim.Device(str(path))


def test_chip_file_that_is_not_there():
    with pytest.raises(SimulatorFault, match="cannot be read"):
        _mtia_sim.Device("/nowhere/chip.json")


def test_both_chips_load():
    assert Launcher("mtia-2i").device.num_pes == 64
    assert Launcher("mtia-300").device.num_pes == 72


def test_waiting_for_an_overwritten_command_still_covers_what_came_before_it(launch):
    """The second fill takes over the first one's bytes; its ticket and what it waited for stay."""
    body = """volatile char *low = mtia_local(4096), *high = low + 64;
    mtia_dma_load((void *)low, (void *)a[0], 128);
    mtia_ticket first = mtia_fill((void *)high, 1, 64, 1);
    mtia_fill((void *)high, 2, 64, 1);
    for (volatile int i = 0; i < 1000; ++i)
      ;
    mtia_fill(mtia_local(8192), 0, 64, 1);
    mtia_wait(first);
    low[0];
    """
    launch(c_kernel(body), np.zeros(4096, np.uint8), num_pes=1)
    fault = fault_of(launch, c_kernel(body + "high[0];"), np.zeros(4096, np.uint8), num_pes=1)
    assert "fill (ticket 3" in str(fault)


def test_many_commands_without_a_wait(launch):
    """Buffers in turn, one wait at the end: every byte arrives, and commands are forgotten."""
    body = """for (int i = 0; i < 20000; ++i) {
      char *buffer = mtia_local(4096 + i % 4 * 64);
      mtia_dma_load(buffer, (char *)a[0] + i * 64, 64);
      mtia_dma_store((char *)a[1] + i * 64, buffer, 64);
    }
    mtia_wait_all();"""
    source = np.random.default_rng(10).integers(0, 256, 20000 * 64, dtype=np.uint8)
    target = np.zeros_like(source)
    launch(c_kernel(body), source, target, num_pes=1)
    assert (source == target).all()
