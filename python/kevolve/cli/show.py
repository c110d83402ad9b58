"""`kevolve show`: what a run has found."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from kevolve.cli.tables import result_table
from kevolve.records import to_json


def show(
    run: Annotated[Path, typer.Argument(help="The folder of a run.")],
    node: Annotated[int | None, typer.Option(help="Print the source of this node.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Shows a run's outcome and tree; rewrites its report and best kernel from the store."""
    from kevolve.cli.optimize import write_outcome
    from kevolve.cli.progress import describe_node
    from kevolve.errors import KevolveError
    from kevolve.search.tree import Tree
    from kevolve.store import Store

    with Store.open(run) as store:
        tree = Tree.of(store.nodes())
        if node is not None:
            if node not in tree.nodes:
                raise KevolveError(f"no node {node}: there are {len(tree.nodes)}, from 0", run)
            print(tree.nodes[node].source)
            return
        result = write_outcome(store, run)
    if as_json:
        print(to_json(result))
        return
    console = Console()
    for found in tree.nodes.values():
        depth = len(tree.lineage(found)) - 1
        console.print("  " * depth + describe_node(found, tree), highlight=False)
    console.print(result_table(result))
