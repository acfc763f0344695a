"""ASK GAMESMASTER, PROTEST: their text ends with its paragraph; AMEND: with its quotation."""

import re
from collections.abc import Sequence

from pbem.orders.characters import first_word, open_quote, plain

ASK, PROTEST, AMEND = "ASK", "PROTEST", "AMEND"
LINE = f"{ASK} GAMESMASTER "
_OPENING = re.compile(
    rf"(?:(?P<ask>{ASK}) +(?:GAMESMASTER|GM)|{PROTEST}(?! *+(?:OFF *+)?[.!?:]*+\Z))(?![\w'-])"
    r"[ :,]*+(?P<said>.*+)",
    re.IGNORECASE,
)
_SENTENCE_ENDS = ".!?"
_WRAPPED = 50
_LINES = 40
LONGEST = 2000
"""Characters."""


def opening(line: str) -> tuple[str, str] | None:
    """Return the word, and the text on its line; None for other lines."""
    found = _OPENING.fullmatch(line)
    if not found or (not found["ask"] and not line.startswith(PROTEST) and line.endswith("?")):
        return None
    return ASK if found["ask"] else PROTEST, found["said"].strip()


def paragraph(first: str, below: Sequence[str]) -> tuple[str, int]:
    """Return the text, and how many lines below it takes. A line like an order ends it."""
    said, above = [first.strip()], first.strip()
    for line in map(str.strip, below):
        if not line or _begins(above, line):
            break
        said.append(line)
        above = line
    return " ".join(filter(None, said)), len(said) - 1


def _begins(above: str, line: str) -> bool:
    word, _, more = line.partition(" ")
    bare = word.strip(".,;:!?\"'")
    if len(bare) < 2 or not (bare.isalpha() and bare.isupper()) or more[:1].islower():
        return False
    broken = len(above) + 1 + len(word) >= _WRAPPED and above[-1:] not in _SENTENCE_ENDS
    return not broken


def quotation(line: str, below: Sequence[str]) -> int:
    """Return how many lines below an AMEND reach to its closing quotation mark."""
    if first_word(line) != AMEND or not open_quote(line):
        return 0
    ends = (at for at, one in enumerate(below[:_LINES], 1) if open_quote(plain(one)))
    return next(ends, 0)


def too_long(text: str) -> str:
    if len(text) <= LONGEST:
        return ""
    return f"it has {len(text):,} characters; {LONGEST:,} are the most"


def line(text: str) -> str:
    return LINE + " ".join(text.split())
