"""What Triton's drivers say the same of every device whose tensors are torch CPU tensors.

`import triton` imports this module, so it stays light: no torch, no MLIR.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from triton.backends.driver import DriverBase

from kevolve.backends.slots import c_type


class HostInterface:
    """The part of `torch.cuda` that Triton uses of a device: one device, one stream."""

    @staticmethod
    def synchronize(number: object = None) -> None:
        """Launches are synchronous."""

    @staticmethod
    def is_available() -> bool:
        return True

    @staticmethod
    @contextmanager
    def stream(stream: object) -> Iterator[None]:
        """There is one stream."""
        yield

    @staticmethod
    @contextmanager
    def device(number: object) -> Iterator[None]:
        """There is one device."""
        yield


class HostDriver(DriverBase):  # type: ignore[misc]
    """CPU tensors in. What runs them is below: abstract here, so that Triton does not pick it."""

    def map_python_to_cpp_type(self, ty: str) -> str:
        return c_type(ty)

    def set_current_device(self, number: int) -> None:
        """There is one device."""

    def get_current_stream(self, number: int) -> int:
        return 0

    def get_active_torch_device(self) -> Any:
        import torch

        return torch.device("cpu")
