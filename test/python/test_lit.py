"""The IR tests: lit over test/, so that one command runs everything."""

import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).parents[1]


def test_lit():
    command = [sys.executable, "-c", "from lit.main import main; main()", "-v", str(TESTS)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-20000:] + done.stderr[-4000:]
    assert "Passed" in done.stdout
