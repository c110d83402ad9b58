"""Multiplications and additions that may be rounded once (fp fusion), as flags of operations."""

from __future__ import annotations

from mlir.ir import Attribute, Operation, WalkResult

from kevolve.triton_bridge import crossing

_FUSED = ("arith.mulf", "arith.addf", "arith.subf")


def allow_fused_multiply_add(module: crossing.Module) -> None:
    """Lets the code generator make one operation of a product and the sum that it goes into."""
    contract = Attribute.parse("#arith.fastmath<contract>", module.context)

    def mark(operation: Operation) -> WalkResult:
        if operation.name in _FUSED:
            operation.attributes["fastmath"] = contract
        return WalkResult.ADVANCE

    module.operation.walk(mark)
