"""Operations of Triton's language by types, on the mtia backend, against NumPy in float64.

What holds for a type shares one kernel with the rest of its group; what does not is a test of its
own, that has to fail.
"""

import pytest
from kevolve.errors import CompileError
from operation_groups import GROUPS
from operation_kernel import run


def passing():
    for group in GROUPS:
        for dtype in group.dtypes():
            chosen = [op for op in group.operations if dtype in op.dtypes and not op.reason(dtype)]
            if chosen:
                yield pytest.param(chosen, dtype, id=f"{group.name}-{dtype}")


def failing():
    for group in GROUPS:
        for op in group.operations:
            for dtype in op.dtypes:
                reason = op.reason(dtype)
                if reason:
                    mark = pytest.mark.xfail(strict=True, raises=CompileError, reason=reason)
                    yield pytest.param(op, dtype, id=f"{op.name}-{dtype}", marks=mark)


@pytest.mark.parametrize(("operations", "dtype"), list(passing()))
def test_operations(device, operations, dtype, tmp_path):
    assert run(operations, dtype, tmp_path) == []


@pytest.mark.parametrize(("operation", "dtype"), list(failing()))
def test_operations_that_fail(device, operation, dtype, tmp_path):
    assert run([operation], dtype, tmp_path) == []
