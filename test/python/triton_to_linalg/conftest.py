import sys
from pathlib import Path

# `host` and `kernels` are modules of this folder.
sys.path.insert(0, str(Path(__file__).parent))
