"""Functions that misbehave, for the sandbox to survive. Imported by name in its processes."""

import ctypes
import os
import signal
import subprocess
import sys
import time
from pathlib import Path


def write_result(directory):
    (Path(directory) / "result").write_text("done")
    print("hello")
    print("to stderr", file=sys.stderr)


def hang(directory):
    while True:
        time.sleep(1)


def hang_deaf(directory):
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    hang(directory)


def segfault(directory):
    ctypes.string_at(8)


def exit_early(directory):
    os._exit(0)


def exit_seven(directory):
    sys.exit(7)


def take_memory(directory):
    hoard = []
    while True:
        hoard.append(bytearray(1 << 28))


def fill_disk(directory):
    with open(Path(directory) / "big", "wb") as file:
        while True:
            file.write(bytes(1 << 20))
            file.flush()


def flood_output(directory):
    while True:
        print("x" * (1 << 20))


def leave_children(directory):
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    (Path(directory) / "child").write_text(str(child.pid))
