"""Problem -> graph: torch.export, then every ATen operator taken apart by `lowering`.

`run_decompositions({})` keeps the operators that the model calls (softmax, layer_norm, linear),
each of which eager PyTorch runs as one operator. Those that `lowering` does not know are decomposed
with PyTorch's core ATen decompositions.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections import Counter
from functools import lru_cache
from typing import Any

import torch
from torch.export import ExportedProgram, default_decompositions, export
from torch.export.graph_signature import InputKind

import kevolve.synthesize.aten_matrix
import kevolve.synthesize.aten_pointwise
import kevolve.synthesize.aten_reduction
import kevolve.synthesize.aten_view  # noqa: F401  (each registers its operators)
from kevolve.errors import ProblemError
from kevolve.problem import Problem, line_in
from kevolve.synthesize.graph import Graph, Kind, Node, SeedError
from kevolve.synthesize.lowering import OPERATORS, Call, Program, Value, dtype_name, wide

# Names that emitted code uses for itself.
RESERVED = frozenset(
    [
        "self",
        "torch",
        "nn",
        "F",
        "tl",
        "triton",
        "out",
        "tile",
        "rows",
        "row",
        "cols",
        "col",
        "mask",
        "start",
        "acc",
        "depth",
        "block",
        "float",
        "int",
        "bool",
        "max",
        "min",
        "sum",
        "abs",
        "row_mask",
        "col_mask",
        "tile_row",
        "tile_col",
        "outer",
    ]
)


@lru_cache(maxsize=32)
def capture(problem: Problem) -> Graph:
    """The graph of the problem's forward pass; raises SeedError or ProblemError."""
    exported = _export(problem)
    program = Program({})
    names = _names(problem, exported)
    values: dict[str, Value] = {}
    bindings = _bind_inputs(problem, exported, program, values, names)
    origin = 0
    for fx in exported.graph.nodes:
        if fx.op != "call_function":
            continue
        line = _line(problem, fx)
        try:
            call = Call(program, fx, values, names[fx.name], origin, line)
            values[fx.name] = _lower(call)
        except SeedError as error:
            raise SeedError(error.message, problem.path, line) from None
        origin += 1
    outputs, is_tuple = _outputs(problem, exported, values, program)
    arguments = _arguments(exported, names)
    return _without_dead(Graph(program.nodes, bindings, arguments, outputs, is_tuple))


def _export(problem: Problem) -> ExportedProgram:
    model, inputs = problem.make_model(), problem.inputs()
    try:
        with warnings.catch_warnings(), torch.no_grad():
            warnings.simplefilter("ignore")
            exported: ExportedProgram = export(model, inputs, strict=False)
            plain: ExportedProgram = exported.run_decompositions({})
            unknown = _unknown(plain)
            known = default_decompositions()  # a CustomDecompTable: a dict that fills itself
            table = {op: known[op] for op in unknown if op in known}
            decomposed: ExportedProgram = plain.run_decompositions(table) if table else plain
            return decomposed
    except Exception as error:  # torch.export runs the problem's own code: anything may come out
        text = str(error).strip().splitlines() or [type(error).__name__]
        message = f"torch.export cannot capture Model.forward: {text[0]}"
        raise ProblemError(message, problem.path, line_in(problem.path, error)) from error


def _unknown(exported: ExportedProgram) -> set[Any]:
    targets = {fx.target for fx in exported.graph.nodes if fx.op == "call_function"}
    return {
        target
        for target in targets
        if isinstance(target, torch._ops.OpOverload) and str(target.overloadpacket) not in OPERATORS
    }


def _lower(call: Call) -> Value:
    operator = OPERATORS.get(call.operator)
    if operator is None:
        raise SeedError(f"no kernel can be written for {call.aten} yet")
    return operator(call)


def _bind_inputs(
    problem: Problem,
    exported: ExportedProgram,
    program: Program,
    values: dict[str, Value],
    names: dict[str, str],
) -> dict[str, str]:
    bindings: dict[str, str] = {}
    placeholders = {fx.name: fx for fx in exported.graph.nodes if fx.op == "placeholder"}
    for spec in exported.graph_signature.input_specs:
        fx = placeholders[spec.arg.name]
        fake = fx.meta["val"]
        if not isinstance(fake, torch.Tensor):
            values[fx.name] = fake
            continue
        name = names[fx.name]
        program.add(
            Node(
                name,
                Kind.INPUT,
                "input",
                (),
                tuple(fake.shape),
                dtype_name(fake.dtype),
                {"strides": tuple(fake.stride())},
            )
        )
        values[fx.name] = name
        bindings[name] = name if spec.kind is InputKind.USER_INPUT else _member(str(spec.target))
        if spec.kind is InputKind.CONSTANT_TENSOR:
            raise SeedError("a tensor made inside forward is captured as a constant", problem.path)
    return bindings


def _member(path: str) -> str:
    """The expression for a parameter: `blocks.0.weight` is `self.blocks[0].weight`."""
    return "self" + "".join(f"[{p}]" if p.isdigit() else f".{p}" for p in path.split("."))


def _arguments(exported: ExportedProgram, names: dict[str, str]) -> tuple[str, ...]:
    """The arguments of forward, those that are no tensors included."""
    specs = exported.graph_signature.input_specs
    return tuple(names[s.arg.name] for s in specs if s.kind is InputKind.USER_INPUT)


def _outputs(
    problem: Problem, exported: ExportedProgram, values: dict[str, Value], program: Program
) -> tuple[tuple[str, ...], bool]:
    (returned,) = next(fx for fx in exported.graph.nodes if fx.op == "output").args
    names = []
    for fx in returned:
        value = values[fx.name] if isinstance(fx, torch.fx.Node) else fx
        if not isinstance(value, str):
            raise SeedError("forward returns something other than a tensor", problem.path)
        names.append(_materialised(value, program))
    spec = exported.call_spec.out_spec
    if spec is not None and not (spec.is_leaf() or spec.type in (tuple, list)):
        raise SeedError("forward returns a nested structure; a tensor or tuple is expected")
    return tuple(names), not (spec is None or spec.is_leaf())


def _materialised(name: str, program: Program) -> str:
    """`name`, or a copy of it where it is an input or a view of one."""
    graph = Graph(program.nodes, {}, (), (), False)
    if graph[graph.base(name)].kind is not Kind.INPUT:
        return name
    node = program.nodes[name]
    copy = Node(
        f"{name}_copy",
        Kind.POINTWISE,
        "identity",
        (name,),
        node.shape,
        node.dtype,
        {"compute": wide(node.dtype)},
        "aten.clone.default",
        len(program.nodes),
        node.line,
    )
    program.add(copy)
    return copy.name


def _without_dead(graph: Graph) -> Graph:
    alive: set[str] = set()
    pending = list(graph.outputs)
    while pending:
        name = pending.pop()
        if name not in alive:
            alive.add(name)
            pending.extend(graph[name].sources)
    kept = {n: node for n, node in graph.nodes.items() if n in alive or n in graph.arguments}
    return Graph(kept, graph.bindings, graph.arguments, graph.outputs, graph.returns_tuple)


def _line(problem: Problem, fx: torch.fx.Node) -> int | None:
    """The line of the problem file that made `fx`."""
    pattern = rf'File "{re.escape(str(problem.path))}", line (\d+)'
    found = re.findall(pattern, fx.meta.get("stack_trace") or "")
    return int(found[-1]) if found else None


def _names(problem: Problem, exported: ExportedProgram) -> dict[str, str]:
    """A name for each fx node: what the model's source calls it, else the operator."""
    names = _input_names(exported)
    taken = Counter(names.values())
    targets = _assignments(problem.source)
    last = {_line(problem, fx): fx.name for fx in exported.graph.nodes if fx.op == "call_function"}
    by_last = {fx_name: targets.get(line or 0) for line, fx_name in last.items()}
    for fx in exported.graph.nodes:
        if fx.op != "call_function":
            continue
        wanted = by_last.get(fx.name) or fx.name
        if taken[wanted]:
            wanted = fx.name.lstrip("_")
        names[fx.name] = _free(wanted, taken)
    return names


def _input_names(exported: ExportedProgram) -> dict[str, str]:
    taken: Counter[str] = Counter()
    names = {}
    specs = exported.graph_signature.input_specs
    for spec in sorted(specs, key=lambda spec: spec.kind is not InputKind.USER_INPUT):
        plain = spec.arg.name if spec.kind is InputKind.USER_INPUT else str(spec.target)
        names[spec.arg.name] = _free(re.sub(r"\W", "_", plain), taken)
    return names


def _free(wanted: str, taken: Counter[str]) -> str:
    name = f"{wanted}_value" if wanted in RESERVED else wanted
    while taken[name]:
        name = f"{name}_{taken[wanted]}"
        taken[wanted] += 1
    taken[name] += 1
    return name


def _assignments(source: str) -> dict[int, str]:
    """Line -> the variable that a one-target assignment on that line sets."""
    found = {}
    for statement in ast.walk(ast.parse(source)):
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            for line in range(statement.lineno, (statement.end_lineno or statement.lineno) + 1):
                found[line] = statement.targets[0].id
    return found
