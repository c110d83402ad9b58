"""Every file of test/kernels as a fixture."""

import pytest
from example_kernels import KERNEL_FILES


@pytest.fixture(params=KERNEL_FILES, ids=lambda path: path.stem)
def kernel_file(request):
    return request.param
