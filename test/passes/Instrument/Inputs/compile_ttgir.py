"""Compiles TTGIR from stdin with Triton, prints the result: `compile_ttgir.py cuda:90 ptx`."""

import sys
import tempfile
from pathlib import Path

import triton
from kevolve.triton_bridge import crossing
from triton.backends.compiler import GPUTarget

backend, arch = sys.argv[1].split(":")
target = GPUTarget("cuda", int(arch), 32) if backend == "cuda" else GPUTarget("hip", arch, 64)
with tempfile.TemporaryDirectory() as folder:
    source = Path(folder) / "kernel.ttgir"
    source.write_text(crossing.to_triton_text(crossing.parse(sys.stdin.read())))
    triton.knobs.cache.dir = folder
    print(triton.compile(str(source), target=target).asm[sys.argv[2]])
