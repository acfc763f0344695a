"""ASK GAMESMASTER: a question for a person, over as many lines as a mail program breaks it into."""

from __future__ import annotations

import re
from collections.abc import Sequence

ASK = "ASK"
LINE = f"{ASK} GAMESMASTER "
_OPENING = re.compile(r"ASK +(?:GAMESMASTER|GM)(?![\w'-])[ :,]*+(.*+)", re.IGNORECASE)
_MOST_LINES = 5
LONGEST = 300
"""Characters of a question."""


def opening(bare: str) -> str | None:
    """Return what a line ``ASK GAMESMASTER ...`` asks so far; None for any other line."""
    found = _OPENING.fullmatch(bare)
    return found[1].strip() if found else None


def whole(first: str, below: Sequence[str]) -> tuple[str, int]:
    """Return the sentence, and how many of the lines below belong to it: down to its question
    mark, but not beyond an empty line."""
    said = first
    for taken, line in enumerate(("", *below[:_MOST_LINES])):
        if taken and not line.strip():
            break
        said = f"{said} {line.strip()}".strip()
        if "?" in said:
            return _sentence(said), taken
    return first[:LONGEST], 0


def _sentence(said: str) -> str:
    end = said.rindex("?") + 1
    return " ".join(said[:end].split())[:LONGEST]


def line(question: str) -> str:
    return LINE + question.replace(";", ",").replace("#", "").replace('"', "'")
