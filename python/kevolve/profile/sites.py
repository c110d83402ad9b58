"""The site table of a module."""

from __future__ import annotations

from kevolve._native import _kevolve_mlir
from kevolve.records import Site
from kevolve.triton_bridge import crossing


def site_table(ir_text: str) -> tuple[Site, ...]:
    """The sites of a module with probes; empty if it has none."""
    return sites_of(crossing.parse(ir_text, crossing.new_context()))


def sites_of(module: crossing.Module) -> tuple[Site, ...]:
    """The sites of a module of kevolve's MLIR."""
    return tuple(Site(**row) for row in _kevolve_mlir.site_table(module))
