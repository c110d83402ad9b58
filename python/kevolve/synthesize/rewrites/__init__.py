"""The rewrites of plans, most telling first."""

from __future__ import annotations

from kevolve.errors import KevolveError
from kevolve.synthesize.rewrites.buffers import DeepenBuffers, DeepenPipeline
from kevolve.synthesize.rewrites.coarsening import (
    CoarsenRows,
    HoistInvariantLoads,
    PersistPrograms,
    RefineRows,
)
from kevolve.synthesize.rewrites.grouping import FuseKernels, SplitKernel
from kevolve.synthesize.rewrites.launch import (
    ChangeWarps,
    OrderTiles,
    PlaceSpecialFunctions,
    VectorWidth,
)
from kevolve.synthesize.rewrites.reductions import ReductionForm, SplitReduction
from kevolve.synthesize.rewrites.rewrite import Context, Parameters, Rewrite
from kevolve.synthesize.rewrites.tile_shape import GrowTile, ShrinkTile

REWRITES: tuple[Rewrite, ...] = (
    FuseKernels(),
    SplitReduction(),
    ReductionForm(),
    CoarsenRows(),
    HoistInvariantLoads(),
    PersistPrograms(),
    GrowTile(),
    DeepenBuffers(),
    DeepenPipeline(),
    VectorWidth(),
    PlaceSpecialFunctions(),
    RefineRows(),
    ShrinkTile(),
    OrderTiles(),
    ChangeWarps(),
    SplitKernel(),
)

__all__ = ["REWRITES", "Context", "Parameters", "Rewrite", "named", "reference_page"]


def named(name: str) -> Rewrite:
    """The rewrite called `name`."""
    for rewrite in REWRITES:
        if rewrite.name == name:
            return rewrite
    raise KevolveError(f"no rewrite is called {name!r}")


def reference_page() -> str:
    """The page of the documentation that lists the rewrites, as Markdown."""
    lines = ["# Rewrites", "", "Generated from the registry `kevolve.synthesize.rewrites`.", ""]
    lines += ["| rewrite | answers | what it does | targets |", "|---|---|---|---|"]
    for rewrite in REWRITES:
        answers = ", ".join(sorted(rewrite.answers))
        targets = ", ".join(sorted(rewrite.targets)) or "all"
        lines.append(f"| `{rewrite.name}` | {answers} | {rewrite.summary} | {targets} |")
    return "\n".join(lines) + "\n"
