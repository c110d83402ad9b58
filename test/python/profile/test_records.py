"""The record file: bytes worked out by hand, and the C++ decoder beside the Python one."""

import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kevolve._native import _kevolve_mlir
from kevolve.profile.records import (
    RECORD_DTYPE,
    ClockKind,
    RecordError,
    RecordFile,
    decode,
    encode,
    record_file,
)

# Two workers and one site: magic, version 1, mtia, cycles, 32-byte records, 1.35 GHz, 1 site,
# 2 workers, 5 lost, reserved.
BYTES = b"KEVPROBE" + bytes.fromhex(
    "01000000 03000000 01000000 20000000 80 5d 77 50 00000000 01000000 02000000"
    "0500000000000000 0000000000000000 0000000000000000"
    "0100000000000000 e803000000000000 0a00000000000000 f203000000000000"
    "0200000000000000 0001000000000000 0b00000000000000 ffffffffffffffff"
)
RECORDS = [(1, 1000, 10, 1010), (2, 256, 11, 2**64 - 1)]


def test_encodes_the_bytes_of_the_schema():
    records = np.array(RECORDS, RECORD_DTYPE).reshape(2, 1)
    assert encode(RecordFile("mtia", ClockKind.CYCLES, 1_350_000_000, records, 5)) == BYTES


def test_decodes_the_bytes_of_the_schema():
    file = decode(BYTES)
    assert (file.target, file.clock, file.clock_hz) == ("mtia", ClockKind.CYCLES, 1_350_000_000)
    assert file.num_dropped == 5
    assert file.records.shape == (2, 1)
    assert file.records.ravel().tolist() == RECORDS


def test_both_decoders_read_the_same():
    assert _kevolve_mlir.decode_records(BYTES) == decode(BYTES).records.ravel().tolist()


def test_a_record_area_becomes_a_file():
    file = decode(record_file(BYTES[64:], 1, "cuda", 1_700_000_000))
    assert (file.target, file.clock_hz, file.num_dropped) == ("cuda", 1_700_000_000, 0)
    assert file.records.ravel().tolist() == RECORDS


@pytest.mark.parametrize(("area_bytes", "sites"), [(64, 3), (31, 1), (64, 0)])
def test_a_record_area_holds_whole_workers(area_bytes, sites):
    with pytest.raises(RecordError, match="does not hold whole workers"):
        record_file(bytes(area_bytes), sites, "mtia")


def _outcome(decoder, data: bytes):
    """The records in `data`, or what `decoder` says is wrong with it."""
    try:
        return decoder(data)
    except (RecordError, ValueError) as error:
        return str(error)


def _python(data: bytes):
    return decode(data).records.ravel().tolist()


def _message(data: bytes) -> str:
    """What both decoders say is wrong."""
    python, native = _outcome(_python, data), _outcome(_kevolve_mlir.decode_records, data)
    assert python == native
    assert isinstance(python, str)
    return python


@pytest.mark.parametrize("size", range(len(BYTES)))
def test_truncation_at_every_byte_is_told(size):
    assert _message(BYTES[:size]).startswith("truncated")


def test_bytes_too_many_are_told():
    message = _message(BYTES + b"\0")
    assert "65 bytes of records, but 2 workers with 1 sites have 2 records" in message


@pytest.mark.parametrize(
    ("offset", "value", "message"),
    [
        (0, b"X", "not a record file"),
        (8, b"\2", "version 2, but only version 1 can be read"),
        (12, b"\x09", "unknown target 9"),
        (16, b"\3", "unknown kind of clock 3"),
        (20, b"\x18", "records of 24 bytes, but they must have 32"),
        (32, b"\3", "truncated or too long"),
        (36, b"\xff\xff\xff\xff", "4294967295 workers with 1 sites"),
        (32, b"\xff" * 8, "4294967295 workers with 4294967295 sites"),
    ],
)
def test_a_wrong_field_is_told(offset, value, message):
    assert message in _message(BYTES[:offset] + value + BYTES[offset + len(value) :])


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=160), st.booleans())
def test_any_bytes_are_safe(noise, with_header):
    data = BYTES[:64] + noise if with_header else noise
    assert _outcome(_python, data) == _outcome(_kevolve_mlir.decode_records, data)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(*[st.integers(0, 2**64 - 1)] * 4), min_size=1, max_size=6))
def test_what_is_encoded_is_decoded(rows):
    records = np.array(rows, RECORD_DTYPE).reshape(len(rows), 1)
    data = encode(RecordFile("hip", ClockKind.NANOSECONDS, 100_000_000, records))
    assert decode(data).records.ravel().tolist() == rows
    assert _kevolve_mlir.decode_records(data) == rows
    assert len(data) == 64 + struct.calcsize("<QQQQ") * len(rows)
