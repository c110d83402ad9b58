"""Plan -> candidate: the whole Python file, formatted as a person would."""

from __future__ import annotations

import re

from kevolve.problem import Problem
from kevolve.synthesize.candidate import Candidate
from kevolve.synthesize.capture import capture
from kevolve.synthesize.emit_matmul import emit_matmul
from kevolve.synthesize.emit_pointwise import emit_pointwise
from kevolve.synthesize.emit_rows import emit_rows
from kevolve.synthesize.graph import Graph, contiguous_strides
from kevolve.synthesize.kernel_text import Job, KernelText
from kevolve.synthesize.module_text import copied_source, imports_of, self_check
from kevolve.synthesize.plan import HEADER, KernelPlan, Plan
from kevolve.synthesize.space import space_of

EMITTERS = {"pointwise": emit_pointwise, "rows": emit_rows, "matmul": emit_matmul}

MULTIPLY = '''@triton.jit
def multiply(left, right):
    """What a product reduces with."""
    return left * right'''

OPTIONS = '''def tuned(tensor, **options):
    """Launch options of the target this file is for ({where}); none on others."""
    return options if {test} else {{}}'''


def emit(problem: Problem, plan: Plan) -> Candidate:
    """The candidate that `plan` describes; the same plan always gives the same text."""
    graph = capture(problem)
    groups = kernel_texts(problem, graph, plan)
    kernels = [kernel for group in groups for kernel in group]
    sections = [
        f"{_header(problem, plan, kernels)}{_copied(problem.source)}",
        *([MULTIPLY] if any(kernel.helpers for kernel in kernels) else []),
        *(kernel.text for kernel in kernels),
        _options(plan.target),
        _model(graph, plan, kernels),
        self_check(plan.target),
    ]
    return Candidate("\n\n\n".join(section.strip("\n") for section in sections) + "\n")


def kernel_texts(problem: Problem, graph: Graph, plan: Plan) -> list[list[KernelText]]:
    """The kernels of each group of the plan."""
    source = problem.source.splitlines()
    names = kernel_names(graph, plan)
    return [
        _emit_kernel(graph, kernel, source, name)
        for kernel, name in zip(plan.kernels, names, strict=True)
    ]


def _emit_kernel(
    graph: Graph, kernel: KernelPlan, source: list[str], name: str
) -> list[KernelText]:
    space = space_of(graph, kernel.nodes)
    title = f"{', '.join(operators(graph, kernel.nodes))}: {_sizes(graph, kernel)}."
    job = Job(graph, space, kernel.schedule, source, name, title)
    return EMITTERS[kernel.schedule.template](job)


def operators(graph: Graph, nodes: tuple[str, ...]) -> list[str]:
    """The eager operators that the nodes belong to, by name, in order."""
    by_origin = {graph[name].origin: graph[name].aten for name in nodes}
    names = (re.sub(r"^aten\.|\..*$", "", aten).strip("_") for aten in by_origin.values())
    return list(names)


def _sizes(graph: Graph, kernel: KernelPlan) -> str:
    stored = [graph[name] for name in graph.stored(kernel.nodes)]
    return ", ".join(
        f"{node.name} is {' x '.join(map(str, node.shape)) or 'a scalar'}" for node in stored
    )


def kernel_names(graph: Graph, plan: Plan) -> list[str]:
    """One name per kernel, from its operators; numbered where two are the same."""
    names: list[str] = []
    for kernel in plan.kernels:
        words = list(dict.fromkeys(operators(graph, kernel.nodes)))
        stem = "_".join(words if len(words) <= 4 else [*words[:2], "to", words[-1]])
        name = f"{stem}_kernel"
        count = sum(other == name or other.startswith(f"{name}_") for other in names)
        names.append(f"{name}_{count + 1}" if count else name)
    return names


def _header(problem: Problem, plan: Plan, kernels: list[KernelText]) -> str:
    count = f"{len(kernels)} Triton kernel{'s' if len(kernels) != 1 else ''}"
    lines = [
        "# ruff: noqa: E501",
        f"{HEADER}{plan.to_json()}",
        f'"""{problem.name}: the reference, and ModelNew, which computes it with {count}."""',
        "",
        imports_of(problem.source),
    ]
    return "\n".join(lines)


def _copied(source: str) -> str:
    """The problem's text, as far below the imports as an import sorter wants it."""
    text = copied_source(source)
    apart = 3 if text.startswith(("class ", "def ", "@")) else 2
    return "\n" * apart + text


def _options(target: str) -> str:
    if target.split(":", maxsplit=1)[0] in ("cuda", "hip"):
        return OPTIONS.format(where="a GPU", test="tensor.is_cuda")
    return OPTIONS.format(where="which runs on host tensors", test="not tensor.is_cuda")


def _model(graph: Graph, plan: Plan, kernels: list[KernelText]) -> str:
    arguments = ", ".join(["self", *graph.arguments])
    first = min(graph.bindings.values(), key=lambda bound: bound.startswith("self."))
    lines = [
        "class ModelNew(Model):",
        '    """Model with its forward pass in Triton kernels; parameters are Model\'s own."""',
        "",
        f"    def forward({arguments}):",
    ]
    body: list[str] = []
    for name in _buffers(graph, plan):
        node = graph[name]
        body.append(_empty(name, node.shape, node.dtype, first))
    for kernel in kernels:
        body += [_empty(w.name, w.shape, "float32", first) for w in kernel.workspaces]
    for kernel in kernels:
        body += _launch(graph, plan, kernel, first)
    body.append(f"return {_returned(graph)}")
    return "\n".join([*lines, *(f"        {line}" for line in body)])


def _buffers(graph: Graph, plan: Plan) -> list[str]:
    """Every tensor that a kernel leaves in memory, in launch order."""
    return [name for kernel in plan.kernels for name in graph.stored(kernel.nodes)]


def _empty(name: str, shape: tuple[int, ...], dtype: str, like: str) -> str:
    return f"{name} = torch.empty({shape}, device={like}.device, dtype=torch.{dtype})"


def _launch(graph: Graph, plan: Plan, kernel: KernelText, first: str) -> list[str]:
    arguments = [graph.bindings.get(buffer, buffer) for buffer in kernel.buffers]
    arguments += [f"{key}={value}" for key, value in kernel.constants.items()]
    options = ", ".join(f"{k}={v}" for k, v in launch_options(plan.target, kernel).items())
    arguments.append(f"**tuned({first}, {options})")
    lines = [f"{kernel.name}[({kernel.programs},)]("]
    return [*lines, *(f"    {argument}," for argument in arguments), ")"]


def launch_options(target: str, kernel: KernelText) -> dict[str, int | bool]:
    """The options of a launch that the target's Triton backend knows."""
    schedule = kernel.schedule
    if target.split(":", maxsplit=1)[0] in ("cuda", "hip"):
        return {"num_warps": schedule.num_warps}
    if target.startswith("mtia"):
        return {
            "cb_multiplier": schedule.cb_multiplier,
            "vector_lmul": schedule.vector_lmul,
            "use_se": schedule.use_se,
        }
    return {}


def _returned(graph: Graph) -> str:
    texts = [_output(graph, name) for name in graph.outputs]
    if not graph.returns_tuple:
        return texts[0]
    return f"({', '.join(texts)},)" if len(texts) == 1 else ", ".join(texts)


def _output(graph: Graph, name: str) -> str:
    node, base = graph[name], graph[graph.base(name)]
    if node.name == base.name:
        return name
    layout = graph.layout(name)
    if layout.strides == contiguous_strides(node.shape) and node.elements == base.elements:
        return f"{base.name}.view({node.shape})"
    return f"{base.name}.as_strided({node.shape}, {layout.strides}, {layout.offset})"
