"""`kevolve`: the commands, each in a file of its own."""

from __future__ import annotations

import sys

import typer

from kevolve.cli import compile as compile_command
from kevolve.cli import doctor, optimize, profile, show, targets
from kevolve.errors import KevolveError

app = typer.Typer(
    help="Searches for faster, verified kernels, and says why they are faster.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command("optimize")(optimize.optimize)
app.command("compile")(compile_command.compile_kernel)
app.command("profile")(profile.profile)
app.command("show")(show.show)
app.command("targets")(targets.targets)
app.command("doctor")(doctor.doctor)


def main() -> None:
    """Runs the command line; bad input becomes one line on stderr and exit status 1."""
    try:
        app()
    except KevolveError as error:
        print(f"kevolve: error: {error}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        print("kevolve: interrupted; the same command goes on from here", file=sys.stderr)
        sys.exit(130)
