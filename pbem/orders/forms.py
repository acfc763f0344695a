"""Find half-filled lines of returned forms."""

from collections.abc import Iterator, Sequence
from itertools import islice

from pbem.orders.characters import plain, uncomment, undecorated
from pbem.orders.language import Language
from pbem.orders.writing import is_blank

MOST = 10


def unfinished(language: Language, text: str, forms: Sequence[str]) -> list[str]:
    """Return lines with a blank that no form had."""
    printed = " ".join(_written(line) for form in forms for line in form.split("\n"))
    return list(dict.fromkeys(islice(_changed(language, text, f" {printed} "), MOST)))


def has_blanks(text: str) -> bool:
    return any(is_blank(_bare(line)) for line in text.split("\n"))


def _changed(language: Language, text: str, printed: str) -> Iterator[str]:
    for line in text.split("\n"):
        said = _bare(line)
        if is_blank(said) and f" {_written(line)} " not in printed and language.meant(said):
            yield said


def _bare(line: str) -> str:
    return undecorated(uncomment(plain(line)).strip())


def _written(line: str) -> str:
    words = _bare(line).upper().replace("\u2026", "...").rstrip(", ").split()
    return " ".join(words).replace(". . .", "...")
