"""`kevolve compile`: one kernel to any level of its target's lowering."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from kevolve.errors import KevolveError


def compile_kernel(
    kernel: Annotated[str, typer.Argument(help="KERNEL.py:function, or a file of Triton IR.")],
    target: Annotated[str, typer.Option(help="What for: see `kevolve targets`.")] = "mtia",
    emit: Annotated[str | None, typer.Option(help="A level: ttir, ttgir, ptx, asm, ...")] = None,
    signature: Annotated[
        str | None, typer.Option(help="Argument types, e.g. '*fp32,*fp32,i32'.")
    ] = None,
    constant: Annotated[
        list[str] | None, typer.Option(help="A compile-time argument, NAME=VALUE; repeatable.")
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option(help="A launch option, NAME=VALUE; repeatable.")
    ] = None,
    probes: Annotated[bool, typer.Option("--probes", help="Insert and lower probes.")] = False,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Default: stdout.")] = None,
) -> None:
    """Compiles a kernel and prints it at the level asked for; no device is needed."""
    from kevolve.compile.compiler import compile_kernel as compile_artifact
    from kevolve.compile.probes import probe_request
    from kevolve.compile.specs import parse_spec
    from kevolve.compile.targets import find_target

    chosen = find_target(target)
    level = emit or chosen.default_level
    options: Mapping[str, object] = _options(option or [])
    options, pipeline = probe_request(chosen, options) if probes else (options, None)
    spec = parse_spec(kernel, signature, constant or (), options)
    artifact = compile_artifact(spec, chosen, level, pipeline)
    _write(artifact.content(level), level, output)


def _options(words: list[str]) -> dict[str, object]:
    options: dict[str, object] = {}
    for word in words:
        name, equals, text = word.partition("=")
        if not equals or not name.isidentifier():
            raise KevolveError(f"option {word!r} is not of the form NAME=VALUE")
        options[name] = _value(text)
    return options


def _value(text: str) -> object:
    if text in ("True", "False"):
        return text == "True"
    return int(text) if text.lstrip("-").isdigit() else text


def _write(content: bytes, level: str, output: Path | None) -> None:
    if output is not None:
        output.write_bytes(content)
        return
    if sys.stdout.isatty() and b"\0" in content:
        raise KevolveError(f"{level} is not text: give a file with -o, or a pipe")
    sys.stdout.buffer.write(content)
