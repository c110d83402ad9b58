"""An estimate of a GPU kernel's time without a GPU: a roofline with occupancy and waves.

It says which of two kernels moves fewer bytes or fills the machine better, and by how much that
could matter. It knows nothing of bank conflicts, instruction issue, or the power that limits
clocks; measured numbers replace it wherever there are any. It is a lower bound: on an H200 at
1.98 GHz a softmax of 16384 rows of 1000 took 39 us where it says 28, a 4096-wide float16 matmul
210 us where it says 144 (cold L2, median of 30).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from kevolve.compile.artifact import Artifact
from kevolve.compile.hardware import Hardware, hardware_of
from kevolve.compile.occupancy import Occupancy, Spread, occupancy, spread
from kevolve.compile.resources import Resources, resources
from kevolve.compile.targets import find_target
from kevolve.compile.traffic import Traffic, traffic
from kevolve.errors import CompileError
from kevolve.records import Metric
from kevolve.triton_bridge.kernels import Grid

SOURCE = "estimate"


@dataclass(frozen=True)
class Estimate:
    """What the model says of one launch.

    Attributes:
        time_ns: of the kernel.
        bound: `memory`, `matrix` or `vector`: the longest of the three times.
        memory_time_ns, matrix_time_ns, vector_time_ns: each alone.
        traffic, occupancy, spread: what the times were made of.
        metrics: the same under the names that diagnoses use.
    """

    time_ns: float
    bound: str
    memory_time_ns: float
    matrix_time_ns: float
    vector_time_ns: float
    traffic: Traffic
    occupancy: Occupancy
    spread: Spread
    metrics: tuple[Metric, ...]


def estimate(
    artifact: Artifact,
    grid: Grid | None = None,
    values: Mapping[str, int | float | bool] | None = None,
    product: str | None = None,
) -> Estimate:
    """Estimates a launch of a cuda or hip kernel.

    Args:
        artifact: the compiled kernel, down to its binary.
        grid: programs in x, y, z; by default those of the launch that it was taken from.
        values: scalar arguments by name; likewise.
        product: part of a GPU's name (`H200`); by default the usual one of the architecture.
    """
    manifest = artifact.manifest
    grid = grid or manifest.grid
    if grid is None:
        raise CompileError("an estimate needs the grid of the launch", artifact.path)
    hardware = hardware_of(find_target(manifest.target), product)
    used = resources(artifact)
    level = "ttir" if "ttir" in manifest.levels else "ttgir"
    moved = traffic(artifact.text(level), grid, manifest.values if values is None else values)
    return combine(moved, used, hardware, grid, _stages(artifact))


def _stages(artifact: Artifact) -> int:
    """Loads of a loop that are under way at a time: what Triton pipelined with."""
    stages = artifact.manifest.metadata.get("num_stages", 1)
    return max(1, int(stages)) if isinstance(stages, int) else 1


def combine(
    moved: Traffic, used: Resources, hardware: Hardware, grid: Grid, stages: int
) -> Estimate:
    """The times of a launch that does `moved`."""
    held = occupancy(used, hardware)
    laid = spread(grid[0] * grid[1] * grid[2], held, hardware)
    # A unit with more programs than the others finishes last, an idle one helps nobody.
    fill = laid.busy_units / hardware.compute_units / (1.0 + laid.imbalance)
    times = {
        "memory": _memory_time_ns(moved, hardware, laid, stages),
        "matrix": _matrix_time_ns(moved, hardware) / fill,
        "vector": moved.vector_flops / hardware.peak_flop_per_s["fp32"] * 1e9 / fill,
    }
    bound = max(times, key=lambda name: times[name])
    # The first load and the last store are covered by nothing.
    time_ns = times[bound] + 2 * (hardware.dram_latency_ns or 0.0)
    metrics = _metrics(moved, hardware, laid, times, time_ns)
    return Estimate(
        time_ns,
        bound,
        times["memory"],
        times["matrix"],
        times["vector"],
        moved,
        held,
        laid,
        metrics,
    )


def dram_bytes(moved: Traffic, hardware: Hardware, laid: Spread) -> float:
    """Each byte once; again only where neither the cache nor a neighbour has it still."""
    total = 0.0
    for by_argument in (moved.read_bytes, moved.written_bytes):
        once = moved.footprint_bytes(by_argument)
        if once <= hardware.l2_bytes:
            total += once
            continue
        for base, asked in by_argument.items():
            alone = moved.footprint_bytes({base: asked})
            total += max(alone, min(asked, asked * _unshared(moved, base, laid.resident)))
    return total


def _unshared(moved: Traffic, base: str, resident: int) -> float:
    """The share of an argument's reads that no other resident program makes at that time.

    Programs that start at the same place read the same; how the number of places grows from 16
    neighbours to 64 tells how many there are among all that are resident.
    """
    few, many = moved.neighbours.get(base, (0, 0))
    if not few or not many:
        return 1.0
    growth = math.log(many / few) / math.log(64 / 16)
    places = many * (max(1, resident) / 64) ** growth
    return float(min(1.0, places / resident))


def _memory_time_ns(moved: Traffic, hardware: Hardware, laid: Spread, stages: int) -> float:
    bandwidth = _bandwidth(moved, hardware, laid, stages)
    return dram_bytes(moved, hardware, laid) / bandwidth * 1e9


def _bandwidth(moved: Traffic, hardware: Hardware, laid: Spread, stages: int) -> float:
    """Little's law: bytes under way by latency, up to the peak."""
    if hardware.dram_latency_ns is None or not moved.total_read_bytes:
        return hardware.dram_bytes_per_s
    per_program = moved.total_read_bytes / laid.programs
    if moved.loop_iterations > 1:
        per_program *= min(1.0, stages / moved.loop_iterations)
    under_way = laid.resident * per_program
    return min(hardware.dram_bytes_per_s, under_way / (hardware.dram_latency_ns * 1e-9))


def _matrix_time_ns(moved: Traffic, hardware: Hardware) -> float:
    return sum(
        flops / matrix_peak(element, hardware) * 1e9
        for element, flops in moved.matrix_flops.items()
    )


def matrix_peak(element: str, hardware: Hardware) -> float:
    """Peak of the matrix units for operands of a type; else of what they are computed as."""
    peaks = hardware.peak_flop_per_s
    # Triton's default for float32 is TF32 on NVIDIA and full precision on AMD.
    single = ("tensor_tf32",) if hardware.family == "cuda" else ("tensor_fp32",)
    orders: dict[str, tuple[str, ...]] = {
        "f16": ("tensor_fp16",),
        "bf16": ("tensor_bf16", "tensor_fp16"),
        "f32": single,
        "f64": ("tensor_fp64", "fp64"),
        "i8": ("tensor_int8",),
    }
    order = orders.get(element, ("tensor_fp8", "tensor_fp16"))
    return next((peaks[name] for name in order if name in peaks), peaks["fp32"])


def _metrics(
    moved: Traffic, hardware: Hardware, laid: Spread, times: Mapping[str, float], time_ns: float
) -> tuple[Metric, ...]:
    peak = max((matrix_peak(kind, hardware) for kind in moved.matrix_flops), default=0.0)
    from_dram = dram_bytes(moved, hardware, laid)
    seconds = time_ns * 1e-9
    rows = (
        ("kernel.time", time_ns, "ns"),
        ("kernel.cycles", seconds * hardware.clock_hz, "cycles"),
        ("clock", hardware.clock_hz, "Hz"),
        ("compute.flops", moved.total_flops, "flop"),
        ("compute.peak", peak or hardware.peak_flop_per_s["fp32"], "flop/s"),
        ("memory.bytes_read", moved.total_read_bytes, "B"),
        ("memory.bytes_written", moved.total_written_bytes, "B"),
        ("dram.bytes", from_dram, "B"),
        ("dram.peak", hardware.dram_bytes_per_s, "B/s"),
        ("dram.utilization", _share(from_dram / hardware.dram_bytes_per_s, seconds), "1"),
        ("dpe.utilization", _share(_matrix_time_ns(moved, hardware), time_ns), "1"),
        ("vector.utilization", _share(times["vector"], time_ns), "1"),
        ("pe.utilization", laid.busy_units / hardware.compute_units, "1"),
        ("pe.imbalance", laid.imbalance, "1"),
    )
    return tuple(Metric(name, value, unit, SOURCE) for name, value, unit in rows)


def _share(part: float, whole: float) -> float:
    return min(1.0, part / whole) if whole > 0 else 0.0
