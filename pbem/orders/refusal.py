"""How a text that is no order is shown to its writer: the place, and what could have stood
there."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence

LABELS = {
    "$END": "the end of the order",
    "INT": "a number",
    "NUMBER": "a number",
    "WORD": "a name",
    "STRING": 'a text in "quotes"',
    "SIGN": '">="',
    "SIGNED": "a number",
}
"""What the terminals that all games share are called."""

_BETWEEN = re.compile(r"[ ,]+")


def caret(text: str, at: int, width: int = 70) -> list[str]:
    """The text around position ``at`` and a caret under it."""
    flat = text.replace("\n", " ")
    start = max(0, at - width + 20) if len(flat) > width else 0
    return [flat[start : start + width], " " * (at - start) + "^"]


def odd_numbers(text: str) -> list[str]:
    """What is to be said of numbers in other signs than the digits 0 to 9, as in "10²" or "½"; []
    where there are none."""
    odd = (
        one
        for one in text.split()
        if any(unicodedata.category(char)[0] == "N" and char > "\x7f" for char in one)
    )
    return [
        f'"{shorten(one, 30)}" is no number here: write numbers with the digits 0 to 9'
        for one in odd
    ][:1]


def shorten(text: str, limit: int = 300) -> str:
    """A text on one line, of no more than so many characters."""
    flat = " ".join(text.split())
    return flat if len(flat) <= limit else flat[: limit - 3] + "..."


def labelled(names: Iterable[str], behind: Sequence[str], labels: Mapping[str, str]) -> list[str]:
    """What terminals are called, signs and words first, each once; ``behind`` is what stands before
    them, the best known first; one whose label is "" is read, but not asked for."""
    said: set[str] = set()
    for name in names:
        keys = (*(f"{word}.{name}" for word in behind), name)
        said.update(next((labels[key] for key in keys if key in labels), name.lower()).split(", "))
    return sorted(said - {""}, key=lambda one: (one[:1].islower(), one))


def words_of(label: str) -> list[str]:
    """The words in capitals of a label: those that are to be written just so."""
    return [word for word in _BETWEEN.split(label) if word.isalpha() and word.isupper()]
