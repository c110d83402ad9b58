"""Putting probes into a kernel's IR, and lowering them for its target."""

from __future__ import annotations

from dataclasses import dataclass

from kevolve.errors import UnknownTargetError
from kevolve.profile.sites import sites_of
from kevolve.records import Site
from kevolve.triton_bridge import crossing

_LOWERINGS = {"cuda": "probe-lower-to-ptx", "hip": "probe-lower-to-amdgcn"}


@dataclass(frozen=True)
class ProbeChoice:
    """What to measure: the options of `probe-insert`.

    Attributes:
        kinds: kinds of operations that become sites; empty for all of them.
        loops: whether loops do.
        iterations: whether the body of each of those loops does.
        max_depth: loops deep that sites are made; -1 for no limit.
    """

    kinds: tuple[str, ...] = ()
    loops: bool = True
    iterations: bool = False
    max_depth: int = -1

    @property
    def pipeline(self) -> str:
        """The pass with these options."""
        options = [
            f"loops={str(self.loops).lower()}",
            f"iterations={str(self.iterations).lower()}",
            f"max-depth={self.max_depth}",
        ]
        if self.kinds:
            options.insert(0, f"kinds={','.join(self.kinds)}")
        return f"probe-insert{{{' '.join(options)}}}"


@dataclass(frozen=True)
class ProbedKernel:
    """A GPU kernel with probes.

    Attributes:
        probed_ir: the module with probes and site table; `diagnose` reads it.
        ttgir: the module with clock reads and records, in Triton's pretty form, for Triton to
            compile. Its kernel has one more argument, the record area (a pointer to int64).
        sites: the site table.
    """

    probed_ir: str
    ttgir: str
    sites: tuple[Site, ...]

    def record_area_bytes(self, num_programs: int) -> int:
        """Size of the zeroed area that a launch of that many programs needs."""
        return num_programs * len(self.sites) * 32  # sizeof(struct kevolve_record)


def probe_ttgir(ttgir: str, backend: str, choice: ProbeChoice | None = None) -> ProbedKernel:
    """TTGIR (pretty or generic) of a kernel for `backend` (cuda or hip), with probes."""
    if backend not in _LOWERINGS:
        raise UnknownTargetError(f"no probes for {backend}; there are {', '.join(_LOWERINGS)}")
    module = crossing.from_triton_text(ttgir, context=crossing.new_context())
    crossing.run_passes(module, (choice or ProbeChoice()).pipeline)
    probed = crossing.print_module(module)
    sites = sites_of(module)
    crossing.run_passes(module, _LOWERINGS[backend])
    return ProbedKernel(probed, crossing.to_triton_text(module), sites)
