"""`kevolve-opt`: mlir-opt with kevolve's passes, that also reads and writes Triton's pretty IR.

Input that is not Triton IR goes to the compiled tool as it is. Triton IR is parsed by Triton,
crosses into kevolve's MLIR, and what the passes leave is printed as Triton prints it; where Triton
cannot read the result (it holds probes, or was lowered), as kevolve's MLIR prints it.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from kevolve.cli import verify_diagnostics
from kevolve.cli.binaries import binary
from kevolve.errors import CompileError, KevolveError

if TYPE_CHECKING:
    # The bridge loads Triton and MLIR, which input that is not Triton's does not need.
    from kevolve.triton_bridge import crossing

# Of mlir-opt's options, those whose value may be the next word.
_WITH_VALUE = ("o", "pass-pipeline", "split-input-file-delimiter", "load-dialect-plugin")
# Triton registers its passes under these names in triton-opt only.
_TRITON_PASS = re.compile(
    r"-{1,2}(triton(gpu|amdgpu|nvidia-gpu|-nvidia|-amdgpu|-gpu|-loop|-rewrite|-combine|-reorder)?-"
    r"|convert-triton-(to-tritongpu|gpu-to-llvm|amdgpu-to-llvm)|allocate-shared-memory"
    r"|allocate-amdgpu|nvgpu-to-llvm|nvws-|test-print-(alignment|allocation|membar))"
)
_PRETTY_TRITON = re.compile(r"(^|\s)tt\.func\s")
_TRITON_IR = re.compile(r'(^|\s)tt\.func\s|"tt\.func"\s*\(')
_CHUNK = re.compile(r"^// -----.*$\n?", re.MULTILINE)


@dataclass(frozen=True)
class Invocation:
    """What the command line asks for.

    Attributes:
        passed: the options for the compiled tool, input and output left out.
        input: the input file, `-` for stdin.
        output: the output file, `-` for stdout.
    """

    passed: tuple[str, ...]
    input: str
    output: str

    def asks_for(self, option: str) -> bool:
        names = (f"-{option}", f"--{option}")
        return any(word.partition("=")[0] in names for word in self.passed)


def main() -> None:
    """Runs the command line; exits with the compiled tool's status, or 1 on an error of ours."""
    try:
        sys.exit(_run(sys.argv[1:]))
    except KevolveError as error:
        print(_line_of(error), file=sys.stderr)
        sys.exit(1)
    except BrokenPipeError:
        # The reader (`| head`) has what it wants; Python must not complain when it flushes.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _line_of(error: KevolveError) -> str:
    text = str(error)
    return text if ": error: " in text else f"kevolve-opt: error: {text}"


def _run(words: list[str]) -> int:
    invocation = parse_words(words)
    _reject_triton_passes(invocation.passed)
    if any(invocation.asks_for(option) for option in ("help", "version", "show-dialects", "h")):
        return subprocess.run([binary("kevolve-opt"), *words]).returncode
    text = _read(invocation.input)
    if not _TRITON_IR.search(text):
        return _run_tool_on(invocation, text)
    return _run_on_triton(invocation, text)


def parse_words(words: list[str]) -> Invocation:
    """Takes input and output out of the words of a command line."""
    passed: list[str] = []
    inputs: list[str] = []
    output = "-"
    rest = iter(words)
    for word in rest:
        name, equals, value = word.lstrip("-").partition("=")
        if not word.startswith("-") or word == "-":
            inputs.append(word)
        elif name == "o":
            output = value if equals else next(rest, "-")
        elif name in _WITH_VALUE and not equals:
            passed += [word, *([following] if (following := next(rest, None)) else [])]
        else:
            passed.append(word)
    if len(inputs) > 1:
        raise KevolveError(f"more than one input file: {', '.join(inputs)}")
    return Invocation(tuple(passed), inputs[0] if inputs else "-", output)


def _reject_triton_passes(passed: tuple[str, ...]) -> None:
    for word in passed:
        name = word.partition("=")[0]
        if name.lstrip("-") != "convert-triton-to-linalg" and _TRITON_PASS.match(name):
            raise KevolveError(
                f"{name} is a pass of Triton's own, that only triton-opt has: here are MLIR's and "
                "kevolve's passes (kevolve-opt --help lists them)"
            )


def _read(name: str) -> str:
    if name == "-":
        return sys.stdin.read()
    path = Path(name)
    if not path.is_file():
        raise KevolveError("no such file", path)
    try:
        return path.read_text()
    except UnicodeDecodeError as error:
        raise KevolveError("not a text file (kevolve-opt reads MLIR as text)", path) from error


def _run_tool_on(invocation: Invocation, text: str) -> int:
    """The compiled tool on input that is not Triton's: as if it had been called itself."""
    tool = str(binary("kevolve-opt"))
    words = [tool, *invocation.passed, invocation.input, "-o", invocation.output]
    # Stdin was read to see what it holds.
    given = text if invocation.input == "-" else None
    return subprocess.run(words, input=given, text=True).returncode


def _run_on_triton(invocation: Invocation, text: str) -> int:
    verify = invocation.asks_for("verify-diagnostics")
    chunks = _chunks(text) if invocation.asks_for("split-input-file") else [text]
    outputs: list[str] = []
    diagnostics: list[str] = []
    status = 0
    for chunk in chunks:
        result = _run_chunk(invocation, chunk)
        status = max(status, abs(result.returncode))
        diagnostics.append(result.stderr)
        if result.returncode == 0:
            outputs.append(_printed(invocation, result.stdout))
    if verify:
        complaints = verify_diagnostics.compare(text, "".join(diagnostics), _name(invocation))
        sys.stderr.write("".join(f"{complaint}\n" for complaint in complaints))
        return 1 if complaints else 0
    sys.stderr.write("".join(diagnostics))
    _write(invocation.output, "// -----\n".join(outputs))
    return status


def _chunks(text: str) -> list[str]:
    """The parts between `// -----` lines, each padded so that its line numbers stay true."""
    parts: list[str] = []
    start = 0
    for separator in [*_CHUNK.finditer(text), None]:
        end = separator.start() if separator else len(text)
        parts.append("\n" * text.count("\n", 0, start) + text[start:end])
        start = separator.end() if separator else end
    return [part for part in parts if part.strip()]


def _name(invocation: Invocation) -> str:
    return "<stdin>" if invocation.input == "-" else invocation.input


def _run_chunk(invocation: Invocation, chunk: str) -> subprocess.CompletedProcess[str]:
    from kevolve.triton_bridge import crossing

    dropped = ("split-input-file", "verify-diagnostics")
    passed = [word for word in invocation.passed if word.lstrip("-").split("=")[0] not in dropped]
    module = _crossed(chunk, _name(invocation))
    return subprocess.run(
        [
            str(binary("kevolve-opt")),
            "--allow-unregistered-dialect",
            *passed,
            *_missing(invocation, "mlir-print-op-generic", "mlir-print-debuginfo"),
        ],
        input=crossing.print_foreign(module),
        capture_output=True,
        text=True,
    )


def _crossed(text: str, name: str) -> crossing.Module:
    """Pretty form needs Triton's parser; generic form may hold what Triton does not know."""
    from kevolve.triton_bridge import crossing

    if _PRETTY_TRITON.search(text):
        return crossing.from_triton_text(text, name)
    return crossing.parse(text, name=name)


def _missing(invocation: Invocation, *options: str) -> list[str]:
    return [f"--{option}" for option in options if not invocation.asks_for(option)]


def _printed(invocation: Invocation, text: str) -> str:
    """The tool's generic output in the form that was asked for."""
    from kevolve.triton_bridge import crossing
    from kevolve.triton_bridge.contraction import contract

    if not text.strip():
        return text
    locations = invocation.asks_for("mlir-print-debuginfo")
    module = crossing.parse(text)
    if invocation.asks_for("mlir-print-op-generic"):
        return crossing.print_module(module, locations=locations)
    try:
        return crossing.to_triton_text(module, locations)
    except CompileError:
        return contract(crossing.print_module(module, generic_form=False, locations=locations))


def _write(output: str, text: str) -> None:
    if output == "-":
        sys.stdout.write(text)
        return
    try:
        Path(output).write_text(text)
    except OSError as error:
        raise KevolveError(f"cannot write: {error.strerror}", output) from error


if __name__ == "__main__":
    main()
