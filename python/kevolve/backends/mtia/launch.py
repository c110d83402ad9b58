"""One launch: arguments into slots, tensors into regions, the report kept."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from kevolve.backends.mtia import device
from kevolve.backends.slots import Slots
from kevolve.errors import LaunchError

# sizeof(struct kevolve_record), profiling/schema/probe_record.h.
_RECORD_BYTES = 32


@dataclass(frozen=True)
class Launch:
    """What one launch did.

    Attributes:
        kernel: name of the kernel.
        grid: programs in x, y and z.
        report: the simulator's LaunchReport: cycles, time_ns, metrics, counters_json.
        build: Triton's hash of the compiled kernel, under which its cache keeps every stage.
        records: the record area of a probed launch, else None.
        probed_ir: the mtia-stage module with its site table, of a probed launch, else None.
    """

    kernel: str
    grid: tuple[int, int, int]
    report: Any
    build: str
    records: bytes | None = None
    probed_ir: str | None = None


class Launcher:
    """Triton's launcher class: made once per compiled kernel, called once per launch."""

    def __init__(self, source: Any, metadata: Any) -> None:
        self.slots = Slots(source.signature.values(), "mtia")
        self.metadata = metadata

    def __call__(
        self,
        grid_x: int,
        grid_y: int,
        grid_z: int,
        stream: object,
        function: bytes,
        packed_metadata: object,
        launch_metadata: Any,
        enter_hook: Any,
        exit_hook: Any,
        *arguments: Any,
    ) -> None:
        grid = (int(grid_x), int(grid_y), int(grid_z))
        if enter_hook is not None:
            enter_hook(launch_metadata)
        if min(grid) > 0:
            device.current().record(self._launch(function, grid, arguments))
        if exit_hook is not None:
            exit_hook(launch_metadata)

    def _launch(self, elf: bytes, grid: tuple[int, int, int], arguments: Sequence[Any]) -> Launch:
        values = self.slots.pack(arguments)
        regions = _regions(self.slots.tensors(arguments))
        area = self._record_area()
        name = self.metadata.name
        if area is None:
            return Launch(name, grid, _run(name, elf, grid, values, regions), self.metadata.hash)
        at, size = area.ctypes.data, area.nbytes
        report = _run(name, elf, grid, values, [*regions, (at, size, True)], at)
        ir = self.metadata.probed_ir
        return Launch(name, grid, report, self.metadata.hash, area.tobytes(), ir)

    def _record_area(self) -> Any:
        """Room for a record per PE and site, for a build with probes."""
        import numpy

        sites = getattr(self.metadata, "num_sites", None)
        if sites is None:
            return None
        return numpy.zeros(device.current().num_pes * sites * _RECORD_BYTES, dtype=numpy.uint8)


def _run(
    name: str,
    elf: bytes,
    grid: tuple[int, int, int],
    values: list[int],
    regions: list[tuple[int, int, bool]],
    record_area: int = 0,
) -> Any:
    from kevolve._native import _mtia_sim

    try:
        return device.current().simulator.launch(elf, name, grid, values, regions, record_area)
    except _mtia_sim.SimulatorFault as fault:
        raise LaunchError(f"kernel {name} faulted: {fault}") from fault


def _regions(tensors: Iterable[Any]) -> list[tuple[int, int, bool]]:
    """The storages behind the tensors, each once: kernels may reach all of a view's storage."""
    regions = {}
    for tensor in tensors:
        storage = getattr(tensor, "base", tensor).untyped_storage()
        if storage.nbytes() > 0:
            regions[storage.data_ptr()] = (storage.data_ptr(), storage.nbytes(), True)
    return list(regions.values())
