"""What kevolve compiles for: one row per target family, one list of chips each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from triton.backends.compiler import GPUTarget

from kevolve.errors import UnknownTargetError


@dataclass(frozen=True)
class Target:
    """A machine to compile for.

    Attributes:
        name: how the user and the store call it, e.g. `cuda:sm_90` or `mtia`.
        family: `cuda`, `hip`, `mtia` or `cpu`.
        chip: the architecture within the family, e.g. `sm_90`.
        triton: the same for Triton.
        levels: what a kernel can be emitted as, first to last; the last is the binary.
        default_level: what is printed when nothing is asked for.
    """

    name: str
    family: str
    chip: str
    triton: GPUTarget
    levels: tuple[str, ...]
    default_level: str

    @property
    def binary_level(self) -> str:
        return self.levels[-1]


@dataclass(frozen=True)
class Family:
    """A row of the registry.

    Attributes:
        chips: architectures that are tested; the first is the family's default.
        levels, default_level: as in `Target`.
        triton_target: the Triton target of a chip.
        qualified: whether a target's name says its chip (`hip:gfx942`) or not (`mtia`).
        summary: one line for `kevolve targets`.
    """

    name: str
    chips: tuple[str, ...]
    levels: tuple[str, ...]
    default_level: str
    triton_target: Callable[[str], GPUTarget]
    summary: str
    qualified: bool = True

    def target(self, chip: str) -> Target:
        return Target(
            f"{self.name}:{chip}" if self.qualified or chip != self.chips[0] else self.name,
            self.name,
            chip,
            self.triton_target(chip),
            self.levels,
            self.default_level,
        )


def _cuda(chip: str) -> GPUTarget:
    return GPUTarget("cuda", int(chip.removeprefix("sm_")), 32)


def _hip(chip: str) -> GPUTarget:
    # Wavefronts are 64 wide on CDNA (gfx9) and 32 on RDNA, as Triton's HIP backend has them.
    return GPUTarget("hip", chip, 64 if chip.startswith("gfx9") else 32)


def _mtia(chip: str) -> GPUTarget:
    return GPUTarget("mtia", chip, 1)


def _cpu(chip: str) -> GPUTarget:
    return GPUTarget("cpu", chip, 1)


FAMILIES = (
    Family(
        "cuda",
        ("sm_90", "sm_80", "sm_100"),
        ("ttir", "ttgir", "llvm.mlir", "llir", "ptx", "cubin"),
        "ptx",
        _cuda,
        "NVIDIA GPUs: PTX and cubin, by Triton's own lowering",
    ),
    Family(
        "hip",
        ("gfx942", "gfx950", "gfx1100"),
        ("ttir", "ttgir", "llvm.mlir", "llir", "amdgcn", "hsaco"),
        "amdgcn",
        _hip,
        "AMD GPUs: AMDGCN and hsaco, by Triton's own lowering",
    ),
    Family(
        "mtia",
        ("mtia-2i", "mtia-300"),
        ("ttir", "linalg", "mtia", "llir", "asm", "elf"),
        "asm",
        _mtia,
        "MTIA: RISC-V, by kevolve's own lowering; runs on the simulator",
        qualified=False,
    ),
    Family(
        "cpu",
        # The CPU that the compiler runs on.
        ("native",),
        ("ttir", "linalg", "llvm.mlir", "llir", "asm", "so"),
        "asm",
        _cpu,
        "this machine's CPU: x86-64 or aarch64, by kevolve's own lowering; programs on threads",
        qualified=False,
    ),
)


def all_targets() -> tuple[Target, ...]:
    """Every chip of every family."""
    return tuple(family.target(chip) for family in FAMILIES for chip in family.chips)


def find_target(name: str) -> Target:
    """The target called `name`: a family (`cuda`), a chip (`sm_90`) or both (`cuda:sm_90`)."""
    family_name, _, chip = name.partition(":")
    for family in FAMILIES:
        if family_name == family.name:
            return family.target(_chip(family, chip, name))
        if not chip and name in family.chips:
            return family.target(name)
    raise _unknown(name)


def _chip(family: Family, chip: str, name: str) -> str:
    if not chip:
        return family.chips[0]
    # `cuda:90` is how Triton writes it.
    wanted = f"sm_{chip}" if family.name == "cuda" and chip.isdigit() else chip
    if wanted not in family.chips:
        raise _unknown(name)
    return wanted


def _unknown(name: str) -> UnknownTargetError:
    known = ", ".join(f"{family.name} ({', '.join(family.chips)})" for family in FAMILIES)
    return UnknownTargetError(f"unknown target {name!r}; there are {known}")
