"""Builds bare RISC-V programs and runs them on the hart and on qemu.

A program uses of Linux only `write` and `exit`, so that both run the same file.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ZIG = (sys.executable, "-m", "ziglang")
TARGET = "--target=riscv64-unknown-elf"
QEMU = "qemu-riscv64"
# What qemu 7.2, the oldest supported, knows of; Zvfh comes with Zfh there.
QEMU_CPU = "rv64,v=true,vext_spec=v1.0,vlen=512,elen=64,Zfh=true,zba=true,zbb=true,zbs=true"
QEMU_MARCH = "rv64gcv_zvl512b_zba_zbb_zbs_zfh_zvfh"
MARCH = f"{QEMU_MARCH}_zvfbfmin_zvbb"
TIMEOUT_S = 60


@dataclass(frozen=True)
class Outcome:
    status: int
    output: bytes
    errors: str


def qemu_is_missing() -> bool:
    return shutil.which(QEMU) is None


def _check(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_S)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stderr[:4000]}"


def build(source: Path, *options: str, march: str = QEMU_MARCH) -> Path:
    """Compiles or assembles `source` and links it at 0x10000, entry `_start`."""
    obj, elf = source.with_suffix(".o"), source.with_suffix(".elf")
    flags = [TARGET, f"-march={march}", "-mabi=lp64d", "-mcmodel=medany", *options]
    _check([*ZIG, "clang", *flags, "-c", str(source), "-o", str(obj)])
    _check([*ZIG, "ld.lld", str(obj), "-o", str(elf), "-e", "_start", "-Ttext=0x10000"])
    return elf


def _run(command: list[str]) -> Outcome:
    done = subprocess.run(command, capture_output=True, timeout=TIMEOUT_S)
    return Outcome(done.returncode, done.stdout, done.stderr.decode(errors="replace"))


def run_on_qemu(elf: Path) -> Outcome:
    return _run([QEMU, "-cpu", QEMU_CPU, str(elf)])


def run_on_hart(runner: Path, elf: Path, *options: str) -> Outcome:
    return _run([str(runner), *options, str(elf)])
