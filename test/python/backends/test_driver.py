"""What Triton asks of the driver and of the backend, without a launch."""

import subprocess
import sys

import pytest
import triton
import triton.language as tl
from kevolve.backends import mtia
from kevolve.backends.mtia import device as devices
from kevolve.backends.mtia.driver import MtiaDriver
from kevolve.errors import CompileError, UnknownTargetError
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource, make_backend

TARGET = GPUTarget("mtia", "mtia-2i", 1)


def test_triton_imports_neither_mlir_nor_torch_nor_the_simulator_for_it():
    code = (
        "import sys, triton; "
        "print([m for m in ('mlir', 'torch', 'kevolve._native._mtia_sim') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("backend", ["mtia", "cpu"])
def test_a_backend_can_be_activated_before_triton_is_imported(backend):
    code = f"from kevolve.backends import {backend}; {backend}.activate()"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_it_is_the_default_without_a_gpu():
    if not MtiaDriver.is_active():
        pytest.skip("a GPU driver is active on this machine")
    assert triton.backends.backends["mtia"].driver is MtiaDriver
    assert triton.runtime.driver.default.get_current_target() == TARGET


def test_activating_twice_keeps_the_device():
    mtia.activate()
    first = devices.current()
    mtia.activate()
    assert devices.current() is first
    assert isinstance(triton.runtime.driver.active, MtiaDriver)


def test_profiling_is_another_device_for_tritons_kernel_cache(device):
    plain = triton.runtime.driver.active.get_current_device()
    mtia.enable_profiling()
    driver = triton.runtime.driver.active
    assert driver.get_current_device() != plain
    assert driver.get_current_target().arch == "mtia-2i:probed"
    options = make_backend(driver.get_current_target()).parse_options({})
    assert (options.arch, options.probes) == ("mtia-2i", True)


def test_other_chips_need_a_file():
    with pytest.raises(UnknownTargetError, match="no MTIA chip 'mtia-9'; there are mtia-2i"):
        mtia.activate("mtia-9")


def test_options_are_in_the_hash():
    backend = make_backend(TARGET)
    hashes = {
        backend.parse_options(options).hash()
        for options in ({}, {"vector_lmul": 2}, {"cb_multiplier": 3}, {"use_se": False})
    }
    assert len(hashes) == 4
    assert backend.parse_options({}).hash() == backend.parse_options({}).hash()


def test_gpu_launch_options_are_accepted():
    options = make_backend(TARGET).parse_options({"num_warps": 8, "num_stages": 3, "maxnreg": 128})
    assert options.num_warps == 8


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"vector_lmul": 3}, "vector_lmul must be 1, 2, 4 or 8, got 3"),
        ({"cb_multiplier": 0}, "cb_multiplier must be at least 1, got 0"),
        ({"extern_libs": {"a": "b.bc"}}, "links no external libraries"),
    ],
)
def test_bad_options_are_told(options, message):
    with pytest.raises(CompileError, match=message):
        make_backend(TARGET).parse_options(options)


@triton.jit
def copy(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, mask=at < n), mask=at < n)


def test_every_stage_can_be_read():
    source = ASTSource(
        copy, {"x": "*fp32", "out": "*fp32", "n": "i32", "BLOCK": "constexpr"}, {"BLOCK": 128}
    )
    compiled = triton.compile(source, target=TARGET)
    assert list(compiled.asm) == ["source", "ttir", "linalg", "mtia", "llir", "asm", "elf"]
    assert "tt.load" in compiled.asm["ttir"]
    assert "tile.load" in compiled.asm["linalg"]
    assert "mtia.dma_load" in compiled.asm["mtia"]
    assert "define void @copy(ptr" in compiled.asm["llir"]
    assert ".insn r 11" in compiled.asm["asm"]
    assert compiled.asm["elf"][:4] == b"\x7fELF"
    assert f'"{__file__}"' in compiled.asm["mtia"]
