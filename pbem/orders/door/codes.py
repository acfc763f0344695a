"""Codes in somebody's own words, however he writes them."""

from __future__ import annotations

import re

CODE = re.compile(r"(?<![\w@.+-])[a-z2-7]{16}(?![\w@+-]|\.\w)")
_FOURS = re.compile(r"(?<![\w@.+-])[a-z2-7]{4}(?:([ -])[a-z2-7]{4})(?:\1[a-z2-7]{4}){2}(?![\w@+-])")
"""A code that somebody wrote in four parts."""
_DIGITS = 3
"""So many digits tell four parts of a code from four words."""
_CONFIRM = re.compile(r"\bCONFIRM:? +([A-Za-z0-9-]{4,80})\b")


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
