"""What of a target the schedules depend on: how many processors, how much fast memory each has."""

from __future__ import annotations

from dataclasses import dataclass

from kevolve.errors import UnknownTargetError


@dataclass(frozen=True)
class Limits:
    """Capacities of one target.

    Attributes:
        processors: programs that run at the same time (PEs, SMs, CUs, cores).
        local_bytes: fast memory that one program may fill with tiles.
        row_elements: longest row that the default configuration keeps in fast memory.
        block_elements: elements of a tile in the default configuration.
        matrix_block: M, N and K of a matrix tile in the default configuration.
        lanes_bytes: bytes of a vector register group at multiplier 1, 0 where there is none.
    """

    target: str
    processors: int
    local_bytes: int
    row_elements: int
    block_elements: int
    matrix_block: tuple[int, int, int]
    lanes_bytes: int
    special_functions: bool


KIB = 1024

# MTIA 2i: 8 x 8 PEs, 384 KB of local memory each, VLEN 512 bits (ISCA 2025). 16 KB stay free for
# the stack, the probe records and the kernel's constants.
MTIA = Limits("mtia", 64, 384 * KIB - 16 * KIB, 8192, 4096, (64, 64, 64), 64, True)
# MTIA 300: 12 x 6 PEs, 512 KB of local memory each (ISCA 2026).
MTIA_300 = Limits("mtia", 72, 512 * KIB - 16 * KIB, 8192, 4096, (64, 64, 64), 64, True)
# H100: 132 SMs, 227 KB of shared memory a CTA (CUDA programming guide, compute capability 9.0);
# rows are kept in registers: 64 K registers of 4 bytes.
CUDA = Limits("cuda", 132, 227 * KIB, 16384, 1024, (64, 64, 32), 0, False)
# MI300X: 304 CUs, 64 KB of LDS (CDNA3 ISA); rows in registers.
HIP = Limits("hip", 304, 64 * KIB, 16384, 1024, (64, 64, 32), 0, False)
# One L2 of a current server core; programs are spread over threads.
CPU = Limits("cpu", 16, 1024 * KIB, 32768, 4096, (32, 32, 32), 64, False)

_LIMITS = {limits.target: limits for limits in (MTIA, CUDA, HIP, CPU)}
# Architectures whose limits are not those of their family's default.
_LIMITS_OF_ARCHITECTURE = {"mtia-300": MTIA_300}


def limits_of(target: str) -> Limits:
    """The limits of `target`; an architecture may follow a colon (`cuda:90`)."""
    family, _, architecture = target.partition(":")
    if family not in _LIMITS:
        known = ", ".join(sorted(_LIMITS))
        raise UnknownTargetError(f"unknown target {target!r}; known: {known}")
    return _LIMITS_OF_ARCHITECTURE.get(architecture, _LIMITS[family])
