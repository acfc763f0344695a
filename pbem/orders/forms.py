"""Our forms as they come back: which of their lines were filled in, but not to the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from pbem.orders.characters import plain, uncomment, undecorated
from pbem.orders.language import Language
from pbem.orders.writing import is_blank

MOST = 10
"""So many such lines are named."""


def unfinished(language: Language, text: str, forms: Sequence[str]) -> list[str]:
    """The lines of a letter with a blank in them that no form was mailed with, the first of them:
    something was put there or added. A line of prose with dots in it is not meant."""
    printed = " ".join(_written(line) for form in forms for line in form.split("\n"))
    return list(dict.fromkeys(islice(_changed(language, text, f" {printed} "), MOST)))


def has_blanks(text: str) -> bool:
    """Whether any line of a letter has a blank in it."""
    return any(is_blank(_bare(line)) for line in text.split("\n"))


def _changed(language: Language, text: str, printed: str) -> Iterator[str]:
    for line in text.split("\n"):
        said = _bare(line)
        if is_blank(said) and f" {_written(line)} " not in printed and language.meant(said):
            yield said


def _bare(line: str) -> str:
    """A line in plain characters, without comment and marks."""
    return undecorated(uncomment(plain(line)).strip())


def _written(line: str) -> str:
    """The same whatever its case, its blanks and the comma behind it."""
    words = _bare(line).upper().replace("\u2026", "...").rstrip(", ").split()
    return " ".join(words).replace(". . .", "...")
