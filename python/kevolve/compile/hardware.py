"""Numbers of the GPUs that kevolve compiles for, as data (kb/hardware), each with its source."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from importlib.resources import files

from pydantic import ValidationError

from kevolve.compile.targets import Target
from kevolve.errors import KevolveError
from kevolve.records import from_json


@dataclass(frozen=True)
class Hardware:
    """A GPU. "Unit" is a streaming multiprocessor or a compute unit.

    Attributes:
        name: the product.
        family, arch: as in `Target`.
        default: whether it stands for its architecture when no product is named.
        compute_units: how many there are.
        clock_hz: the clock at which the peaks hold.
        dram_bytes_per_s: peak bandwidth of device memory.
        dram_latency_ns: of a load that misses all caches; None where nobody published it.
        l2_bytes: the last cache level before memory.
        warp_size: lanes of a warp or wave.
        max_warps_per_unit, max_blocks_per_unit: resident at a time.
        registers_per_unit: 32-bit registers, lanes counted.
        register_granularity_per_warp: registers of a warp are a multiple of this.
        shared_bytes_per_unit: shared memory or LDS.
        shared_bytes_reserved_per_block: what the system adds to each block.
        max_shared_bytes_per_block: what one block may ask for.
        peak_flop_per_s: by kind: `fp32` on the vector units, `tensor_fp16` on matrix units, ...
        sources: where the numbers come from.
    """

    name: str
    family: str
    arch: str
    default: bool
    compute_units: int
    clock_hz: float
    dram_bytes_per_s: float
    dram_latency_ns: float | None
    l2_bytes: int
    warp_size: int
    max_warps_per_unit: int
    max_blocks_per_unit: int
    registers_per_unit: int
    register_granularity_per_warp: int
    shared_bytes_per_unit: int
    shared_bytes_reserved_per_block: int
    max_shared_bytes_per_block: int
    peak_flop_per_s: dict[str, float]
    sources: dict[str, str]


@functools.cache
def all_hardware() -> tuple[Hardware, ...]:
    """Every GPU on file."""
    folder = files("kevolve") / "_data" / "hardware"
    if not folder.is_dir():
        raise KevolveError(
            "the hardware files are not installed: run cmake, or pip install", str(folder)
        )
    found = []
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        try:
            found.append(from_json(Hardware, file.read_bytes()))
        except ValidationError as error:
            raise KevolveError(
                f"not a hardware file: {error.errors()[0]['msg']}", str(file)
            ) from error
    return tuple(found)


def hardware_of(target: Target, product: str | None = None) -> Hardware:
    """The GPU that stands for `target`, or the one whose name contains `product`."""
    fitting = [
        one for one in all_hardware() if (one.family, one.arch) == (target.family, target.chip)
    ]
    chosen = [
        one
        for one in fitting
        if (one.default if product is None else product.lower() in one.name.lower())
    ]
    if not chosen:
        known = ", ".join(one.name for one in fitting) or "none"
        raise KevolveError(
            f"no hardware {product or ''} on file for {target.name}; there is {known}"
        )
    return chosen[0]
