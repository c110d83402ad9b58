"""Runs hand-written IR of the mtia stage on the simulator."""

import functools
from types import SimpleNamespace

from kevolve.backends.mtia import codegen, lowering
from kevolve.backends.mtia import device as devices
from kevolve.backends.mtia.launch import Launcher


@functools.cache
def build(text):
    return codegen.make_elf(codegen.make_assembly(lowering.make_llir(text)), "kernel")


def launch(text, signature, *arguments, grid=(1, 1, 1)):
    """Launches @kernel of `text`; the report. `signature` is like "*fp32 i32"."""
    types = dict(enumerate(signature.split()))
    metadata = SimpleNamespace(name="kernel", hash="hand-written")
    launcher = Launcher(SimpleNamespace(signature=types), metadata)
    launcher(*grid, 0, build(text), None, None, None, None, *arguments)
    return devices.current().take_launches()[-1].report


def kernel(parameters, body):
    """A kernel of the mtia stage: `parameters` and `body` as MLIR text."""
    launch_parameters = "%grid_x: i32, %grid_y: i32, %grid_z: i32, %probe_area: i64"
    header = ", ".join([*parameters, launch_parameters])
    return f"func.func @kernel({header}) attributes {{kevolve.kernel}} {{\n{body}\nreturn\n}}\n"
