"""What stands apart in somebody's own words: a code, however he writes it, and press."""

from __future__ import annotations

import re

CODE = re.compile(r"(?<![\w@.+-])[a-z2-7]{16}(?![\w@+-]|\.\w)")
_FOURS = re.compile(r"(?<![\w@.+-])[a-z2-7]{4}(?:([ -])[a-z2-7]{4})(?:\1[a-z2-7]{4}){2}(?![\w@+-])")
"""A code that somebody wrote in four parts."""
_DIGITS = 3
"""So many digits tell four parts of a code from four words."""
_CONFIRM = re.compile(r"\bCONFIRM:? +([A-Za-z0-9-]{4,80})\b")

_PRESS = re.compile(
    r"\s*PRESS(?: TO)?(?: THE)? (?:GM|GAMESMASTER|REFEREE)\b[ \t:]*(.*?)(?:^\s*END PRESS.*)?\Z",
    re.IGNORECASE | re.DOTALL | re.MULTILINE,
)


def code_in(text: str) -> str:
    """Return the code in a text, in small letters, or ""."""
    found = CODE.search(text.lower())
    if found and any(map(str.isdigit, found[0])):
        return found[0]
    fours = _FOURS.search(text.lower())
    if fours and sum(map(str.isdigit, fours[0])) >= _DIGITS:
        return re.sub("[ -]", "", fours[0])
    said = _CONFIRM.search(text)
    if said:
        return said[1].lower()
    return found[0] if found and "CONFIRM" in text else ""


def pressed(text: str) -> str | None:
    """Return what a letter's PRESS TO GM says. None if it is no such letter."""
    found = _PRESS.match(text)
    return found[1].strip() if found else None
