"""How many blocks of a kernel a GPU holds at a time, and how evenly they fill it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from kevolve.compile.hardware import Hardware
from kevolve.compile.resources import Resources


@dataclass(frozen=True)
class Occupancy:
    """Attributes:
    blocks_per_unit: resident at a time in one compute unit.
    limit: what there would have to be more of: warps, blocks, registers or shared.
    warp_share: resident warps by the warps that the unit has room for.
    """

    blocks_per_unit: int
    limit: str
    warp_share: float


@dataclass(frozen=True)
class Spread:
    """How a grid lies on the GPU.

    Attributes:
        programs: of the grid.
        resident: how many of them run at a time.
        waves: rounds until all have run.
        busy_units: compute units that get any.
        imbalance: most programs of a unit by the mean of the busy ones, less 1.
    """

    programs: int
    resident: int
    waves: int
    busy_units: int
    imbalance: float


def occupancy(resources: Resources, hardware: Hardware) -> Occupancy:
    """The resident blocks, by whatever runs out first."""
    warps = resources.num_warps
    limits = {
        "warps": hardware.max_warps_per_unit // warps,
        "blocks": hardware.max_blocks_per_unit,
        "registers": _by_registers(resources, hardware),
        "shared": _by_shared(resources, hardware),
    }
    limit = min(limits, key=lambda name: limits[name])
    blocks = max(1, limits[limit])
    return Occupancy(blocks, limit, min(1.0, blocks * warps / hardware.max_warps_per_unit))


def _by_registers(resources: Resources, hardware: Hardware) -> int:
    granule = hardware.register_granularity_per_warp
    lanes = max(1, resources.registers_per_thread) * hardware.warp_size
    per_warp = math.ceil(lanes / granule) * granule
    return hardware.registers_per_unit // per_warp // resources.num_warps


def _by_shared(resources: Resources, hardware: Hardware) -> int:
    if resources.shared_bytes == 0:
        return hardware.max_blocks_per_unit
    per_block = resources.shared_bytes + hardware.shared_bytes_reserved_per_block
    return hardware.shared_bytes_per_unit // per_block


def spread(programs: int, held: Occupancy, hardware: Hardware) -> Spread:
    """Programs go to the unit that has room, so units differ by one at most."""
    units = hardware.compute_units
    slots = units * held.blocks_per_unit
    busy = min(units, programs)
    most = math.ceil(programs / units)
    return Spread(
        programs,
        min(programs, slots),
        math.ceil(programs / slots),
        busy,
        most / (programs / busy) - 1.0,
    )
