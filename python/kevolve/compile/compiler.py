"""`compile_kernel`: a kernel and a target to an artifact."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import triton
from triton.backends.compiler import GPUTarget

from kevolve.compile.artifact import MANIFEST_VERSION, Argument, Artifact, Manifest, write
from kevolve.compile.probes import ProbedEdit
from kevolve.compile.specs import KernelSpec, load_source, parse_spec
from kevolve.compile.targets import Target, find_target
from kevolve.errors import CompileError
from kevolve.profile.sites import site_table
from kevolve.records import Site
from kevolve.triton_bridge.kernels import (
    DIVISIBLE_BY_16,
    FileSource,
    FunctionSource,
    KernelSource,
)
from kevolve.triton_bridge.stages import Lowered, lower

DEFAULT_ROOT = Path.home() / ".cache" / "kevolve" / "artifacts"
# The TTGIR with its probes and site table, beside the target's own levels.
PROBED_LEVEL = "probed.mlir"
# Written into the kernel's folder for the machine that launches it. Paths of this machine (the
# libraries linked in) and what is elsewhere in the manifest stay out.
_NOT_METADATA = ("target", "extern_libs", "arch", "hash", "probed_ir")


def compile_kernel(
    spec: KernelSpec | KernelSource | str,
    target: Target | str,
    emit: str | None = None,
    pipeline: str | None = None,
    root: Path = DEFAULT_ROOT,
) -> Artifact:
    """Compiles a kernel up to level `emit`, by default to the target's binary.

    Args:
        spec: what to compile; a string is `KERNEL.py:function` or a path.
        target: what for; a string is a name that `find_target` knows.
        emit: one of the target's levels; those before it are kept too.
        pipeline: passes of kevolve's MLIR for the end of the ttgir stage, such as
            `probe-insert,probe-lower-to-ptx`. Without it the code is exactly Triton's.
        root: where artifacts are kept.
    """
    target = find_target(target) if isinstance(target, str) else target
    source = _source(spec, target)
    emit = emit or target.binary_level
    _check(emit, pipeline, target)
    edit = ProbedEdit(pipeline) if pipeline else None
    lowered = lower(source, target.triton, emit, edit)
    # What the mtia backend measures with is inside its stages, and in its metadata.
    probed_ir = edit.probed_ir if edit else str(lowered.metadata.get("probed_ir") or "")
    # Before the others: the binary is the last one.
    levels = {**({PROBED_LEVEL: probed_ir} if probed_ir else {}), **lowered.levels}
    sites = site_table(probed_ir) if probed_ir else ()
    return write(_manifest(source, target, lowered, tuple(levels), sites), levels, root)


def _source(spec: KernelSpec | KernelSource | str, target: Target) -> KernelSource:
    if isinstance(spec, FunctionSource | FileSource):
        return spec
    return load_source(parse_spec(spec) if isinstance(spec, str) else spec, target)


def _check(emit: str, pipeline: str | None, target: Target) -> None:
    if emit not in target.levels:
        raise CompileError(f"{target.name} cannot emit {emit!r}; it has {', '.join(target.levels)}")
    if pipeline and "ttgir" not in target.levels:
        probes = ": kernels for it get their probes by the option probes=True"
        raise CompileError(
            f"a pipeline edits TTGIR, which {target.name} does not have"
            f"{probes if target.family == 'mtia' else ''}"
        )


def _manifest(
    source: KernelSource,
    target: Target,
    lowered: Lowered,
    levels: tuple[str, ...],
    sites: tuple[Site, ...],
) -> Manifest:
    arguments = _arguments(source, lowered)
    return Manifest(
        version=MANIFEST_VERSION,
        kernel=str(lowered.metadata.get("name", source.name)),
        target=target.name,
        triton_version=triton.__version__,
        arguments=arguments,
        constants=_constants(source),
        options={name: str(value) for name, value in sorted(source.options.items())},
        grid=source.grid,
        values=dict(source.arguments),
        probe_area=len(arguments) - 1 if lowered.added_arguments else None,
        sites=sites,
        levels={level: f"kernel.{level}" for level in levels},
        metadata=_metadata(lowered.metadata),
    )


def _arguments(source: KernelSource, lowered: Lowered) -> tuple[Argument, ...]:
    own = lowered.arguments[: len(lowered.arguments) - lowered.added_arguments]
    added = lowered.arguments[len(own) :]
    if isinstance(source, FileSource):
        named = [Argument(f"arg{n}", kind) for n, kind in enumerate(own)]
    else:
        named = [
            Argument(name, kind, _is_divisible(source, name))
            for name, kind in source.runtime_parameters()
        ]
    return (*named, *(Argument("probe_area", kind, True) for kind in added))


def _is_divisible(source: FunctionSource, name: str) -> bool:
    position = source.function.arg_names.index(name)
    return list(source.attributes.get((position,), [])) == DIVISIBLE_BY_16


def _constants(source: KernelSource) -> dict[str, str]:
    if isinstance(source, FileSource):
        return {}
    names = source.function.arg_names
    return {
        ".".join([names[first], *map(str, rest)]): str(value)
        for (first, *rest), value in source.constants.items()
    }


def _metadata(metadata: Mapping[str, object]) -> dict[str, int | float | bool | str | None]:
    return {
        name: value
        for name, value in sorted(metadata.items())
        if name not in _NOT_METADATA
        and not isinstance(value, GPUTarget)
        and isinstance(value, int | float | bool | str | None)
    }
