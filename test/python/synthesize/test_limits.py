"""What schedules take a chip to be is what the simulator simulates."""

import pytest
from kevolve.backends.mtia import device
from kevolve.errors import UnknownTargetError
from kevolve.synthesize.limits import limits_of

KEPT_FREE = 16 * 1024  # stack, probe records, constants


@pytest.mark.parametrize(
    ("target", "chip"),
    [("mtia", "mtia-2i"), ("mtia:mtia-2i", "mtia-2i"), ("mtia:mtia-300", "mtia-300")],
)
def test_limits_are_those_of_the_chip(target, chip):
    limits = limits_of(target)
    rows, columns = (device.chip_parameter(chip, f"pe.{name}") for name in ("rows", "columns"))
    assert limits.processors == rows * columns
    assert limits.local_bytes == device.chip_parameter(chip, "ls.bytes") - KEPT_FREE


def test_an_unknown_target_is_told():
    with pytest.raises(UnknownTargetError, match=r"'tpu'.*cpu, cuda, hip, mtia"):
        limits_of("tpu")
