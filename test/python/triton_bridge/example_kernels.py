"""The kernels under test/kernels, each with the launches that its examples make."""

import importlib.util
import sys
from pathlib import Path

from kevolve.triton_bridge.launches import recording

KERNEL_FILES = sorted((Path(__file__).parents[2] / "kernels").glob("*.py"))


def load_kernels(path):
    name = f"kevolve_test_kernels_{path.stem}"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, path)
        sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]


def example_launches(path, target):
    module = load_kernels(path)
    with recording(target) as launches:
        for name in sorted(vars(module)):
            if name.startswith("kevolve_example"):
                getattr(module, name)()
    return launches
