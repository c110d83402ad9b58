"""Matrix products in the order that a CPU's vectors want.

As linalg has them, the innermost loop is a sum, which no compiler may reorder. With the columns of
the result innermost, neighbours are computed at once; each element is summed in the same order.
"""

from __future__ import annotations

from mlir.dialects.transform import interpreter
from mlir.ir import Module

from kevolve.triton_bridge import crossing

_SEQUENCE = """
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op) {
    %single = transform.structured.match ops{["linalg.matmul"]} in %module
      : (!transform.any_op) -> !transform.any_op
    %loops = transform.structured.generalize %single : (!transform.any_op) -> !transform.any_op
    transform.structured.interchange %loops iterator_interchange = [0, 2, 1]
      : (!transform.any_op) -> !transform.any_op
    %batched = transform.structured.match ops{["linalg.batch_matmul"]} in %module
      : (!transform.any_op) -> !transform.any_op
    %batched_loops = transform.structured.generalize %batched
      : (!transform.any_op) -> !transform.any_op
    transform.structured.interchange %batched_loops iterator_interchange = [0, 1, 3, 2]
      : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
"""


def put_columns_innermost(module: crossing.Module) -> None:
    """Interchanges the loops of the matrix products in a module of linalg on buffers."""
    sequences = Module.parse(_SEQUENCE, module.context)
    sequence = sequences.body.operations[0]
    interpreter.apply_named_sequence(module.operation, sequence, sequences)
