"""Types of the simulator's module; its docstrings say what each does."""

class SimulatorFault(Exception):
    """A kernel did something the machine forbids."""

class LaunchReport:
    cycles: int
    time_ns: float
    metrics: list[tuple[str, float, str]]
    counters_json: str
    trace_json: str

class Device:
    chip_name: str
    clock_hz: float
    num_pes: int
    local_bytes: int

    def __init__(self, chip_json_path: str) -> None: ...
    def reset(self) -> None: ...
    def launch(
        self,
        elf: bytes,
        entry: str,
        grid: tuple[int, int, int],
        args: list[int],
        regions: list[tuple[int, int, bool]],
        probe_area: int = 0,
        num_pes: int = 0,
        instruction_budget: int = 0,
        trace: bool = False,
    ) -> LaunchReport: ...
