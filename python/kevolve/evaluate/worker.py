"""What runs in a candidate's process: import it, run it once, write down what came out."""

from __future__ import annotations

import importlib.util
import traceback
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

import torch

from kevolve.errors import CompileError
from kevolve.evaluate.correctness import digest
from kevolve.evaluate.dispatch_guard import DispatchGuard, OutsideWorkError
from kevolve.evaluate.job import (
    CANDIDATE_FILE,
    INPUTS_FILE,
    JOB_FILE,
    OUTPUTS_FILE,
    RESULT_FILE,
    Job,
    JobResult,
)
from kevolve.evaluate.runner import Runner, make_runner
from kevolve.records import Status, from_json, to_json


def run_job(directory: str) -> None:
    """Runs the job in `directory` and leaves `result.json`, and `outputs.pt` if it succeeded."""
    job = from_json(Job, (Path(directory) / JOB_FILE).read_text())
    result = _guarded(job)
    job.path(RESULT_FILE).write_text(to_json(result))


def _guarded(job: Job) -> JobResult:
    try:
        return _run(job)
    except OutsideWorkError as error:
        return JobResult(Status.REJECTED, str(error))
    except SyntaxError as error:
        return JobResult(Status.COMPILE_ERROR, f"{CANDIDATE_FILE}:{error.lineno}: {error.msg}")
    except CompileError as error:
        return JobResult(Status.COMPILE_ERROR, str(error))
    except Exception as error:  # the evaluator's process boundary: whatever a candidate raises
        return JobResult(_status_of(error), _describe(error))


def _run(job: Job) -> JobResult:
    runner = make_runner(job)
    module = _import_candidate(job.path(CANDIDATE_FILE))
    case = torch.load(job.path(INPUTS_FILE), weights_only=True)
    model = _make_model(module, case["init_inputs"], case["state"])
    inputs: Sequence[object] = case["inputs"]
    outputs = _forward(model, inputs, runner)
    torch.save([output.contiguous() for output in outputs], job.path(OUTPUTS_FILE))
    launches = runner.launches()
    inputs_digest = digest(inputs)
    profiled = runner.profile(lambda: _forward(model, inputs, runner), job) if job.profile else ()
    return JobResult(Status.CORRECT, "", launches, profiled, inputs_digest)


def _import_candidate(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("candidate", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _make_model(
    module: ModuleType, init_inputs: Sequence[object], state: dict[str, torch.Tensor]
) -> torch.nn.Module:
    model: torch.nn.Module = module.ModelNew(*init_inputs)
    model.load_state_dict(state)
    return model.eval()


def _forward(
    model: torch.nn.Module, inputs: Sequence[object], runner: Runner
) -> list[torch.Tensor]:
    with torch.no_grad(), DispatchGuard():  # type: ignore[no-untyped-call]
        outputs = runner.run(model, inputs)
    return [outputs] if isinstance(outputs, torch.Tensor) else list(outputs)


def _status_of(error: Exception) -> Status:
    # Triton wraps what its frontend finds in a class of its own; it is known by its module here so
    # that a process for a target without Triton need not import it.
    compile_errors = {
        "CompilationError",
        "UnsupportedLanguageConstruct",
        "CompileTimeAssertionFailure",
    }
    names = {kind.__name__ for kind in type(error).__mro__}
    return Status.COMPILE_ERROR if names & compile_errors else Status.RUNTIME_ERROR


def _describe(error: Exception) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    inside = [frame for frame in frames if frame.filename.endswith(CANDIDATE_FILE)]
    place = f"{CANDIDATE_FILE}:{inside[-1].lineno}: " if inside else ""
    text = " ".join(str(error).split())[:500]
    return f"{place}{type(error).__name__}: {text}"
