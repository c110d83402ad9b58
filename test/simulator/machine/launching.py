"""Kernels in C for the simulated MTIA: compiled with zig, launched on numpy arrays."""

from __future__ import annotations

import functools
import os
import subprocess
import tempfile
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path

import numpy as np
import ziglang
from kevolve._native import _mtia_sim

_HERE = Path(__file__).parent
_ISA = _HERE.parents[2] / "simulator" / "isa"
_ZIG = Path(ziglang.__file__).parent
_ARCHITECTURE = "rv64imafdcv_zvl512b_zba_zbb_zbs_zfh_zvfh"
_COMPILE = ["clang", "--target=riscv64-unknown-elf", f"-march={_ARCHITECTURE}"]
_COMPILE += ["-mcmodel=medany", "-O2", "-ffreestanding", "-c", "-x", "c", "-"]
_LINK = ["ld.lld", "-e", "kernel", "-Ttext=0x10000", "--no-relax"]

DRAM_BASE = 1 << 32


def compile_c(source: str) -> bytes:
    """The ELF of a C text whose kernel is the function `kernel`."""
    with tempfile.TemporaryDirectory() as folder:
        object_file, elf = Path(folder) / "k.o", Path(folder) / "k.elf"
        include = ["-isystem", _ZIG / "lib" / "include", "-I", _ISA]
        _zig([*_COMPILE, *include, "-o", object_file], source)
        _zig([*_LINK, "-o", elf, object_file])
        return elf.read_bytes()


def _zig(arguments: list[str | Path], text: str | None = None) -> None:
    environment = {**os.environ, "ZIG_GLOBAL_CACHE_DIR": tempfile.gettempdir()}
    done = subprocess.run(
        [_ZIG / "zig", *arguments],
        input=text,
        text=True,
        capture_output=True,
        env=environment,
        check=False,
    )
    assert done.returncode == 0, done.stderr


@functools.cache
def kernel(name: str) -> bytes:
    """The ELF of kernels/<name>.c."""
    return compile_c((_HERE / "kernels" / f"{name}.c").read_text())


@functools.cache
def c_kernel(body: str) -> bytes:
    """The ELF of a kernel given by its body; `a` is the argument block."""
    return compile_c(
        f'#include "mtia_intrinsics.h"\nvoid kernel(const uint64_t *a) {{\n{body}\n}}\n'
    )


@dataclass
class Launcher:
    """A device; arrays among the arguments of a launch become regions."""

    chip: str = "mtia-2i"
    device: _mtia_sim.Device = field(init=False)

    def __post_init__(self):
        chips = resources.files("kevolve") / "_data" / "chips"
        self.device = _mtia_sim.Device(str(chips / f"{self.chip}.json"))

    def __call__(self, elf, *arguments, grid=(1, 1, 1), read_only=(), **options):
        """Arrays get addresses of their own: those of the host may be below the DRAM base."""
        slots, regions, address = [], [], DRAM_BASE
        for argument in arguments:
            if not isinstance(argument, np.ndarray):
                slots.append(int(argument))
                continue
            assert argument.flags.c_contiguous
            writable = not any(argument is array for array in read_only)
            regions.append((address, argument.nbytes, writable, argument.ctypes.data))
            slots.append(address)
            address += (argument.nbytes // 4096 + 2) * 4096
        return self.device.launch(elf, "kernel", grid, slots, regions, **options)


def metrics(report):
    """The metrics of a report by name."""
    return {name: value for name, value, _ in report.metrics}
