"""Compiled modules are kept for the next process, also where the environment says not to write them.

Without them each worker, and each ``pbem`` that a test starts, compiles all modules again, which
takes longer than most tests. They are written into pytest's cache, not beside the sources.
"""

import os
import sys
from pathlib import Path

FOLDER = Path(__file__).parents[1] / ".pytest_cache" / "bytecode"

if sys.dont_write_bytecode:
    sys.dont_write_bytecode = False
    sys.pycache_prefix = str(FOLDER)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix
