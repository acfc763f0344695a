"""In what order files are handed to the workers."""

from pathlib import Path

TESTS = Path(__file__).parent
LONG = tuple(
    line
    for line in (TESTS / "long.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
)
"""The files that take longest: whoever came to one of them last would keep the others waiting."""
