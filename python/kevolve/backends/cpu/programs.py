"""The function that a thread calls: part of a grid's programs, one after the other.

It takes the argument block of `kevolve.backends.slots`, the numbers of the first program and of the
one after the last (x runs fastest, then y), and the grid. A thread's part of a launch is one call,
and the kernel can be inlined into the loop.
"""

from __future__ import annotations

from typing import Any

from mlir.dialects.func import FuncOp
from mlir.ir import Attribute, IntegerAttr, Module

from kevolve.errors import CompileError
from kevolve.triton_bridge import crossing

ENTRY = "kevolve_run_programs"

_NUM_ARGUMENTS = "kevolve.num_arguments"
_TEMPLATE = """
func.func private @{kernel}({types}{separator}i32, i32, i32, i32, i32, i32)
func.func @{entry}(%slots: !llvm.ptr, %begin: i64, %end: i64, %nx: i32, %ny: i32, %nz: i32) {{
{loads}
  %one = arith.constant 1 : i64
  %nx_wide = arith.extui %nx : i32 to i64
  %ny_wide = arith.extui %ny : i32 to i64
  scf.for %program = %begin to %end step %one : i64 {{
    %x_wide = arith.remui %program, %nx_wide : i64
    %row = arith.divui %program, %nx_wide : i64
    %y_wide = arith.remui %row, %ny_wide : i64
    %z_wide = arith.divui %row, %ny_wide : i64
    %x = arith.trunci %x_wide : i64 to i32
    %y = arith.trunci %y_wide : i64 to i32
    %z = arith.trunci %z_wide : i64 to i32
    func.call @{kernel}({values}{separator}%x, %y, %z, %nx, %ny, %nz)
      : ({types}{separator}i32, i32, i32, i32, i32, i32) -> ()
  }}
  return
}}
"""


def add_loop_over_programs(module: crossing.Module, kernel: str) -> None:
    """Adds the function to a module whose kernel takes scalars and addresses."""
    function = _function(module, kernel)
    num_arguments = IntegerAttr(function.attributes[_NUM_ARGUMENTS]).value
    types = [str(kind) for kind in function.type.inputs][:num_arguments]
    text = _TEMPLATE.format(
        kernel=kernel,
        entry=ENTRY,
        types=", ".join(types),
        separator=", " if types else "",
        values=", ".join(f"%a{number}" for number in range(num_arguments)),
        loads="\n".join(_load(number, kind) for number, kind in enumerate(types)),
    )
    made = Module.parse(text, module.context)
    module.body.append(_function(made, ENTRY))
    # Nobody else calls the kernel, so that its body may move into the loop.
    with module.context:
        function.attributes["llvm.linkage"] = Attribute.parse("#llvm.linkage<internal>")


def _load(number: int, kind: str) -> str:
    """Argument `number` out of its slot. A boolean is the lowest bit of a byte."""
    slot = f"  %p{number} = llvm.getelementptr %slots[{number}] : (!llvm.ptr) -> !llvm.ptr, i64\n"
    if kind != "i1":
        return f"{slot}  %a{number} = llvm.load %p{number} : !llvm.ptr -> {kind}"
    byte = f"  %b{number} = llvm.load %p{number} : !llvm.ptr -> i8\n"
    return f"{slot}{byte}  %a{number} = arith.trunci %b{number} : i8 to i1"


def _function(module: crossing.Module, name: str) -> Any:
    for operation in module.body.operations:
        if isinstance(operation, FuncOp) and operation.name.value == name:
            return operation
    raise CompileError(f"llvm.mlir: the module has no function {name}")
