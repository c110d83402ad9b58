"""A process for a candidate: its own session, limits on memory, files and time, and a sure end.

Processes are forked from a server that has imported torch and Triton once, so that each starts
clean and in a few hundredths of a second.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import multiprocessing.context
import os
import resource
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

_MIB = 1 << 20


@dataclass(frozen=True)
class Limits:
    """What a candidate's process may use.

    Address space, not resident memory, is what Linux can limit; torch alone maps a few GiB.
    """

    wall_time_s: float = 300.0
    address_space_bytes: int = 16 << 30
    file_bytes: int = 512 * _MIB
    open_files: int = 256


@dataclass(frozen=True)
class Exit:
    """How the process ended: its exit code (negative: the signal), or that its time ran out."""

    code: int | None
    timed_out: bool

    @property
    def clean(self) -> bool:
        return self.code == 0 and not self.timed_out

    def describe(self, limits: Limits) -> str:
        """Why the process gave no result, in words."""
        if self.timed_out:
            return f"did not end within {limits.wall_time_s:g} s"
        if self.code is not None and self.code < 0:
            return f"killed by {signal.Signals(-self.code).name}"
        return f"exited with status {self.code} before it gave a result"


def run(
    function: Callable[[str], None], argument: str, log: Path, limits: Limits, warm: bool
) -> Exit:
    """Runs `function(argument)` in a process of its own; everything it prints goes to `log`.

    A `warm` process is forked from the server; another is started from nothing, for work that
    must set up Triton before it is imported.
    """
    context = _server() if warm else multiprocessing.get_context("spawn")
    process = context.Process(
        target=_enter, args=(function, argument, str(log), limits), daemon=False
    )
    process.start()
    try:
        process.join(limits.wall_time_s)
        timed_out = process.is_alive()
    finally:
        _end_group(process.pid)
        process.join()
    return Exit(process.exitcode, timed_out)


_PRELOAD = ["torch", "triton", "triton.language", "kevolve.evaluate.worker"]


def _server() -> multiprocessing.context.ForkServerContext:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(_PRELOAD)
    return context


def _end_group(pid: int | None) -> None:
    # The process leads a group of its own, so this reaches its children too, and those of a
    # candidate that has ended and left some behind.
    if pid is None:
        return
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def _enter(function: Callable[[str], None], argument: str, log: str, limits: Limits) -> None:
    os.setsid()
    # Ctrl-C is for the driver, which then ends this group.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _redirect_output(log)
    os.chdir(Path(log).parent)
    for kind, value in (
        (resource.RLIMIT_AS, limits.address_space_bytes),
        (resource.RLIMIT_FSIZE, limits.file_bytes),
        (resource.RLIMIT_NOFILE, limits.open_files),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(kind, (value, value))
    function(argument)
    sys.stdout.flush()


def _redirect_output(log: str) -> None:
    output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    empty = os.open(os.devnull, os.O_RDONLY)
    for descriptor, onto in ((empty, 0), (output, 1), (output, 2)):
        os.dup2(descriptor, onto)
    os.close(output)
    os.close(empty)
