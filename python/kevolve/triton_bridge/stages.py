"""Runs Triton's own stages for a target, with no device, and keeps the IR of every level."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from triton.backends.compiler import GPUTarget, Language
from triton.compiler import CompilationError, make_backend
from triton.errors import TritonError

from kevolve.errors import CompileError
from kevolve.triton_bridge import generic
from kevolve.triton_bridge.kernels import FileSource, FunctionSource, KernelSource

Edit: TypeAlias = Callable[[generic.TritonModule], generic.TritonModule]
Metadata: TypeAlias = dict[str, Any]

# The MLIR levels, whose stages hand on a module; later stages hand on text, the last one bytes.
MODULE_LEVELS = ("ttir", "ttgir")
LLVM_DIALECT = "llvm.mlir"


@dataclass(frozen=True)
class Lowered:
    """What came out of the stages.

    Attributes:
        levels: IR by level in order: `ttir`, `ttgir`, `llvm.mlir`, `llir`, then the target's.
        metadata: what Triton says of the kernel (name, shared memory, warps, ...).
        module: the last level that is still a Triton module.
        arguments: types of the kernel's arguments at the last of those levels.
        added_arguments: how many of them (the last ones) the edit added.
    """

    levels: Mapping[str, str | bytes]
    metadata: Metadata
    module: generic.TritonModule
    arguments: tuple[str, ...] = ()
    added_arguments: int = 0


class _Run:
    """The state of one walk through the stages."""

    def __init__(self, source: KernelSource, target: GPUTarget, edit: Edit | None) -> None:
        self.source = source
        self.edit = edit
        self.context = generic.new_context()
        self.backend = make_backend(target)
        self.levels: dict[str, str | bytes] = {}
        self.arguments: tuple[str, ...] = ()
        self.added_arguments = 0
        self.module, level, options = self._start()
        self.options = self.backend.parse_options(options)
        self.metadata: Metadata = {"target": target, **self.options.__dict__}
        self.stages: dict[str, Callable[[Any, Metadata], Any]] = {}
        self.backend.add_stages(self.stages, self.options, Language.TRITON)
        names = list(self.stages)
        self.remaining = names[names.index(level) :] if level else names
        if isinstance(source, FileSource):
            self._finish_file_level(level)
        else:
            self.module = self._front_end(source)

    def _start(self) -> tuple[generic.TritonModule, str, dict[str, object]]:
        if isinstance(self.source, FunctionSource):
            return None, "", dict(self.source.options)
        module = self.source.parse(self.context)
        return module, self.source.level, {**_module_options(module), **self.source.options}

    def _front_end(self, source: FunctionSource) -> generic.TritonModule:
        ast = source.ast_source()
        return ast.make_ir(
            self.backend.target,
            self.options,
            self.backend.get_codegen_implementation(self.options),
            self.backend.get_module_map(),
            self.context,
        )

    def _finish_file_level(self, level: str) -> None:
        """An IR file is what its level's stage would have made: that stage does not run again."""
        self.remaining.remove(level)
        self._keep_module(level)

    def step(self, level: str) -> None:
        result = self.stages[level](self.module_or_text(), self.metadata)
        if level in MODULE_LEVELS:
            self.module = result
            self._keep_module(level)
            return
        if level == "llir" and "ttgir" in self.levels:
            # The stage lowers the module in place to the LLVM dialect before it translates it.
            self.levels[LLVM_DIALECT] = generic.print_pretty(self.module)
        self.levels[level] = result

    def module_or_text(self) -> generic.TritonModule | str | bytes:
        done = list(self.levels)
        return self.module if not done or done[-1] in MODULE_LEVELS else self.levels[done[-1]]

    def _keep_module(self, level: str) -> None:
        if level == "ttgir" and self.edit is not None:
            before = len(_argument_types(self.module))
            self.module = self.edit(self.module)
            self.added_arguments = len(_argument_types(self.module)) - before
        self.levels[level] = generic.print_pretty(self.module)
        self.arguments = _argument_types(self.module)


def lower(
    source: KernelSource, target: GPUTarget, until: str | None = None, edit: Edit | None = None
) -> Lowered:
    """Runs the stages for `target` up to and including level `until`, by default all of them.

    `edit` replaces the module at the end of the ttgir stage, after all of Triton's own
    optimisation; without it every level is exactly Triton's.
    """
    with generic.captured_stderr() as diagnostics:
        try:
            run = _Run(source, target, edit)
            _walk(run, until)
        except CompilationError as error:
            failure = _at_source(error, source)
        except (TritonError, RuntimeError, ValueError) as error:
            failure = _without_line(error, source, target)
        else:
            return Lowered(run.levels, run.metadata, run.module, run.arguments, run.added_arguments)
    raise _with_diagnostic(failure, diagnostics.text)


def _walk(run: _Run, until: str | None) -> None:
    if until is not None and until not in run.stages and until != LLVM_DIALECT:
        known = ", ".join([*run.stages, LLVM_DIALECT])
        raise ValueError(f"no level {until!r} for this target; there are {known}")
    if until in run.stages and until not in run.remaining and until not in run.levels:
        raise ValueError(f"this is {next(iter(run.levels))} already: it cannot become {until}")
    for level in run.remaining:
        if until in run.levels:
            return
        run.step(level)


def _argument_types(module: generic.TritonModule) -> tuple[str, ...]:
    """Types of the entry function as in a signature: `*fp32`, where MLIR says `!tt.ptr<f32>`."""
    entry = module.get_function(module.get_entry_func_name())
    kinds = module.get_function_signature(entry)
    return tuple(re.sub(r"\bf(?=16|32|64)", "fp", str(kind)) for kind in kinds)


def _module_options(module: generic.TritonModule) -> dict[str, object]:
    """The launch options that IR after ttgir fixes in its module's attributes."""
    attributes = {"num_warps": "ttg.num-warps", "num_ctas": "ttg.num-ctas"}
    found = {name: module.get_int_attr(key) for name, key in attributes.items()}
    return {name: value for name, value in found.items() if value is not None}


def _at_source(error: CompilationError, source: KernelSource) -> CompileError:
    """An error of Triton's front end: the innermost one says what is wrong."""
    cause: BaseException = error
    while isinstance(cause.__cause__, CompilationError):
        cause = cause.__cause__
    message = getattr(cause, "error_message", None) or str(cause.__cause__ or cause)
    line = getattr(getattr(cause, "node", None), "lineno", None)
    # Callees have lines of their own, in files that the error does not name.
    if line is None or not isinstance(source, FunctionSource) or not _is_in(cause, source):
        return CompileError(message, source.file)
    return CompileError(message, source.file, _first_line(source) + line - 1)


def _is_in(error: BaseException, source: FunctionSource) -> bool:
    return bool(getattr(error, "src", None) == source.function.src)


def _first_line(source: FunctionSource) -> int:
    """The line of `def`: Triton counts from there, `starting_line_number` has decorators too."""
    decorators = 0
    for text in source.function.raw_src:
        if text.lstrip().startswith("def "):
            break
        decorators += 1
    return int(source.function.starting_line_number) + decorators


def _without_line(error: Exception, source: KernelSource, target: GPUTarget) -> CompileError:
    if isinstance(error, CompileError):
        return error
    return CompileError(f"{error} ({target.backend}:{target.arch})", source.file)


def _with_diagnostic(error: CompileError, diagnostics: str) -> CompileError:
    """Adds what MLIR or ptxas said, if anything, to an error that does not say why."""
    found = re.search(r"error: (.+)", diagnostics)
    if found is None or found[1] in error.message:
        return error
    return CompileError(f"{error.message}: {found[1]}", error.file, error.line)
