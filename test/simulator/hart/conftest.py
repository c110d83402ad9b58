from __future__ import annotations

from pathlib import Path

import guest
import kevolve
import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--hart-run", help="the mtia-hart-run to test (default: the built one)")
    parser.addoption("--hart-seed", type=int, default=1, help="seed of the random instructions")
    parser.addoption("--hart-cases", type=int, default=1500, help="random cases of one test")


@pytest.fixture(scope="session")
def runner(pytestconfig: pytest.Config) -> Path:
    given = pytestconfig.getoption("--hart-run")
    path = Path(given) if given else Path(kevolve.__file__).parent / "bin/mtia-hart-run"
    if not path.exists():
        pytest.fail(f"{path} is not built: ninja -C build mtia-hart-run")
    return path


@pytest.fixture(scope="session")
def seed(pytestconfig: pytest.Config) -> int:
    return int(pytestconfig.getoption("--hart-seed"))


@pytest.fixture(scope="session")
def cases(pytestconfig: pytest.Config) -> int:
    return int(pytestconfig.getoption("--hart-cases"))


@pytest.fixture(scope="session")
def qemu() -> None:
    if guest.qemu_is_missing():
        pytest.skip(f"{guest.QEMU} is not installed (Debian: qemu-user)")
