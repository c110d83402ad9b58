"""Writes a record file: `write_records.py FILE TARGET DROPPED WORKER...`.

A worker is its sites with commas between, a site `count:total` (it then began at 0 and ended at
its total).
"""

import sys
from pathlib import Path

import numpy as np
from kevolve.profile.records import RECORD_DTYPE, ClockKind, RecordFile, encode

path, target, dropped, *workers = sys.argv[1:]


def record(text: str) -> tuple[int, int, int, int]:
    count, total = map(int, text.split(":"))
    return count, total, 0, total


rows = [[record(site) for site in worker.split(",")] for worker in workers]
file = RecordFile(target, ClockKind.CYCLES, 0, np.array(rows, RECORD_DTYPE), int(dropped))
Path(path).write_bytes(encode(file))
