"""The published points of the MTIA 2i, and what each model parameter does to them.

    python benchmarks/calibration.py [--output FILE]

The points are Triton kernels that go through the whole compiler. They are compiled once; then the
same binaries run on chips of which one model parameter is 20 % lower or higher.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import torch
import triton
import triton.language as tl
from kevolve._native import _mtia_sim
from kevolve.backends import mtia
from kevolve.backends.mtia import device
from machine import versions

ROOT = Path(__file__).parents[1]
DEFAULT_OUTPUT = ROOT / "docs" / "benchmarks" / "calibration.md"
CHIP = "mtia-2i"
PACKAGES = ("kevolve", "triton")
CHANGE = 0.2
# These can only be halved and doubled.
POWERS_OF_TWO = ("sram.line_bytes", "noc.beat_bytes")
# Below this a change of a point (in per cent of its value) is not told apart from none.
SHOWN = 0.05


@triton.jit
def linear(
    a, b, c, m, n, k,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, TYPE: tl.constexpr,
):  # fmt: skip
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    total = tl.zeros((BM, BN), TYPE)
    for start in range(0, k, BK):
        depth = start + tl.arange(0, BK)
        left = tl.load(a + rows[:, None] * k + depth[None, :])
        inside = columns[None, :] < n
        right = tl.load(b + depth[:, None] * n + columns[None, :], mask=inside, other=0)
        total += tl.dot(left, right, out_dtype=TYPE)
    tl.store(c + rows[:, None] * n + columns[None, :], total, mask=columns[None, :] < n)


def launch_linear(
    shape: tuple[int, int, int],
    blocks: tuple[int, int, int],
    warm: bool = True,
    int8: bool = False,
) -> Any:
    """The report of an m x n x k product, cold or as the second of two launches."""
    m, n, k = shape
    operand, result = (torch.int8, torch.int32) if int8 else (torch.float16, torch.float32)
    a, b = torch.ones(m, k, dtype=operand), torch.ones(k, n, dtype=operand)
    c = torch.zeros(m, n, dtype=result)
    grid = (triton.cdiv(m, blocks[0]), triton.cdiv(n, blocks[1]))
    names = dict(zip(("BM", "BN", "BK"), blocks, strict=True))
    mtia.reset_device()
    for _ in range(2 if warm else 1):
        linear[grid](a, b, c, m, n, k, TYPE=tl.int32 if int8 else tl.float32, **names)
    assert (c == k).all()
    return mtia.take_launches()[-1].report


def percent(report: Any, metric: str) -> float:
    return 100 * next(value for name, value, _ in report.metrics if name == metric)


def gemm_from_sram() -> float:
    """Share of peak, in per cent."""
    return percent(launch_linear((2048, 2048, 2048), (128, 128, 64)), "dpe.utilization")


def fully_connected() -> float:
    """Share of DRAM's bandwidth, in per cent: cold weights of 109 MB."""
    report = launch_linear((512, 26592, 2048), (256, 128, 64), warm=False)
    return percent(report, "dram.utilization")


def int8_speedup() -> float:
    """FP16 cycles by INT8 cycles, operands in SRAM."""
    shape, blocks = (1024, 1024, 1024), (128, 128, 128)
    int8 = launch_linear(shape, blocks, int8=True)
    return launch_linear(shape, blocks).cycles / int8.cycles


def tiny_commands() -> float:
    """Cycles in blocks of 16 by those in blocks of 64, operands in SRAM."""
    tiny = launch_linear((256, 256, 256), (16, 16, 16))
    return tiny.cycles / launch_linear((256, 256, 256), (64, 64, 64)).cycles


POINTS: tuple[tuple[str, str, str, Callable[[], float]], ...] = (
    ("2048^3 FP16 GEMM from SRAM", "> 92 % of peak", "%", gemm_from_sram),
    ("FC 512 x 26592 x 2048, cold", "90-98 % of DRAM's bandwidth", "%", fully_connected),
    ("INT8 against FP16, 1024^3", "1.5-1.7x", "x", int8_speedup),
    ("256^3 in 16-blocks against 64-blocks", "slower", "x", tiny_commands),
)


def measure() -> list[float]:
    return [point() for *_, point in POINTS]


def model_parameters() -> dict[str, dict[str, object]]:
    """What the chip's file marks as a choice of the model."""
    text = json.loads(device.chip_file(CHIP).read_text())
    return {name: entry for name, entry in text.items() if entry["source"] == "M"}


def changed(name: str, factor: float) -> Iterator[tuple[float, Path]]:
    """The file of a chip on which `name` is `factor` times what it is; none where it cannot be."""
    text = json.loads(device.chip_file(CHIP).read_text())
    before = text[name]["value"]
    after = type(before)(round(before * factor)) if isinstance(before, int) else before * factor
    if after in (before, 0):
        return
    text[name]["value"] = after
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "changed.json"
        path.write_text(json.dumps(text))
        yield after, path


def effects(name: str, factor: float, usual: list[float]) -> str:
    for value, path in changed(name, factor):
        try:
            device.current().simulator = _mtia_sim.Device(str(path))
            moved = [100 * (now / then - 1) for now, then in zip(measure(), usual, strict=True)]
        except (_mtia_sim.SimulatorFault, ValueError, RuntimeError) as error:
            return f"{value}: {str(error).splitlines()[0]}"
        shown = [f"{change:+.1f}" if abs(change) >= SHOWN else "0" for change in moved]
        return f"{value:g}: {' / '.join(shown)}"
    return "-"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=DEFAULT_OUTPUT)
    output = parser.parse_args().output
    mtia.activate(CHIP)
    usual = measure()
    points = [
        f"| {name} | {published} | {value:.1f}{'' if unit == 'x' else ' '}{unit} |"
        for (name, published, unit, _), value in zip(POINTS, usual, strict=True)
    ]
    rows = []
    for name, entry in model_parameters().items():
        factors = (0.5, 2.0) if name in POWERS_OF_TWO else (1 - CHANGE, 1 + CHANGE)
        moved = [effects(name, factor, usual) for factor in factors]
        rows.append(f"| `{name}` | {entry['value']:g} | {' | '.join(moved)} | {entry['reason']} |")
        print(rows[-1], file=sys.stderr)
    text = [
        "# Calibration of the simulated MTIA 2i",
        "",
        f"Made by `python benchmarks/calibration.py`; {versions(PACKAGES)}.",
        "Cycles are simulated: they are the same on every machine. The kernels are Triton, through",
        "the whole compiler.",
        "",
        "| point | published | simulated |",
        "|---|---|---|",
        *points,
        "",
        "Small tiles are slower here by latencies, not by the rate of issue: this kernel waits for",
        "each product. A core that issues without waiting is bound by issue, which",
        "`test/simulator/machine/test_timing.py` shows.",
        "",
        "## Model parameters",
        "",
        "What is not published is a choice, with its reason. Beside each value: it 20 % lower and",
        "higher (half and twice for powers of two), and by how many per cent each of the four",
        "points above moves, in their order. Where rounding leaves a number as it",
        "is, there is nothing to measure (-). [All parameters](../simulator.md#parameters).",
        "",
        "| parameter | value | 20 % lower | 20 % higher | reason |",
        "|---|---|---|---|---|",
        *rows,
    ]
    output.write_text("\n".join(text) + "\n")


if __name__ == "__main__":
    main()
