"""A letter as sentences of plain words: without accents, capitals and short forms."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

COMMA = ","
"""Stands for a comma."""
MOST_WORDS = 600
"""Read of a letter."""
_ENDS = re.compile(r"((?<![.!?\u2026;])[.!?\u2026;]++(?=\s|$)|\n)")
_WORD = re.compile(r"[^\W_](?:[\w'.+@-]*[\w])?|[,:()]")
_FOLDED = str.maketrans({"\u2019": "'", "\u2018": "'", "\u00b4": "'", "`": "'", "ß": "ss"})
_DIGRAPHS = (("ae", "a"), ("oe", "o"), ("ue", "u"))
_SMALL_PRINT = re.compile(
    r"^(?:(?:this|the) (?:e-?mail|message|communication|information)\b[^\n]{0,90}"
    r"\b(?:confidential|privileged|intended)\b|confidentiality notice\b|disclaimer\b"
    r"|diese (?:e-?mail|nachricht)\b[^\n]{0,90}\bvertraulich)",
    re.IGNORECASE | re.MULTILINE,
)
_SHORT_LINE = 45
"""A mail program breaks a line behind more characters."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, or a line of a list."""

    words: tuple[str, ...]
    """Folded; a comma, colon or bracket is :data:`COMMA`."""
    asks: bool
    """Whether it ends with a question mark."""
    text: str


def folded(text: str) -> str:
    """Return small letters without accents; ``ae`` is ``a``, as ``ä`` is."""
    plain = unicodedata.normalize("NFKD", text.translate(_FOLDED)).casefold()
    bare = "".join(char for char in plain if not unicodedata.combining(char))
    for two, one in _DIGRAPHS:
        bare = bare.replace(two, one)
    return bare


def sentences(text: str, short_forms: Mapping[str, str]) -> list[Sentence]:
    """Return a text's sentences. short_forms: what "i'd" and its like stand for."""
    found, room = list[Sentence](), MOST_WORDS
    for piece, ending in _pieces(_unbroken(_without_small_print(text))):
        words = list(_words(piece, short_forms))[:room]
        room -= len(words)
        if any(word != COMMA for word in words):
            found.append(Sentence(tuple(words), "?" in ending, piece.strip()))
    return found


def _without_small_print(text: str) -> str:
    begins = _SMALL_PRINT.search(text)
    before = text[: begins.start()] if begins else ""
    return before if before.strip() else text


def _unbroken(text: str) -> str:
    made = list[str]()
    for line in text.replace("\r", "").split("\n"):
        before = made[-1] if made else ""
        if before.strip() and len(before.rpartition("\n")[2]) > _SHORT_LINE and line[:1].isalnum():
            made[-1] = f"{before} {line}"
        else:
            made.append(line)
    return "\n".join(made)


def _pieces(text: str) -> Iterator[tuple[str, str]]:
    parts = [*_ENDS.split(text), ""]
    yield from zip(parts[::2], parts[1::2], strict=False)


def _words(piece: str, short_forms: Mapping[str, str]) -> Iterator[str]:
    for found in _WORD.findall(folded(piece)):
        if found in ",:()":
            yield COMMA
        else:
            yield from short_forms.get(found, found).replace("'", "").split(" ")
