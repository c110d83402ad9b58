"""A candidate: a Python file that holds the reference, its kernels and the plan they follow."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from kevolve.synthesize.plan import Plan


@dataclass(frozen=True)
class Candidate:
    """The text of a candidate. Two candidates with the same text are the same candidate."""

    source: str

    @property
    def hash(self) -> str:
        return hashlib.sha256(self.source.encode()).hexdigest()

    @property
    def plan(self) -> Plan:
        """The plan in the header; raises KevolveError when there is none."""
        return Plan.from_source(self.source)
