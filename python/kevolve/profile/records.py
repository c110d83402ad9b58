"""The record file that probes leave: encoded and decoded here with the bytes of probe_record.h."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from kevolve.errors import KevolveError

MAGIC = int.from_bytes(b"KEVPROBE", "little")
VERSION = 1

RECORD_DTYPE = np.dtype(
    [("count", "<u8"), ("total_cycles", "<u8"), ("first_begin", "<u8"), ("last_end", "<u8")]
)
Records: TypeAlias = npt.NDArray[Any]

# struct kevolve_record_header: magic, version, target, clock_kind, record_bytes, clock_hz,
# num_sites, num_workers, num_dropped, reserved[2].
_HEADER = struct.Struct("<QIIIIQIIQQQ")

_TARGETS = {"cuda": 1, "hip": 2, "mtia": 3, "cpu": 4}


class ClockKind(IntEnum):
    """What a clock counts (enum kevolve_clock)."""

    CYCLES = 1
    NANOSECONDS = 2


class RecordError(KevolveError):
    """Bytes that are not a record file, or not a whole one."""


@dataclass(frozen=True)
class RecordFile:
    """What the workers of a launch recorded.

    Attributes:
        target: cuda, hip, mtia or cpu.
        clock: what the clock counts.
        clock_hz: its frequency; 0 if not known.
        records: one record per worker (rows) and site (columns), of RECORD_DTYPE.
        num_dropped: records that were lost.
    """

    target: str
    clock: ClockKind
    clock_hz: int
    records: Records
    num_dropped: int = 0


def encode(file: RecordFile) -> bytes:
    """The bytes of a record file."""
    if file.target not in _TARGETS:
        raise RecordError(f"unknown target {file.target}")
    workers, sites = file.records.shape
    header = _HEADER.pack(
        MAGIC,
        VERSION,
        _TARGETS[file.target],
        file.clock,
        RECORD_DTYPE.itemsize,
        file.clock_hz,
        sites,
        workers,
        file.num_dropped,
        0,
        0,
    )
    return header + np.ascontiguousarray(file.records, RECORD_DTYPE).tobytes()


def record_file(
    area: bytes,
    num_sites: int,
    target: str,
    clock_hz: int = 0,
    clock: ClockKind = ClockKind.CYCLES,
) -> bytes:
    """The record file of a record area as a device left it: the records alone, worker-major."""
    row_bytes = num_sites * RECORD_DTYPE.itemsize
    if row_bytes == 0 or len(area) % row_bytes:
        raise RecordError(
            f"a record area of {len(area)} bytes does not hold whole workers of {num_sites} sites"
        )
    records = np.frombuffer(area, RECORD_DTYPE).reshape(-1, num_sites)
    return encode(RecordFile(target, clock, clock_hz, records))


def decode(data: bytes) -> RecordFile:
    """The record file that `data` holds; RecordError says what is wrong with it."""
    if len(data) < _HEADER.size:
        raise RecordError(f"truncated: {len(data)} bytes, but the header alone has {_HEADER.size}")
    magic, version, target, clock, record_bytes, hz, sites, workers, dropped, _, _ = (
        _HEADER.unpack_from(data)
    )
    _check_format(magic, version, record_bytes)
    name = _target_name(target)
    if clock not in tuple(ClockKind):
        raise RecordError(f"unknown kind of clock {clock}")
    records = _read_records(data[_HEADER.size :], workers, sites)
    return RecordFile(name, ClockKind(clock), hz, records, dropped)


def _check_format(magic: int, version: int, record_bytes: int) -> None:
    if magic != MAGIC:
        raise RecordError("not a record file: it does not begin with KEVPROBE")
    if version != VERSION:
        raise RecordError(f"version {version}, but only version {VERSION} can be read")
    if record_bytes != RECORD_DTYPE.itemsize:
        raise RecordError(
            f"records of {record_bytes} bytes, but they must have {RECORD_DTYPE.itemsize}"
        )


def _target_name(target: int) -> str:
    for name, number in _TARGETS.items():
        if number == target:
            return name
    raise RecordError(f"unknown target {target}")


def _read_records(payload: bytes, workers: int, sites: int) -> Records:
    count = workers * sites
    if len(payload) != count * RECORD_DTYPE.itemsize:
        raise RecordError(
            f"truncated or too long: {len(payload)} bytes of records, but {workers} workers with "
            f"{sites} sites have {count} records of {RECORD_DTYPE.itemsize} bytes"
        )
    return np.frombuffer(payload, RECORD_DTYPE).reshape(workers, sites)
