"""What the parts of kevolve tell each other: frozen dataclasses, JSON both ways.

`to_json(record)` and `from_json(Type, text)` convert any of them; `json_schema(Type)` gives the
JSON schema that the docs publish. Every number carries its unit in its name.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeVar

from pydantic import TypeAdapter

T = TypeVar("T")

DIAGNOSIS_VERSION = 1


class TimeKind(StrEnum):
    """Where a time comes from."""

    SIMULATED = "simulated"
    MEASURED = "measured"
    ESTIMATED = "estimated"


class Bottleneck(StrEnum):
    """What limits a kernel."""

    MEMORY_BANDWIDTH = "memory-bandwidth"
    MEMORY_LATENCY = "memory-latency"
    COMPUTE = "compute"
    OCCUPANCY = "occupancy"
    LAUNCH = "launch"
    SYNCHRONISATION = "synchronisation"
    IMBALANCE = "imbalance"
    INSTRUCTION_ISSUE = "instruction-issue"


class Status(StrEnum):
    """How the evaluation of a candidate ended."""

    CORRECT = "correct"
    INCORRECT = "incorrect"
    COMPILE_ERROR = "compile-error"
    RUNTIME_ERROR = "runtime-error"
    CRASHED = "crashed"
    TIMED_OUT = "timed-out"
    REJECTED = "rejected"


@dataclass(frozen=True)
class Metric:
    """A named number, its unit and where it was measured or derived."""

    name: str
    value: float
    unit: str
    source: str


@dataclass(frozen=True)
class Site:
    """One row of the probe site table."""

    id: int
    kind: str
    name: str
    file: str = ""
    line: int = 0
    column: int = 0
    parent: int = -1
    static_bytes: int = 0
    static_flops: int = 0
    trip_count: int = -1


@dataclass(frozen=True)
class HotSite:
    """What was measured at a site: cycles are summed over workers, `self` without its children."""

    site: Site
    count: int
    total_cycles: int
    self_cycles: int
    self_share: float


@dataclass(frozen=True)
class Roofline:
    """The roofline point of a kernel and the roof over it."""

    arithmetic_intensity_flop_per_byte: float
    achieved_flop_per_s: float
    roof_flop_per_s: float
    peak_flop_per_s: float
    peak_bytes_per_s: float


@dataclass(frozen=True)
class Diagnosis:
    """Why a kernel takes the time it takes. Written by the pass `trace-synthesize`."""

    version: int
    target: str
    kernel: str
    bottleneck: Bottleneck
    confidence: float
    evidence: tuple[Metric, ...]
    roofline: Roofline | None = None
    hot_sites: tuple[HotSite, ...] = ()
    knowledge: tuple[str, ...] = ()


@dataclass(frozen=True)
class KernelLaunch:
    """One launch of one kernel inside a measured forward pass."""

    kernel: str
    grid: tuple[int, int, int]
    time_ns: float
    metrics: tuple[Metric, ...] = ()


@dataclass(frozen=True)
class Measurement:
    """The time of one forward pass: its launches one after the other, launch costs included."""

    time_ns: float
    time_kind: TimeKind
    launches: tuple[KernelLaunch, ...]


@dataclass(frozen=True)
class Verdict:
    """Whether a candidate is right, and if not why not."""

    status: Status
    reason: str = ""
    max_abs_error: float | None = None
    max_rel_error: float | None = None

    @property
    def correct(self) -> bool:
        return self.status is Status.CORRECT


@dataclass(frozen=True)
class Evaluation:
    """Everything known of a candidate after it was evaluated."""

    verdict: Verdict
    measurement: Measurement | None = None
    diagnoses: tuple[Diagnosis, ...] = ()
    annotated_ir: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Result:
    """What `kevolve optimize --json` prints: the outcome of a search.

    Times are of one forward pass. Fields are None where nothing correct was found. `candidates`
    does not count the baseline.
    """

    problem: str
    target: str
    verdict: Status | None
    baseline_time_ns: float | None
    first_seed_time_ns: float | None
    best_time_ns: float | None
    speedup: float | None
    time_kind: TimeKind | None
    bottleneck_before: Bottleneck | None
    bottleneck_after: Bottleneck | None
    candidates: int
    correct_candidates: int
    best_file: str | None
    report: str | None


def to_json(record: Any) -> str:
    """`record` as JSON text, keys in declaration order."""
    adapter: TypeAdapter[Any] = TypeAdapter(type(record))
    return adapter.dump_json(record).decode()


def from_json(kind: type[T], text: str | bytes) -> T:
    """The record of type `kind` that `text` holds; raises pydantic.ValidationError if not."""
    return TypeAdapter(kind).validate_json(text)


def json_schema(kind: type[Any]) -> str:
    """The JSON schema of `kind`, indented."""
    return json.dumps(TypeAdapter(kind).json_schema(), indent=2)


def dominant(evaluation: Evaluation) -> Diagnosis | None:
    """The diagnosis of the launch of `evaluation` that takes the most time."""
    if evaluation.measurement is None or not evaluation.diagnoses:
        return None
    pairs = zip(evaluation.measurement.launches, evaluation.diagnoses, strict=False)
    return max(pairs, key=lambda pair: pair[0].time_ns)[1]
