"""DMA against numpy: shapes, strides, both directions, unaligned addresses."""

from __future__ import annotations

import numpy as np
import pytest
from launching import kernel
from numpy.lib.stride_tricks import as_strided

LOCAL_OFFSET = 65536

# row bytes, rows, planes; load: global row, local row, global plane, local plane strides
SHAPES = [
    (1, 1, 1, 0, 0, 0, 0),
    (4096, 1, 1, 0, 0, 0, 0),
    (64, 16, 1, 64, 64, 0, 0),
    (64, 16, 1, 256, 96, 0, 0),
    (7, 33, 1, 129, 11, 0, 0),
    (2, 100, 5, 64, 2, 7000, 200),
    (48, 6, 7, 100, 64, 1000, 500),
    (48, 7, 6, 1000, 500, 100, 64),
    (32, 9, 1, 0, 32, 0, 0),
    (32, 9, 3, -64, 40, 640, 400),
    (16, 8, 4, 16, -16, 128, -512),
]


def expected_load(source, start, shape):
    """The rows that a load reads, as (planes, rows, row bytes)."""
    row_bytes, rows, planes, row_stride, _, plane_stride, _ = shape
    view = as_strided(
        source[start:],
        shape=(planes, rows, row_bytes),
        strides=(plane_stride, row_stride, 1),
        writeable=False,
    )
    return view.copy()


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("skew", [0, 3], ids=["aligned", "unaligned"])
def test_rows_arrive(launch, shape, skew):
    row_bytes, rows, planes, row_stride, local_row, plane_stride, local_plane = shape
    source = np.random.default_rng(1).integers(0, 256, 65536, dtype=np.uint8)
    start = 4096 + skew
    target = np.zeros(rows * planes * row_bytes + 64, dtype=np.uint8)
    launch(
        kernel("dma"),
        source,
        target,
        *(row_bytes, rows, planes, row_stride, local_row, plane_stride, local_plane),
        *(row_bytes, row_bytes * rows, LOCAL_OFFSET),
        start,
    )
    got = target[: rows * planes * row_bytes].reshape(planes, rows, row_bytes)
    assert (got == expected_load(source, start, shape)).all()
    assert not target[rows * planes * row_bytes :].any()


@pytest.mark.parametrize("empty", [0, 1, 2])
def test_nothing_moves_without_bytes(launch, empty):
    source = np.ones(4096, dtype=np.uint8)
    target = np.zeros(4096, dtype=np.uint8)
    counts = [64, 4, 2]
    counts[empty] = 0
    launch(kernel("dma"), source, target, *counts, 64, 64, 256, 256, 64, 256, LOCAL_OFFSET, 0)
    assert not target.any()


@pytest.mark.parametrize("num_pes", [1, 2, 7, 64])
def test_each_pe_copies_its_part(launch, num_pes):
    size = num_pes * 100_003
    source = np.random.default_rng(num_pes).integers(0, 256, size, dtype=np.uint8)
    target = np.zeros(size, dtype=np.uint8)
    report = launch(kernel("copy"), source, target, size, num_pes=num_pes)
    assert (source == target).all()
    assert ("memory.bytes_read", float(size), "B") in report.metrics
    assert ("memory.bytes_written", float(size), "B") in report.metrics
