"""What an emitted file has besides kernels: the problem's own text, imports, a self check."""

from __future__ import annotations

import ast
import sys
from string import Template

OWN_IMPORTS = ("import torch", "import triton", "import triton.language as tl")

_SELF_CHECK = Template('''def self_check():
    """Compares ModelNew with Model, on a GPU or $machine; prints error and time."""
    device = "cuda" if torch.cuda.is_available() else "cpu"
    if device == "cpu":
        from kevolve.backends import $backend

        $backend.activate($chip)
    torch.manual_seed(0)
    arguments = get_init_inputs() if "get_init_inputs" in globals() else []
    reference = Model(*arguments).eval().to(device)
    candidate = ModelNew(*arguments).eval().to(device)
    candidate.load_state_dict(reference.state_dict())
    inputs = [x.to(device) if isinstance(x, torch.Tensor) else x for x in get_inputs()]
    with torch.no_grad():
        expected, actual = reference(*inputs), candidate(*inputs)
    if isinstance(expected, torch.Tensor):
        expected, actual = (expected,), (actual,)
    for want, got in zip(expected, actual, strict=True):
        atol, rtol = (1e-4, 5e-4) if want.dtype == torch.float32 else (2e-3, 5e-3)
        error = (want.double() - got.double()).abs().max().item()
        close = torch.allclose(want.double(), got.double(), atol=atol, rtol=rtol)
        print(f"max error {error:.3g}: {'correct' if close else 'WRONG'}")
    if device == "cuda":
        with torch.no_grad():
            time_ms = triton.testing.do_bench(lambda: candidate(*inputs))
        print(f"time {time_ms * 1e3:.2f} us")
    else:
        time_ns = sum(launch.$time for launch in $backend.take_launches())
        print(f"$kind time {time_ns / 1e3:.2f} us")


if __name__ == "__main__":
    self_check()''')
_ON_MTIA = {
    "machine": "the MTIA simulator",
    "backend": "mtia",
    "time": "report.time_ns",
    "kind": "simulated",
}
_ON_CPU = {"machine": "this CPU", "backend": "cpu", "time": "time_ns", "kind": "measured"}


def self_check(target: str) -> str:
    """The function that checks and times an emitted file for `target` when it runs by itself.

    Without a GPU, files for GPUs run on the simulator.
    """
    family, _, chip = target.partition(":")
    words = _ON_CPU if family == "cpu" else _ON_MTIA
    return _SELF_CHECK.substitute(words, chip=f'"{chip}"' if family == "mtia" and chip else "")


def imports_of(source: str) -> str:
    """The problem's imports and those of the kernels, sorted into sections."""
    found = {ast.unparse(node) for node in ast.parse(source).body if _is_import(node)}
    statements = found | set(OWN_IMPORTS)
    sections: list[list[str]] = [[], [], []]
    for statement in statements:
        sections[_section(statement)].append(statement)
    return "\n\n".join("\n".join(sorted(s, key=_import_key)) for s in sections if s)


def copied_source(source: str) -> str:
    """The problem's text without its imports, docstring and main guard."""
    lines: list[str | None] = list(source.splitlines())
    for position, node in enumerate(ast.parse(source).body):
        if _is_import(node) or _is_main_guard(node) or (position == 0 and _is_docstring(node)):
            for line in range(node.lineno - 1, node.end_lineno or node.lineno):
                lines[line] = None
    text = "\n".join(line for line in lines if line is not None).strip("\n")
    while "\n\n\n\n" in text:
        text = text.replace("\n\n\n\n", "\n\n\n")
    return text


def _is_import(node: ast.stmt) -> bool:
    return isinstance(node, ast.Import | ast.ImportFrom)


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_main_guard(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and "__name__" in ast.unparse(node.test)


def _module(statement: str) -> str:
    return statement.split()[1].rstrip(",")


def _section(statement: str) -> int:
    module = _module(statement)
    if module == "__future__":
        return 0
    return 1 if module.split(".")[0] in sys.stdlib_module_names else 2


def _import_key(statement: str) -> tuple[bool, str]:
    return statement.startswith("from"), _module(statement)
