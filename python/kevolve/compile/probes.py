"""Probes in GPU kernels: the passes that put them in, and the site table that these leave."""

from __future__ import annotations

import re
from typing import Any

from kevolve.compile.specs import split_top_level
from kevolve.compile.targets import Target
from kevolve.errors import CompileError
from kevolve.records import Site
from kevolve.triton_bridge import crossing
from kevolve.triton_bridge.generic import TritonModule

_LOWERINGS = {"cuda": "probe-lower-to-ptx", "hip": "probe-lower-to-amdgcn"}
_SITE = re.compile(
    r"#probe\.site<id = (?P<id>\d+), kind = (?P<kind>\w+), name = (?P<name>\"(?:[^\"\\]|\\.)*\"), "
    r"loc = (?P<file>\"(?:[^\"\\]|\\.)*\"):(?P<line>\d+):(?P<column>\d+), "
    r"parent = (?P<parent>-?\d+), bytes = (?P<static_bytes>-?\d+), "
    r"flops = (?P<static_flops>-?\d+), trip_count = (?P<trip_count>-?\d+)>"
)


def probe_pipeline(target: Target, options: str = "") -> str:
    """The pipeline that instruments a kernel for `target`; `options` are those of probe-insert."""
    if target.family not in _LOWERINGS:
        raise CompileError(f"no probe pipeline for {target.name}: use its option probes=True")
    insert = f"probe-insert{{{options}}}" if options else "probe-insert"
    return f"{insert},{_LOWERINGS[target.family]}"


class ProbedEdit:
    """Runs a pipeline on a Triton module, and keeps the site table that its passes made.

    The passes that lower probes drop the table, so passes run one by one.
    """

    def __init__(self, pipeline: str) -> None:
        self._passes = split_top_level(pipeline)
        self.sites: tuple[Site, ...] = ()

    def __call__(self, module: TritonModule) -> TritonModule:
        ours = crossing.from_triton(module)
        for one in self._passes:
            crossing.run_passes(ours, one)
            self.sites = site_table(ours) or self.sites
        return crossing.to_triton(ours, module.context)


def site_table(module: Any) -> tuple[Site, ...]:
    """The probe sites of a module of kevolve's MLIR."""
    attributes = module.operation.attributes
    if "probe.sites" not in attributes:
        return ()
    return tuple(_site(found) for found in _SITE.finditer(str(attributes["probe.sites"])))


def _site(found: re.Match[str]) -> Site:
    numbers = ("id", "line", "column", "parent", "static_bytes", "static_flops", "trip_count")
    return Site(
        kind=found["kind"],
        name=_unquoted(found["name"]),
        file=_unquoted(found["file"]),
        **{name: int(found[name]) for name in numbers},
    )


def _unquoted(text: str) -> str:
    """MLIR escapes quotes and backslashes by a backslash, other bytes by two hex digits."""
    return re.sub(
        r"\\(?:(?P<hex>[0-9A-Fa-f]{2})|(?P<same>.))",
        lambda found: found["same"] or chr(int(found["hex"], 16)),
        text[1:-1],
    )
