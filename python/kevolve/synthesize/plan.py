"""A plan: which nodes go into which kernel, and how each is scheduled. Frozen, JSON both ways."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields, replace

from kevolve.errors import KevolveError

PLAN_VERSION = 1
HEADER = "# kevolve-plan: "


@dataclass(frozen=True)
class Schedule:
    """How one kernel runs. Fields that its template does not use keep their defaults.

    Attributes:
        template: pointwise, rows or matmul.
        block_rows: rows (M) of a tile.
        block_cols: columns (N, or the reduced axis) of a tile.
        block_depth: K of a matrix tile.
        reduction: one-pass (the row stays in local memory), multi-pass or online.
        programs: size of a persistent grid; 0 is one program per tile.
        order: rows, cols or grouped: which tiles follow each other.
        group: tile rows of a group, for the grouped order.
        hoist: loads that do not depend on the row are made once per program.
        split: programs that share the reduction of one row (or K); a second kernel joins them.
        num_stages: depth of the software pipeline of loops.
        num_warps: warps of a program (GPU).
        cb_multiplier: scales the circular buffers (MTIA): 2 is double buffering.
        vector_lmul: RVV register grouping (MTIA).
        use_se: special functions go to the SIMD engine (MTIA).
    """

    template: str
    block_rows: int = 1
    block_cols: int = 1
    block_depth: int = 1
    reduction: str = "one-pass"
    programs: int = 0
    order: str = "rows"
    group: int = 1
    hoist: bool = False
    split: int = 1
    num_stages: int = 2
    num_warps: int = 4
    cb_multiplier: int = 2
    vector_lmul: int = 4
    use_se: bool = True

    def with_(self, **changes: str | int | bool) -> Schedule:
        return replace(self, **changes)  # type: ignore[arg-type]


@dataclass(frozen=True)
class KernelPlan:
    """One kernel: the nodes it computes, in program order."""

    nodes: tuple[str, ...]
    schedule: Schedule


@dataclass(frozen=True)
class Plan:
    """A whole forward pass, kernels in launch order."""

    target: str
    problem: str
    kernels: tuple[KernelPlan, ...]
    version: int = PLAN_VERSION

    def with_kernel(self, index: int, kernel: KernelPlan) -> Plan:
        kernels = (*self.kernels[:index], kernel, *self.kernels[index + 1 :])
        return replace(self, kernels=kernels)

    def with_schedule(self, index: int, **changes: str | int | bool) -> Plan:
        kernel = self.kernels[index]
        return self.with_kernel(index, replace(kernel, schedule=kernel.schedule.with_(**changes)))

    def to_json(self) -> str:
        """One line of JSON; schedule fields at their defaults are left out."""
        record = asdict(self)
        for kernel in record["kernels"]:
            kernel["schedule"] = {
                key: value for key, value in kernel["schedule"].items() if value != _DEFAULTS[key]
            }
        return json.dumps(record, separators=(",", ":"))

    @staticmethod
    def from_json(text: str) -> Plan:
        try:
            record = json.loads(text)
            if record["version"] != PLAN_VERSION:
                raise KevolveError(f"plan version {record['version']}, {PLAN_VERSION} is read")
            kernels = tuple(
                KernelPlan(tuple(k["nodes"]), Schedule(**k["schedule"])) for k in record["kernels"]
            )
            return Plan(record["target"], record["problem"], kernels)
        except (KeyError, TypeError, ValueError) as error:
            raise KevolveError(f"not a plan: {error}") from error

    @staticmethod
    def from_source(source: str) -> Plan:
        """The plan in the header of an emitted file."""
        for line in source.splitlines():
            if line.startswith(HEADER):
                return Plan.from_json(line.removeprefix(HEADER))
        raise KevolveError(f"no line starts with {HEADER.strip()!r}")


_DEFAULTS = {f.name: f.default for f in fields(Schedule)}
