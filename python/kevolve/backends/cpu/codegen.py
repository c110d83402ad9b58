"""LLVM IR to a shared library for this machine, by the clang and lld of the `ziglang` package."""

from __future__ import annotations

import functools
import hashlib
import tempfile
from pathlib import Path

from kevolve.backends.cpu.device import architecture
from kevolve.backends.zig import clang, run_zig

# The same text gives the same bytes, wherever the temporary folder is.
_REPRODUCIBLE = ("-fdebug-compilation-dir=.",)


def make_assembly(llvm_ir: str) -> str:
    """Optimised assembly of an LLVM IR module."""
    flags = ("-O3", "-fPIC", "-Wno-override-module")
    return clang("asm", llvm_ir, "kernel.ll", "kernel.s", *_target(), *flags, "-S").decode()


def make_library(assembly: str) -> bytes:
    """A shared library that exports the loop over programs.

    What it calls (of libc, libm, and `memrefCopy` of MLIR's runtime) it finds in the process that
    loads it, so that the library is the same on every machine with this CPU.
    """
    with tempfile.TemporaryDirectory(prefix="kevolve-") as folder:
        compiled = clang("so", assembly, "kernel.s", "kernel.o", *_target(), "-c")
        (Path(folder) / "kernel.o").write_bytes(compiled)
        linking = ["ld.lld", "-shared", "--build-id=none", "-o", "kernel.so", "kernel.o"]
        run_zig("so", linking, folder)
        return (Path(folder) / "kernel.so").read_bytes()


@functools.cache
def host_cpu_hash() -> str:
    """Changes with the instructions that the code generator finds on this machine's CPU."""
    with tempfile.TemporaryDirectory(prefix="kevolve-") as folder:
        (Path(folder) / "empty.c").touch()
        resolved = run_zig("host", ["clang", *_target(), "-###", "-S", "empty.c"], folder)
    words = [word for word in resolved.split() if not word.startswith('"/')]
    return hashlib.sha256(" ".join(words).encode()).hexdigest()[:16]


def _target() -> tuple[str, ...]:
    # clang has -march=native on x86-64 and -mcpu=native on aarch64.
    name = architecture()
    native = "-mcpu=native" if name == "aarch64" else "-march=native"
    return (f"--target={name}-unknown-linux-gnu", native, *_REPRODUCIBLE)
