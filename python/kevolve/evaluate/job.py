"""What the evaluator hands to the process that runs a candidate, and what comes back.

Both sides are files in one job directory: the candidate's process never sees the reference, its
outputs or the tolerance.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from kevolve.records import KernelLaunch, Status

CANDIDATE_FILE = "candidate.py"
JOB_FILE = "job.json"
INPUTS_FILE = "inputs.pt"
OUTPUTS_FILE = "outputs.pt"
RESULT_FILE = "result.json"
OUTPUT_LOG = "output.log"


class Mode(StrEnum):
    """How a candidate is run."""

    SIMULATE = "simulate"
    MEASURE = "measure"
    INTERPRET = "interpret"
    ESTIMATE = "estimate"


@dataclass(frozen=True)
class Job:
    """One run of a candidate. `directory` holds the files named above."""

    directory: str
    target: str
    mode: Mode
    profile: bool

    def path(self, name: str) -> Path:
        return Path(self.directory) / name


@dataclass(frozen=True)
class ProfiledKernel:
    """One instrumented launch: IR with its site table, and the record file the probes wrote."""

    launch: KernelLaunch
    ir_file: str
    records_file: str


@dataclass(frozen=True)
class JobResult:
    """How a run ended. `failure` says where a run failed that has no outputs."""

    status: Status
    reason: str = ""
    launches: tuple[KernelLaunch, ...] = ()
    profiled: tuple[ProfiledKernel, ...] = ()
    inputs_digest: str = ""
