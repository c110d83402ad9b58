"""What a compiled kernel occupies: registers, shared memory, spills. Read from its binary."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

import triton

from kevolve.compile.artifact import Artifact
from kevolve.compile.targets import find_target
from kevolve.errors import CompileError

_CUBIN_USAGE = re.compile(
    r"Function (?P<name>[\w$.]+):\s*REG:(?P<registers>\d+) STACK:(?P<stack>\d+) "
    r"SHARED:\d+ LOCAL:(?P<local>\d+)"
)


@dataclass(frozen=True)
class Resources:
    """Static resources of one kernel.

    Attributes:
        registers_per_thread: vector registers of a lane (AMD: VGPRs and AGPRs together).
        scalar_registers: of a wave (AMD), else 0.
        shared_bytes: of a block, dynamic shared memory included.
        spilled_bytes_per_thread: local memory that each thread keeps beside its registers.
        num_warps: warps or waves of a block.
        warp_size: lanes of each.
    """

    registers_per_thread: int
    scalar_registers: int
    shared_bytes: int
    spilled_bytes_per_thread: int
    num_warps: int
    warp_size: int

    @property
    def threads_per_block(self) -> int:
        return self.num_warps * self.warp_size


def resources(artifact: Artifact) -> Resources:
    """The static resources of a kernel for cuda (from its cubin) or hip (from its AMDGCN)."""
    family = find_target(artifact.manifest.target).family
    readers = {"cuda": ("cubin", _of_cubin), "hip": ("amdgcn", _of_amdgcn)}
    if family not in readers:
        raise CompileError(f"{family} kernels have no static resource report", artifact.path)
    level, reader = readers[family]
    if level not in artifact.manifest.levels:
        raise CompileError(
            f"a resource report needs the level {level}: compile further", artifact.path
        )
    return reader(artifact)


def _of_cubin(artifact: Artifact) -> Resources:
    found = _CUBIN_USAGE.search(_cuobjdump(artifact.path / artifact.manifest.levels["cubin"]))
    if found is None:
        raise CompileError("cuobjdump says nothing of this cubin's resources", artifact.path)
    # Triton's shared memory is dynamic: the launch asks for it. What the cubin shows is what the
    # system keeps for itself on sm_90 and later.
    return Resources(
        registers_per_thread=int(found["registers"]),
        scalar_registers=0,
        shared_bytes=_number(artifact, "shared"),
        spilled_bytes_per_thread=int(found["stack"]) + int(found["local"]),
        num_warps=_number(artifact, "num_warps"),
        warp_size=_number(artifact, "warp_size"),
    )


def _cuobjdump(cubin: Path) -> str:
    # Triton's wheel brings it.
    tool = Path(triton.__file__).parent / "backends" / "nvidia" / "bin" / "cuobjdump"
    if not tool.is_file():
        raise CompileError("this build of Triton has no cuobjdump", tool)
    result = subprocess.run(
        [tool, "--dump-resource-usage", cubin], capture_output=True, text=True, check=False
    )
    if result.returncode != 0:
        raise CompileError(f"cuobjdump: {result.stderr or result.stdout}", cubin)
    return result.stdout


def _of_amdgcn(artifact: Artifact) -> Resources:
    """The code object metadata that LLVM writes (AMDGPU Usage, "Code Object V5 Metadata")."""
    text = artifact.text("amdgcn")
    return Resources(
        # Where AGPRs exist, .vgpr_count is that of both kinds.
        registers_per_thread=_metadata(text, "vgpr_count", artifact),
        scalar_registers=_metadata(text, "sgpr_count", artifact),
        # Triton asks for shared memory at launch, except where LLVM allocates it.
        shared_bytes=max(
            _number(artifact, "shared"), _metadata(text, "group_segment_fixed_size", artifact)
        ),
        spilled_bytes_per_thread=_metadata(text, "private_segment_fixed_size", artifact),
        num_warps=_number(artifact, "num_warps"),
        warp_size=_metadata(text, "wavefront_size", artifact),
    )


def _metadata(text: str, key: str, artifact: Artifact) -> int:
    found = re.search(rf"\.{key}:\s+(\d+)", text)
    if found is None:
        raise CompileError(f"the AMDGCN has no .{key}", artifact.path)
    return int(found[1])


def _number(artifact: Artifact, key: str) -> int:
    value = artifact.manifest.metadata.get(key)
    if not isinstance(value, int):
        raise CompileError(f"the artifact's metadata has no {key}", artifact.path)
    return value
