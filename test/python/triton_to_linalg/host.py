"""Runs Triton kernels here, through convert-triton-to-linalg and the cpu backend's passes.

Every array of a launch ends where an unmapped page begins: a masked access that touches memory
beyond its array ends the process.
"""

from __future__ import annotations

import contextlib
import ctypes
import ctypes.util
import functools
import itertools
import mmap
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from kevolve.backends.cpu.lowering import TO_BUFFERS, TO_LLVM, TO_LOOPS
from kevolve.triton_bridge import crossing
from mlir import execution_engine
from mlir.dialects.func import FuncOp
from mlir.execution_engine import ExecutionEngine
from mlir.ir import UnitAttr
from triton._C.libtriton import ir as triton_ir
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource, make_backend

# Only for Triton's frontend; what comes out of it does not depend on the chip.
FRONTEND_TARGET = GPUTarget("cuda", 90, 32)

# Copies between strided buffers are calls of `memrefCopy`, which is in this library.
RUNTIME = Path(execution_engine.__file__).parent / "lib" / "libmlir_c_runner_utils.so"

TRITON_TYPES = {
    "float16": "fp16",
    "float32": "fp32",
    "float64": "fp64",
    "int8": "i8",
    "int16": "i16",
    "int32": "i32",
    "int64": "i64",
    "uint8": "u8",
    "uint32": "u32",
    "bool": "i1",
}
C_TYPES = {"i64": ctypes.c_int64, "i32": ctypes.c_int32, "i1": ctypes.c_bool, "f32": ctypes.c_float}


def triton_type(value: object) -> str:
    if isinstance(value, np.ndarray):
        return "*" + TRITON_TYPES[value.dtype.name]
    if isinstance(value, bool):
        return "i1"
    if isinstance(value, int):
        return "i32" if -(2**31) <= value < 2**31 else "i64"
    return "fp32"


def ttir(kernel, signature: dict[str, str], constants: dict[str, object]):
    """The Triton module of a kernel, after Triton's own target-independent passes."""
    names = {**signature, **dict.fromkeys(constants, "constexpr")}
    ordered = {name: names[name] for name in kernel.arg_names}
    source = ASTSource(kernel, ordered, constants)
    backend = make_backend(FRONTEND_TARGET)
    options = backend.parse_options({})
    context = triton_ir.context()
    triton_ir.load_dialects(context)
    backend.load_dialects(context)
    module = source.make_ir(
        FRONTEND_TARGET,
        options,
        backend.get_codegen_implementation(options),
        backend.get_module_map(),
        context,
    )
    return backend.make_ttir(module, {}, options, 90)


def to_linalg(kernel, signature: dict[str, str], constants: dict[str, object]):
    module = crossing.from_triton(ttir(kernel, signature, constants), crossing.new_context())
    crossing.run_passes(module, "builtin.module(convert-triton-to-linalg)")
    return module


@functools.cache
def libc() -> ctypes.CDLL:
    return ctypes.CDLL(ctypes.util.find_library("c"), use_errno=True)


@contextlib.contextmanager
def guarded(array: np.ndarray) -> Iterator[int]:
    """The address of a copy of `array` before an unmapped page; changes come back."""
    pages = -(-max(array.nbytes, 1) // mmap.PAGESIZE)
    memory = mmap.mmap(-1, (pages + 1) * mmap.PAGESIZE)
    buffer = (ctypes.c_char * len(memory)).from_buffer(memory)
    end = ctypes.addressof(buffer) + pages * mmap.PAGESIZE
    if libc().mprotect(ctypes.c_void_p(end), mmap.PAGESIZE, 0):
        raise OSError(ctypes.get_errno(), "mprotect")
    address = end - array.nbytes
    flat = np.ascontiguousarray(array)
    ctypes.memmove(address, flat.ctypes.data, array.nbytes)
    yield address
    ctypes.memmove(flat.ctypes.data, address, array.nbytes)
    array[...] = flat
    libc().mprotect(ctypes.c_void_p(end), mmap.PAGESIZE, mmap.PROT_READ | mmap.PROT_WRITE)


def compiled(module, name: str) -> Callable[..., None]:
    """The function, as machine code."""
    crossing.run_passes(module, f"builtin.module({TO_BUFFERS})")
    function = next(
        op for op in module.body.operations if isinstance(op, FuncOp) and op.name.value == name
    )
    types = [C_TYPES[str(kind)] for kind in function.type.inputs]
    function.attributes["llvm.emit_c_interface"] = UnitAttr.get(module.context)
    crossing.run_passes(module, f"builtin.module({TO_LOOPS},{TO_LLVM})")
    engine = ExecutionEngine(module, opt_level=2, shared_libs=[str(RUNTIME)])

    def call(*values: object) -> None:
        passed = [kind(value) for kind, value in zip(types, values, strict=True)]
        engine.invoke(name, *(ctypes.pointer(value) for value in passed))

    return call


def launch(kernel, grid: tuple[int, ...], *arguments: object, **constants: object) -> str:
    """Runs every program of the grid; arrays change in place. Gives the linalg text."""
    runtime = [name for name in kernel.arg_names if name not in constants]
    signature = dict(zip(runtime, (triton_type(argument) for argument in arguments), strict=True))
    module = to_linalg(kernel, signature, constants)
    text = str(module)
    function = compiled(module, kernel.__name__)
    sizes = (*grid, 1, 1)[:3]
    with contextlib.ExitStack() as stack:
        passed = [
            stack.enter_context(guarded(argument)) if isinstance(argument, np.ndarray) else argument
            for argument in arguments
        ]
        for z, y, x in itertools.product(*(range(size) for size in reversed(sizes))):
            function(*passed, x, y, z, *sizes)
    return text
