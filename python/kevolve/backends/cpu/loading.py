"""Shared libraries of kernels into this process."""

from __future__ import annotations

import ctypes
import functools
import tempfile
from collections.abc import Callable
from pathlib import Path

from kevolve.backends.cpu.programs import ENTRY
from kevolve.errors import LaunchError

# What kernels call: mathematical functions, and copies between strided buffers.
_LIBM = "libm.so.6"
_MLIR_RUNTIME = "libmlir_c_runner_utils.so"

# (argument block, first program, program after the last, programs in x, y and z)
RunPrograms = Callable[[int, int, int, int, int, int], None]


def load(name: str, library: bytes) -> RunPrograms:
    """The loop over programs of a kernel's library. A call releases the interpreter's lock."""
    _load_runtime()
    with tempfile.NamedTemporaryFile(prefix=f"kevolve-{name[:64]}-", suffix=".so") as file:
        file.write(library)
        file.flush()
        try:
            run = getattr(ctypes.CDLL(file.name), ENTRY)
        except (OSError, AttributeError) as error:
            raise LaunchError(f"kernel {name} cannot be loaded: {error}") from error
    run.argtypes = [ctypes.c_void_p, *(ctypes.c_int64,) * 2, *(ctypes.c_uint32,) * 3]
    run.restype = None
    loaded: RunPrograms = run
    return loaded


@functools.cache
def _load_runtime() -> None:
    from mlir import execution_engine

    runtime = Path(execution_engine.__file__).parent / "lib" / _MLIR_RUNTIME
    for path in (_LIBM, str(runtime)):
        try:
            ctypes.CDLL(path, ctypes.RTLD_GLOBAL)
        except OSError as error:
            raise LaunchError(f"the cpu backend needs {path}: {error}") from error
