"""What Triton's front end and launch hooks read of a backend's options."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, fields


@dataclass(frozen=True)
class LaunchOptions:
    """Options that every backend of ours has.

    Those that name GPU machinery are accepted, so that kernels written for GPUs launch unchanged,
    and change nothing.
    """

    num_warps: int = 1
    num_ctas: int = 1
    num_stages: int = 2
    warp_size: int = 1
    maxnreg: int | None = None
    cluster_dims: tuple[int, ...] = (1, 1, 1)
    launch_cooperative_grid: bool = False
    launch_pdl: bool = False
    extern_libs: tuple[tuple[str, str], ...] = ()
    ir_override: str | None = None
    debug: bool = False
    sanitize_overflow: bool = False
    instrumentation_mode: str = ""
    fpsan_homomorphic_casts: bool = False
    enable_fp_fusion: bool = True
    supported_fp8_dtypes: tuple[str, ...] = ()
    deprecated_fp8_dtypes: tuple[str, ...] = ()
    deprecated_fp8_dot_operand_dtypes: tuple[str, ...] = ()
    default_dot_input_precision: str = "ieee"
    allowed_dot_input_precisions: tuple[str, ...] = ("ieee", "tf32", "tf32x3", "bf16x3", "bf16x6")
    max_num_imprecise_acc_default: int = 0

    def hash(self) -> str:
        """Equal for options that give the same binary."""
        key = "_".join(f"{one.name}-{getattr(self, one.name)}" for one in fields(self))
        return hashlib.sha256(key.encode()).hexdigest()
