"""How fast the simulator is, beside qemu-riscv64 on the same ELF, and on whole kernels.

    python benchmarks/simulator.py [--output FILE]

Programs run in alternation with qemu's, and the median of the ratios counts: what else the machine
does hits both. Kernels run in one process on one core; their first launch compiles too.
"""

from __future__ import annotations

import argparse
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib import resources
from pathlib import Path

import torch
import triton
import triton.language as tl
from kevolve.backends import mtia
from machine import processor, versions

ROOT = Path(__file__).parents[1]
DEFAULT_OUTPUT = ROOT / "docs" / "benchmarks" / "simulator.md"
HART = Path(str(resources.files("kevolve"))) / "bin" / "mtia-hart-run"
QEMU = ["qemu-riscv64", "-cpu", "rv64,v=true,vext_spec=v1.0,vlen=512,elen=64,Zfh=true"]
MARCH = "rv64gcv_zvl512b"
PAIRS = 5
PACKAGES = ("kevolve", "torch", "triton", "ziglang")

EXIT = """
void _start(void) {
  long status = work() & 1;
  register long a0 __asm__("a0") = status;
  register long a7 __asm__("a7") = 93;
  __asm__ volatile("ecall" : : "r"(a0), "r"(a7));
  __builtin_unreachable();
}
"""
# Name, source, compiler options. What they compute matters little: integer code with branches and
# loads that depend on each other, and streams of float vectors.
PROGRAMS = (
    (
        "scalar: shift-register hash over a table",
        """
static unsigned table[4096];
static long work(void) {
  unsigned x = 1;
  for (long i = 0; i < 30000000; ++i) {
    x ^= x << 13; x ^= x >> 17; x ^= x << 5;
    unsigned *slot = &table[x & 4095];
    if (*slot & 1) *slot += x; else *slot ^= i;
  }
  return table[7];
}""",
        ("-O2", "-fno-vectorize"),
    ),
    (
        "vector: saxpy of 8192 floats",
        """
static float x[8192], y[8192];
static long work(void) {
  for (long turn = 0; turn < 20000; ++turn) {
    float a = (float)turn;
    for (long i = 0; i < 8192; ++i) y[i] = y[i] * 0.5f + a * x[i];
    __asm__ volatile("" : : : "memory");
  }
  return (long)y[5];
}""",
        ("-O3",),
    ),
)


def build(folder: Path, source: str, options: tuple[str, ...]) -> Path:
    """`source` as a bare RISC-V ELF file that both simulators run."""
    code, elf = folder / "program.c", folder / "program.elf"
    code.write_text(source + EXIT)
    target = ["--target=riscv64-unknown-elf", f"-march={MARCH}", "-mabi=lp64d", "-mcmodel=medany"]
    clang = [sys.executable, "-m", "ziglang", "clang"]
    flags = ["-ffreestanding", "-fno-builtin", *options]
    subprocess.run(
        [*clang, *target, *flags, "-c", str(code), "-o", str(code.with_suffix(".o"))], check=True
    )
    link = [sys.executable, "-m", "ziglang", "ld.lld", str(code.with_suffix(".o")), "-o", str(elf)]
    subprocess.run([*link, "-e", "_start", "-Ttext=0x10000"], check=True)
    return elf


def seconds(command: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return time.perf_counter() - start


def instructions(elf: Path) -> int:
    done = subprocess.run([str(HART), "--counters", str(elf)], capture_output=True, text=True)
    found = re.search(r"instructions\D*(\d+)", done.stdout + done.stderr)
    if found is None:
        sys.exit(f"{HART} --counters says no number of instructions: {done.stderr}")
    return int(found[1])


def program_row(name: str, elf: Path) -> str:
    count = instructions(elf)
    ours, ratios = [], []
    for _ in range(PAIRS):
        ours.append(seconds([str(HART), str(elf)]))
        ratios.append(seconds([*QEMU, str(elf)]) / ours[-1])
    rate = count / min(ours) / 1e6
    ratio = f"{statistics.median(ratios):.2f}x ({min(ratios):.2f} to {max(ratios):.2f})"
    return f"| {name} | {count / 1e6:.0f} M | {rate:.0f} M/s | {ratio} |"


@triton.jit
def matmul(a, b, c, n, BLOCK: tl.constexpr):
    rows = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    columns = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK, BLOCK), tl.float32)
    for start in range(0, n, BLOCK):
        depth = start + tl.arange(0, BLOCK)
        left = tl.load(a + rows[:, None] * n + depth[None, :])
        total += tl.dot(left, tl.load(b + depth[:, None] * n + columns[None, :]))
    tl.store(c + rows[:, None] * n + columns[None, :], total)


@triton.jit
def softmax(x, y, columns, BLOCK: tl.constexpr):
    at = tl.program_id(0) * columns + tl.arange(0, BLOCK)
    value = tl.load(x + at)
    value = tl.exp(value - tl.max(value, 0))
    tl.store(y + at, value / tl.sum(value, 0))


def launch_matmul() -> None:
    a, b = torch.randn(1024, 1024).half(), torch.randn(1024, 1024).half()
    matmul[(8, 8)](a, b, torch.zeros(1024, 1024), 1024, BLOCK=128)


def launch_softmax() -> None:
    x = torch.randn(4096, 1024)
    softmax[(4096,)](x, torch.zeros_like(x), 1024, BLOCK=1024)


def kernel_row(name: str, launch: Callable[[], None]) -> str:
    times = []
    for _ in range(PAIRS + 1):
        start = time.perf_counter()
        launch()
        times.append(time.perf_counter() - start)
    cycles = mtia.take_launches()[-1].report.cycles
    return f"| {name} | {times[0]:.2f} s | {statistics.median(times[1:]):.2f} s | {cycles} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=DEFAULT_OUTPUT)
    output = parser.parse_args().output
    if shutil.which(QEMU[0]) is None:
        sys.exit(f"{QEMU[0]} is not installed: apt install qemu-user")
    torch.set_num_threads(1)
    torch.manual_seed(0)
    mtia.activate()
    with tempfile.TemporaryDirectory() as folder, triton.knobs.cache.scope():
        triton.knobs.cache.dir = folder
        programs = [
            program_row(name, build(Path(folder), source, options))
            for name, source, options in PROGRAMS
        ]
        kernels = [
            kernel_row("FP16 matrix product, 1024^3, blocks of 128", launch_matmul),
            kernel_row("softmax, 4096 x 1024 float32", launch_softmax),
        ]
    qemu = subprocess.run([QEMU[0], "--version"], capture_output=True, text=True, check=True)
    text = [
        "# How fast the simulator is",
        "",
        "Made by `python benchmarks/simulator.py`.",
        f"{versions(PACKAGES)}; {qemu.stdout.splitlines()[0]}; {processor()}.",
        "",
        f"Programs: {PAIRS} pairs in alternation; the ratio is qemu's time by ours, over 1",
        "where we are faster.",
        "",
        "| program | instructions | our rate, best | qemu's time / ours, median (range) |",
        "|---|---|---|---|",
        *programs,
        "",
        "Kernels: wall-clock time of a launch on one core, first with its compilation, then the",
        "median of those after it.",
        "",
        "| kernel | first launch | later launches | simulated cycles |",
        "|---|---|---|---|",
        *kernels,
    ]
    output.write_text("\n".join(text) + "\n")


if __name__ == "__main__":
    main()
