"""Evaluates candidates of one problem for one target: correct, then fast, then why."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch

from kevolve.diagnose import diagnose
from kevolve.evaluate import sandbox
from kevolve.evaluate.correctness import compare
from kevolve.evaluate.job import (
    CANDIDATE_FILE,
    INPUTS_FILE,
    JOB_FILE,
    OUTPUT_LOG,
    OUTPUTS_FILE,
    RESULT_FILE,
    Job,
    JobResult,
    Mode,
    ProfiledKernel,
)
from kevolve.evaluate.reference import Reference
from kevolve.evaluate.worker import run_job
from kevolve.problem import Problem
from kevolve.records import (
    Diagnosis,
    Evaluation,
    Measurement,
    Status,
    TimeKind,
    Verdict,
    from_json,
    to_json,
)

_MODES = {"mtia": (Mode.SIMULATE,), "cpu": (Mode.MEASURE,)}
# Where times come from on the other targets: the static model.
_TIME_KINDS = {"mtia": TimeKind.SIMULATED, "cpu": TimeKind.MEASURED}
_HOST_MODES = (Mode.INTERPRET, Mode.ESTIMATE)


@dataclass(frozen=True)
class _Run:
    """One job that has ended, with its directory still there."""

    directory: Path
    result: JobResult


class Evaluator:
    """Callable: candidate source -> Evaluation. Never raises for what a candidate does."""

    def __init__(self, problem: Problem, target: str, seed: int, limits: sandbox.Limits):
        self._target = target
        self._limits = limits
        self._reference = Reference.of(problem, seed)
        self._modes = _MODES.get(_family(target), _HOST_MODES)

    def __call__(self, source: str) -> Evaluation:
        with tempfile.TemporaryDirectory(prefix="kevolve-") as folder:
            runs = []
            for mode in self._modes:
                directory = Path(folder) / mode
                runs.append(_Run(directory, self._run(source, directory, mode)))
                if runs[-1].result.status is not Status.CORRECT:
                    return _failed(runs[-1].result)
            return self._judge(runs)

    def _run(self, source: str, directory: Path, mode: Mode) -> JobResult:
        directory.mkdir()
        job = Job(str(directory), self._target, mode, profile=mode is not Mode.INTERPRET)
        job.path(CANDIDATE_FILE).write_text(source)
        job.path(JOB_FILE).write_text(to_json(job))
        self._reference.save_case(job.path(INPUTS_FILE))
        warm = mode is not Mode.INTERPRET
        ended = sandbox.run(run_job, str(directory), job.path(OUTPUT_LOG), self._limits, warm)
        result_file = job.path(RESULT_FILE)
        if ended.clean and result_file.is_file():
            return from_json(JobResult, result_file.read_text())
        status = Status.TIMED_OUT if ended.timed_out else Status.CRASHED
        return JobResult(status, _with_last_line(ended.describe(self._limits), job))

    def _judge(self, runs: Sequence[_Run]) -> Evaluation:
        first, last = runs[0], runs[-1]
        if first.result.inputs_digest != self._reference.inputs_digest:
            return _failed(JobResult(Status.INCORRECT, "the candidate changed its inputs"))
        outputs = torch.load(first.directory / OUTPUTS_FILE, weights_only=True)
        verdict = compare(outputs, self._reference.exact, self._reference.eager)
        if not verdict.correct:
            return Evaluation(verdict)
        return self._explain(verdict, last)

    def _explain(self, verdict: Verdict, run: _Run) -> Evaluation:
        launches = run.result.launches
        kind = _TIME_KINDS.get(_family(self._target), TimeKind.ESTIMATED)
        measurement = Measurement(sum(launch.time_ns for launch in launches), kind, launches)
        diagnoses, annotated = [], {}
        for index, profiled in enumerate(run.result.profiled):
            diagnosis, text = self._diagnose(run.directory, profiled)
            diagnoses.append(diagnosis)
            annotated[f"{index}:{profiled.launch.kernel}"] = text
        return Evaluation(verdict, measurement, tuple(diagnoses), annotated)

    def _diagnose(self, directory: Path, profiled: ProfiledKernel) -> tuple[Diagnosis, str]:
        records = (
            (directory / profiled.records_file).read_bytes() if profiled.records_file else None
        )
        return diagnose(
            (directory / profiled.ir_file).read_text(),
            records,
            profiled.launch.metrics,
            profiled.launch.kernel,
            self._target,
        )


def _family(target: str) -> str:
    return target.split(":", maxsplit=1)[0]


def _failed(result: JobResult) -> Evaluation:
    return Evaluation(Verdict(result.status, result.reason))


def _with_last_line(reason: str, job: Job) -> str:
    log = job.path(OUTPUT_LOG)
    tail = log.read_bytes()[-400:].decode(errors="replace").strip() if log.is_file() else ""
    return f"{reason}; it printed last: {tail.splitlines()[-1]}" if tail else reason
