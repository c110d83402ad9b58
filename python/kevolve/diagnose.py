"""Why a kernel takes the time it takes: the pass `trace-synthesize`, run in process."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

from kevolve.records import Diagnosis, Metric, from_json
from kevolve.triton_bridge import crossing


def diagnose(
    ir_text: str,
    records: bytes | None,
    metrics: Iterable[Metric],
    kernel: str,
    target: str,
) -> tuple[Diagnosis, str]:
    """The diagnosis of one launch, and `ir_text` annotated with what was measured.

    Args:
        ir_text: the module with its site table (`probe.sites`), as it was before the probes were
            lowered or after; without records it may have none.
        records: the record file of the launch (`kevolve.profile.records.encode`), if there is one.
        metrics: the metrics of the launch; may be empty when there are records.
        kernel: the kernel's name.
        target: where it ran: mtia, cuda, hip.

    Raises:
        CompileError: the IR does not parse, the records are not those of its site table, or
            neither records nor metrics decide anything.
    """
    module = crossing.parse(ir_text, crossing.new_context())
    with tempfile.TemporaryDirectory(prefix="kevolve-diagnose-") as folder:
        options = _write_inputs(Path(folder), records, tuple(metrics), kernel, target)
        output = Path(folder) / "diagnosis.json"
        crossing.run_passes(module, f"trace-synthesize{{{options} output={output}}}")
        diagnosis = from_json(Diagnosis, output.read_bytes())
    return diagnosis, crossing.print_module(module, generic_form=False)


def _write_inputs(
    folder: Path,
    records: bytes | None,
    metrics: tuple[Metric, ...],
    kernel: str,
    target: str,
) -> str:
    text = {"target": target, "kernel": kernel, "metrics": [asdict(one) for one in metrics]}
    (folder / "metrics.json").write_text(json.dumps(text))
    options = f"metrics={folder / 'metrics.json'}"
    if records is not None:
        (folder / "records").write_bytes(records)
        options += f" records={folder / 'records'}"
    return options
