"""What a problem's reference model says the outputs are."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from kevolve.evaluate.correctness import digest
from kevolve.problem import Problem


@dataclass(frozen=True)
class Reference:
    """Inputs, parameters and outputs of one problem for one seed.

    `exact` are the outputs computed in float64, `eager` those in the model's own dtypes.
    """

    init_inputs: tuple[Any, ...]
    inputs: tuple[Any, ...]
    state: dict[str, torch.Tensor]
    exact: list[torch.Tensor]
    eager: list[torch.Tensor]
    inputs_digest: str

    @classmethod
    def of(cls, problem: Problem, seed: int) -> Reference:
        """Runs the reference model twice: as it is, and with all floating point as float64."""
        model = problem.make_model(seed)
        inputs = problem.inputs(seed)
        state = {name: value.clone() for name, value in model.state_dict().items()}
        eager = _as_list(problem.reference(model, _copies(inputs)))
        wide = [_widen(value) for value in inputs]
        exact = _as_list(problem.reference(model.double(), wide))
        return cls(problem.init_inputs(seed), inputs, state, exact, eager, digest(inputs))

    def save_case(self, path: Path) -> None:
        """Writes what a candidate may know: constructor arguments, parameters and inputs."""
        case = {"init_inputs": self.init_inputs, "inputs": self.inputs, "state": self.state}
        torch.save(case, path)


def _as_list(outputs: Any) -> list[torch.Tensor]:
    return [outputs] if isinstance(outputs, torch.Tensor) else list(outputs)


def _copies(inputs: tuple[Any, ...]) -> list[Any]:
    return [value.clone() if isinstance(value, torch.Tensor) else value for value in inputs]


def _widen(value: Any) -> Any:
    if isinstance(value, torch.Tensor) and value.is_floating_point():
        return value.double()
    return value.clone() if isinstance(value, torch.Tensor) else value
