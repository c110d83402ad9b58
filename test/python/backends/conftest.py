"""A cold MTIA device for every test, and a cache of kernels of its own."""

import pytest
import triton
from kevolve.backends import mtia


@pytest.fixture(scope="session", autouse=True)
def kernel_cache(tmp_path_factory):
    """Kernels are compiled anew in every session, and once per session."""
    with triton.knobs.cache.scope():
        triton.knobs.cache.dir = str(tmp_path_factory.mktemp("triton-cache"))
        yield


@pytest.fixture
def device():
    """The simulated chip, cold, without launches."""
    mtia.activate()
    mtia.enable_profiling(False)
    mtia.reset_device()
    mtia.take_launches()
    yield mtia
    mtia.enable_profiling(False)
