"""Which kernel to compile: `KERNEL.py:function` or a file of Triton IR, and with what types.

Types and constants come from the command line:

    --signature "*fp32,*fp32,i32:16" --constant BLOCK=1024

The signature names, in order, the type of each parameter that is neither `tl.constexpr` nor given
by `--constant`. `:16` after a type says that the value is a multiple of 16, `:1` that it is 1, as
in triton.tools.compile. Pointers are taken to be 16-byte aligned, as torch allocates; `*fp32:1` is
one that need not be.

Without a signature the file itself says how its kernels are launched: functions whose names start
with `kevolve_example` and that take no arguments launch them as a user would, on CPU tensors.
Nothing runs; types, constants, alignment and grid are those of the first launch of the kernel. A
candidate file (`ModelNew`, `get_inputs`) needs no example: its forward pass is one.
"""

from __future__ import annotations

import ast
import importlib.util
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import triton.language as tl
from triton.runtime.jit import JITFunction, KernelInterface

from kevolve.compile.failures import USER_CODE_ERRORS, at_last_line_in
from kevolve.compile.targets import Target
from kevolve.errors import CompileError
from kevolve.triton_bridge.kernels import (
    FileSource,
    FunctionSource,
    Grid,
    KernelSource,
    jit_function,
    specialise,
)
from kevolve.triton_bridge.launches import recording

EXAMPLE_PREFIX = "kevolve_example"
_IR_SUFFIXES = (".ttir", ".ttgir", ".mlir")
_TYPE = re.compile(r"\*?k?(?:u?i(?:1|8|16|32|64)|fp(?:16|32|64|8\w+)|bf16|B|i1)|tensordesc<.+>")
_HINTS = ("", "1", "16")


@dataclass(frozen=True)
class KernelSpec:
    """What the command line says of a kernel.

    Attributes:
        path: a Python file or a file of Triton IR.
        function: the kernel's name in a Python file; empty if the file launches only one.
        signature: as above, or None to take types from the file's examples.
        constants: text of each constant by name.
        options: launch options (`num_warps`, `num_stages`, ...).
        grid: programs in x, y, z.
    """

    path: Path
    function: str = ""
    signature: str | None = None
    constants: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, object] = field(default_factory=dict)
    grid: Grid | None = None


def parse_spec(
    text: str,
    signature: str | None = None,
    constants: Iterable[str] = (),
    options: Mapping[str, object] | None = None,
    grid: Grid | None = None,
) -> KernelSpec:
    """A spec from `KERNEL.py:function` (or a path) and the words of the command line."""
    path, _, function = text.partition(":")
    pairs = [_pair(word) for word in constants]
    return KernelSpec(Path(path), function, signature, dict(pairs), options or {}, grid)


def _pair(word: str) -> tuple[str, str]:
    name, equals, value = word.partition("=")
    if not equals or not name.isidentifier():
        raise CompileError(f"constant {word!r} is not of the form NAME=VALUE")
    return name, value


def load_source(spec: KernelSpec, target: Target) -> KernelSource:
    """The kernel that `spec` means; its specialisation may depend on the target."""
    if not spec.path.is_file():
        raise CompileError("no such file", spec.path)
    if spec.path.suffix in _IR_SUFFIXES:
        return _ir_source(spec)
    if spec.path.suffix != ".py":
        raise CompileError(f"neither Python nor Triton IR ({', '.join(_IR_SUFFIXES)})", spec.path)
    module = load_module(spec.path)
    if spec.signature is None:
        return _example_source(spec, module, target)
    return _signature_source(spec, _function(module, spec))


def _ir_source(spec: KernelSpec) -> FileSource:
    if spec.signature is not None or spec.constants:
        raise CompileError(
            "an IR file has its types already: no signature, no constants", spec.path
        )
    return FileSource(spec.path, spec.options, spec.grid)


def load_module(path: Path) -> ModuleType:
    """The Python file at `path` as a module; what it raises becomes one line."""
    name = f"kevolve_kernels_{path.stem}"
    loader = importlib.util.spec_from_file_location(name, path)
    assert loader is not None, "a .py file always has a loader"
    assert loader.loader is not None
    module = importlib.util.module_from_spec(loader)
    sys.modules[name] = module
    sys.path.insert(0, str(path.parent))
    try:
        loader.loader.exec_module(module)
    except USER_CODE_ERRORS as error:
        raise at_last_line_in(path, error) from error
    finally:
        sys.path.remove(str(path.parent))
    return module


def _function(module: ModuleType, spec: KernelSpec) -> JITFunction[Any]:
    kernels = {
        name: value for name, value in vars(module).items() if isinstance(value, KernelInterface)
    }
    if spec.function in kernels:
        return jit_function(kernels[spec.function])
    known = ", ".join(kernels) or "none"
    if not spec.function:
        raise CompileError(f"name the kernel, {spec.path}:NAME; there are {known}", spec.path)
    raise CompileError(f"no @triton.jit function {spec.function!r}; there are {known}", spec.path)


def _signature_source(spec: KernelSpec, function: JITFunction[Any]) -> FunctionSource:
    runtime = [
        parameter.name
        for parameter in function.params
        if not parameter.is_constexpr and parameter.name not in spec.constants
    ]
    words = split_top_level(spec.signature or "")
    if len(words) != len(runtime):
        raise CompileError(
            f"{function.__name__} takes {len(runtime)} types ({', '.join(runtime)}), "
            f"the signature has {len(words)}",
            spec.path,
        )
    types: dict[str, str] = {}
    constants: dict[str, Any] = {name: _value(text) for name, text in spec.constants.items()}
    divisible: set[str] = set()
    for name, word in zip(runtime, words, strict=True):
        kind, hint = _typed(word, spec.path)
        types[name] = kind
        if hint == "1" and not kind.startswith("*"):
            constants[name] = 1
        elif hint == "16" or (kind.startswith("*") and not hint):
            divisible.add(name)
    return specialise(function, types, constants, frozenset(divisible), spec.options, spec.grid)


def split_top_level(text: str) -> list[str]:
    """`text` at its commas outside brackets and braces; blanks around the parts are dropped."""
    parts = [""]
    depth = 0
    for character in text:
        depth += (character in "<[({") - (character in ">])}")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts if part.strip()]


def _typed(word: str, path: Path) -> tuple[str, str]:
    kind, _, hint = word.partition(":")
    if not _TYPE.fullmatch(kind):
        raise CompileError(f"{kind!r} is not a Triton type such as *fp16, i32, bf16, u8", path)
    if hint not in _HINTS:
        raise CompileError(f"{word!r}: only :1 and :16 can follow a type", path)
    return kind, hint


def _value(text: str) -> Any:
    """A constant: a Python literal, a `triton.language` type by name, or else a string."""
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        kind = getattr(tl, text.removeprefix("tl."), None)
        return kind if isinstance(kind, tl.dtype) else text


def _example_source(spec: KernelSpec, module: ModuleType, target: Target) -> FunctionSource:
    if spec.constants:
        raise CompileError("constants go with a signature: the example has its own", spec.path)
    launches = record_examples(module, spec.path, target)
    found = [one for one in launches if not spec.function or one.name == spec.function]
    if not found:
        _function(module, spec)  # A wrong name is the likelier mistake.
        raise CompileError(
            f"{spec.function} is launched by no {EXAMPLE_PREFIX}* function: give a signature",
            spec.path,
        )
    if len({one.name for one in found}) > 1:
        names = ", ".join(dict.fromkeys(one.name for one in found))
        raise CompileError(f"name the kernel, {spec.path}:NAME; there are {names}", spec.path)
    return _with_choices(found[0], spec)


def _with_choices(source: FunctionSource, spec: KernelSpec) -> FunctionSource:
    return FunctionSource(
        source.function,
        source.signature,
        source.constants,
        source.attributes,
        {**source.options, **spec.options},
        spec.grid or source.grid,
        source.arguments,
    )


def record_examples(module: ModuleType, path: Path, target: Target) -> list[FunctionSource]:
    """What the examples of a module, or the forward pass of a candidate, launch on `target`."""
    examples = [
        value for name, value in vars(module).items() if name.startswith(EXAMPLE_PREFIX)
    ] or _forward_pass(module)
    with recording(target.triton) as launches:
        for example in examples:
            try:
                example()
            except USER_CODE_ERRORS as error:
                raise at_last_line_in(path, error) from error
    return launches


def _forward_pass(module: ModuleType) -> list[Callable[[], object]]:
    if not hasattr(module, "ModelNew") or not hasattr(module, "get_inputs"):
        return []

    def run() -> object:
        model = module.ModelNew(*getattr(module, "get_init_inputs", list)())
        return model(*module.get_inputs())

    return [run]
