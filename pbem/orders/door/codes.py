"""Find a code, however written, and press in somebody's own words."""

from __future__ import annotations

import re

CODE = re.compile(r"(?<![\w@.+-])[a-z2-7]{16}(?![\w@+-]|\.\w)")
_FOURS = re.compile(
    r"(?<![\w@.+-])(?:[a-z2-7]{4}(?:-[a-z2-7]{4}){3}|[a-z2-7]{4}(?: [a-z2-7]{4}){3})(?![\w@+-])"
)
"""A code in four parts."""
_DIGIT = frozenset("0123456789")
_DIGITS = 3
_CONFIRM = re.compile(r"\bCONFIRM:? +([A-Za-z0-9-]{4,80})\b")

_PRESS = re.compile(
    r"PRESS(?: TO)?(?: THE)? (?:GM|GAMESMASTER|REFEREE)\b[ \t:]{0,8}", re.IGNORECASE
)


def code_in(text: str) -> str:
    """Return the code in a text, in small letters, or ""."""
    found = CODE.search(text.lower())
    if found and not _DIGIT.isdisjoint(found[0]):
        return found[0]
    fours = _FOURS.search(text.lower())
    if fours and sum(char in _DIGIT for char in fours[0]) >= _DIGITS:
        return fours[0].replace(" ", "").replace("-", "")
    said = _CONFIRM.search(text)
    if said:
        return said[1].lower()
    return found[0] if found and "CONFIRM" in text else ""


def pressed(text: str) -> str | None:
    text = text.lstrip()
    if (head := _PRESS.match(text)) is None:
        return None
    lines = text[head.end() :].split("\n")
    ends = (n for n, line in enumerate(lines) if line.strip().upper().startswith("END PRESS"))
    return "\n".join(lines[: next(ends, len(lines))]).strip()
