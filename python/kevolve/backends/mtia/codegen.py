"""LLVM IR to a RISC-V ELF, by the clang and lld of the `ziglang` package."""

from __future__ import annotations

import functools
import subprocess
import tempfile
from pathlib import Path

from kevolve.errors import CompileError

# What a hart of the simulator executes (simulator/hart): RVV with 512-bit registers, as published
# for MTIA 2i (64-byte vector registers), bit manipulation and half-precision arithmetic.
MARCH = "rv64imafdcv_zvl512b_zba_zbb_zbs_zfh_zvfh_zvfbfmin"
_TARGET = ("--target=riscv64-unknown-elf", f"-march={MARCH}", "-mabi=lp64d", "-mcmodel=medany")
# The same text gives the same bytes, wherever the temporary folder is.
_REPRODUCIBLE = ("-mno-relax", "-fdebug-compilation-dir=.")
# MTIA_CODE_BASE of simulator/isa/mtia_isa.h.
_CODE_BASE = 0x10000


def make_assembly(llvm_ir: str) -> str:
    """Optimised assembly of an LLVM IR module."""
    # Kernels have no libc to call: loops stay loops.
    flags = ("-O3", "-ffreestanding", "-fno-builtin", "-Wno-override-module")
    return _clang("asm", llvm_ir, "kernel.ll", "kernel.s", *flags, "-S").decode()


def make_elf(assembly: str, entry: str) -> bytes:
    """A statically linked ELF whose entry point is the kernel."""
    with tempfile.TemporaryDirectory(prefix="kevolve-") as folder:
        object_file, elf = Path(folder) / "kernel.o", Path(folder) / "kernel.elf"
        object_file.write_bytes(_clang("elf", assembly, "kernel.s", "kernel.o", "-c"))
        arguments = ("-e", entry, f"-Ttext={_CODE_BASE:#x}", "--no-relax", "--build-id=none")
        _run_zig("elf", ["ld.lld", "-o", elf.name, object_file.name, *arguments], folder)
        return elf.read_bytes()


def _clang(stage: str, text: str, source: str, product: str, *flags: str) -> bytes:
    """Runs clang on files of fixed names, so that its output depends on `text` alone."""
    with tempfile.TemporaryDirectory(prefix="kevolve-") as folder:
        (Path(folder) / source).write_text(text)
        _run_zig(stage, ["clang", *_TARGET, *_REPRODUCIBLE, *flags, source, "-o", product], folder)
        return (Path(folder) / product).read_bytes()


def _run_zig(stage: str, arguments: list[str], folder: str) -> None:
    done = subprocess.run(
        [str(zig()), *arguments], cwd=folder, capture_output=True, text=True, check=False
    )
    if done.returncode == 0:
        return
    errors = [line for line in done.stderr.splitlines() if "error" in line] or [
        f"{arguments[0]} ended with status {done.returncode}"
    ]
    raise CompileError(f"{stage}: {errors[0]}")


@functools.cache
def zig() -> Path:
    """The driver program of the `ziglang` package."""
    import ziglang

    program = Path(ziglang.__file__).parent / "zig"
    if not program.is_file():
        raise CompileError(f"the ziglang package has no {program.name} program")
    return program
