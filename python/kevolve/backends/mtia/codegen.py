"""LLVM IR to a RISC-V ELF, by the clang and lld of the `ziglang` package."""

from __future__ import annotations

import tempfile
from pathlib import Path

from kevolve.backends.zig import clang, run_zig

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
        run_zig("elf", ["ld.lld", "-o", elf.name, object_file.name, *arguments], folder)
        return elf.read_bytes()


def _clang(stage: str, text: str, source: str, product: str, *flags: str) -> bytes:
    return clang(stage, text, source, product, *_TARGET, *_REPRODUCIBLE, *flags)
