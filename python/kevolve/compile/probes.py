"""Probes in GPU kernels: the passes that put them in, and what these say of the sites."""

from __future__ import annotations

from collections.abc import Mapping

from kevolve.compile.specs import split_top_level
from kevolve.compile.targets import Target
from kevolve.errors import CompileError
from kevolve.profile.sites import sites_of
from kevolve.triton_bridge import crossing
from kevolve.triton_bridge.generic import TritonModule

_LOWERINGS = {"cuda": "probe-lower-to-ptx", "hip": "probe-lower-to-amdgcn"}


def probe_pipeline(target: Target, options: str = "") -> str:
    """The pipeline that instruments a kernel for `target`; `options` are those of probe-insert."""
    if target.family == "cpu":
        raise CompileError("kernels for the cpu have no probes yet")
    if target.family not in _LOWERINGS:
        raise CompileError(f"no probe pipeline for {target.name}: use its option probes=True")
    insert = f"probe-insert{{{options}}}" if options else "probe-insert"
    return f"{insert},{_LOWERINGS[target.family]}"


def probe_request(
    target: Target, options: Mapping[str, object]
) -> tuple[Mapping[str, object], str | None]:
    """The launch options and the pipeline with which a kernel for `target` gets probes.

    GPU kernels get theirs from a pipeline on their TTGIR. MTIA kernels have no TTGIR: the backend
    inserts them itself, on the level whose ops are commands to the PE's units.
    """
    if target.family in _LOWERINGS:
        return options, probe_pipeline(target)
    return {**options, "probes": True}, None


class ProbedEdit:
    """Runs a pipeline on a Triton module, and keeps the module as it is with its probe sites.

    The passes that lower probes drop the site table, so passes run one by one.

    Attributes:
        probed_ir: the module that has the table, for `diagnose`; empty without probes.
    """

    def __init__(self, pipeline: str) -> None:
        self._passes = split_top_level(pipeline)
        self.probed_ir = ""

    def __call__(self, module: TritonModule) -> TritonModule:
        ours = crossing.from_triton(module)
        for one in self._passes:
            crossing.run_passes(ours, one)
            if sites_of(ours):
                self.probed_ir = crossing.print_module(ours)
        return crossing.to_triton(ours, module.context)
