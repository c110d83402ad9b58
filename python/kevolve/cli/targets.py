"""`kevolve targets`: what kevolve compiles for, and where its times come from here."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

_TIMES = {"mtia": "simulated", "cpu": "measured"}


def targets() -> None:
    """Lists the targets, their chips, and what each can be emitted as."""
    from kevolve.compile.targets import FAMILIES

    table = Table("target", "chips", "levels", "times", "what", title="targets")
    for family in FAMILIES:
        times = _TIMES.get(family.name, "estimated")
        chips = ", ".join(family.chips)
        table.add_row(family.name, chips, " ".join(family.levels), times, family.summary)
    console = Console()
    console.print(table)
    console.print("The first chip is the default; name another as family:chip, e.g. cuda:sm_80.")
