from __future__ import annotations

import pytest
from launching import Launcher


@pytest.fixture
def launch():
    """A cold device of the default chip."""
    return Launcher()
