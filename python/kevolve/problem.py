"""The reference that a search starts from: a problem file in KernelBench's convention.

A problem file defines `class Model(nn.Module)`, `get_inputs()` and optionally `get_init_inputs()`.
Everything random in it is seeded, so that the same seed gives the same weights and inputs.
"""

from __future__ import annotations

import hashlib
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType
from typing import Any, TypeVar

import torch
from torch import nn

from kevolve.errors import ProblemError

Result = TypeVar("Result")


@dataclass(frozen=True)
class Tolerance:
    """How far a candidate's result may be from the reference; zero and zero means bitwise."""

    atol: float
    rtol: float


EXACT = Tolerance(0.0, 0.0)

# float32 is the project's contract (docs/architecture: Problem). The others scale it by the unit
# round-off of the type: fp16 has 2^-11, bf16 2^-8, and a result is rounded once per operator.
TOLERANCES: dict[torch.dtype, Tolerance] = {
    torch.float64: Tolerance(1e-8, 1e-8),
    torch.float32: Tolerance(1e-4, 5e-4),
    torch.float16: Tolerance(2e-3, 5e-3),
    torch.bfloat16: Tolerance(1.6e-2, 2e-2),
}


def tolerance(dtype: torch.dtype) -> Tolerance:
    """The tolerance of results of `dtype`: exact for integers and booleans."""
    return TOLERANCES.get(dtype, EXACT)


@dataclass(frozen=True)
class Problem:
    """A loaded problem file.

    Attributes:
        name: the file's stem.
        path: where it was read from.
        source: its text.
    """

    name: str
    path: Path
    source: str
    namespace: dict[str, Any] = field(repr=False, compare=False, hash=False)

    @property
    def hash(self) -> str:
        """The content hash of the source."""
        return hashlib.sha256(self.source.encode()).hexdigest()

    def init_inputs(self, seed: int = 0) -> tuple[Any, ...]:
        """The arguments of `Model`'s constructor."""
        function = self.namespace.get("get_init_inputs")
        if function is None:
            return ()
        return _as_tuple(self, "get_init_inputs", self._seeded(seed, function))

    def make_model(self, seed: int = 0) -> nn.Module:
        """A reference model for inference, its parameters initialised from `seed`."""
        arguments = self.init_inputs(seed)
        model: nn.Module = self._seeded(seed, lambda: self.namespace["Model"](*arguments))
        return model.eval().requires_grad_(False)

    def inputs(self, seed: int = 0) -> tuple[Any, ...]:
        """The arguments of `forward` that belong to `seed`."""
        return _as_tuple(self, "get_inputs", self._seeded(seed, self.namespace["get_inputs"]))

    def reference(self, model: nn.Module, inputs: Iterable[object]) -> object:
        """What the reference computes for `inputs`."""

        def forward() -> object:
            with torch.no_grad():
                return model(*inputs)

        return guarded(self.path, forward)

    def _seeded(self, seed: int, function: Callable[[], Result]) -> Result:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            return guarded(self.path, function)


def load_problem(path: str | Path) -> Problem:
    """The problem in the file `path`; raises ProblemError naming the line at fault."""
    path = Path(path)
    source = _read(path)
    namespace: dict[str, Any] = {"__name__": path.stem, "__file__": str(path)}
    code = _compile(path, source)
    guarded(path, lambda: exec(code, namespace))
    problem = Problem(path.stem, path, source, namespace)
    _check_convention(problem)
    return problem


def guarded(path: Path, function: Callable[[], Result]) -> Result:
    """The result of code of a problem file; what it raises becomes a ProblemError with its line."""
    try:
        return function()
    except (KeyboardInterrupt, MemoryError, ProblemError):
        raise
    except (Exception, SystemExit) as error:  # foreign code: anything may come out of it
        text = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        raise ProblemError(text, path, line_in(path, error)) from error


def line_in(path: Path, error: BaseException) -> int | None:
    """The innermost line of `path` that the traceback of `error` goes through."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == str(path)]
    return lines[-1] if lines else None


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ProblemError("no such problem file", path) from None
    except (OSError, UnicodeDecodeError) as error:
        raise ProblemError(f"cannot be read: {error}", path) from error


def _compile(path: Path, source: str) -> CodeType:
    try:
        return compile(source, str(path), "exec")
    except SyntaxError as error:
        raise ProblemError(f"syntax error: {error.msg}", path, error.lineno) from None
    except ValueError as error:
        raise ProblemError(f"not Python text: {error}", path) from None


def _check_convention(problem: Problem) -> None:
    model = problem.namespace.get("Model")
    if model is None:
        raise ProblemError("defines no class Model(nn.Module)", problem.path)
    if not (isinstance(model, type) and issubclass(model, nn.Module)):
        raise ProblemError("Model is not a torch.nn.Module class", problem.path, _line_of(problem))
    if not callable(problem.namespace.get("get_inputs")):
        raise ProblemError("defines no function get_inputs()", problem.path)


def _line_of(problem: Problem) -> int | None:
    lines = problem.source.splitlines()
    starts = ("class Model", "def Model", "Model =")
    return next((n for n, text in enumerate(lines, 1) if text.startswith(starts)), None)


def _as_tuple(problem: Problem, function: str, value: object) -> tuple[Any, ...]:
    if isinstance(value, list | tuple):
        return tuple(value)
    kind = type(value).__name__
    raise ProblemError(f"{function}() returns {kind}, a list is expected", problem.path)
