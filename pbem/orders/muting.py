"""Keep our own lines from being read when quoted bare; find those of forms left half-filled."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import islice

from pbem.orders import mailwords
from pbem.orders.asking import apart, asked
from pbem.orders.characters import first_word, heads, plain, uncomment, undecorated
from pbem.orders.language import Language
from pbem.orders.mailwords import WORDS, stripped
from pbem.orders.order import CANCEL
from pbem.orders.splitter import passages
from pbem.orders.writing import is_blank

_MOST = 10  # unfinished lines
_SHORT = 1000  # characters of a passage whose order lines are cached


def muted(
    text: str, gamesmaster: bool = False, orders: Callable[[str], Sequence[int]] = lambda text: ()
) -> str:
    """Return a text with a bar before each line that would be read, except CONFIRM codes. orders:
    returns the lines (from 1) that begin orders."""
    lines = text.split("\n")
    heard = {at for at, head in heads(plain(text)) if head in WORDS}
    for at in heard | {at for at, line in enumerate(lines) if len(apart(line)) > 1}:
        if _is_heard(lines[at], gamesmaster):
            lines[at] = _barred(lines[at])
    for _ in range(len(lines)):
        if not (found := orders("\n".join(lines))):
            break
        for number in found:
            lines[number - 1] = _barred(lines[number - 1])
    return "\n".join(lines)


def order_lines(language: Language, text: str) -> list[int]:
    """Return the numbers (from 1) of lines with orders."""
    found = passages(plain(text), language.words | {CANCEL}, language.far)
    return [
        at + number
        for at, passage in found
        for number in (_found if len(passage) <= _SHORT else _found.__wrapped__)(language, passage)
    ]


@lru_cache(maxsize=1024)
def _found(language: Language, passage: str) -> Sequence[int]:
    lines = language.split(passage, (CANCEL,), readable=True)
    return [
        line.number
        for line in lines
        if first_word(line.text) == CANCEL or language.reads(line.text)
    ]


def barred(text: str) -> str:
    """Return a text with a bar before each line."""
    return "\n".join(_barred(line) if line.strip() else line for line in text.split("\n"))


def _is_heard(line: str, gamesmaster: bool) -> bool:
    """CONFIRM is not counted."""
    if line == mailwords.peel(line, gamesmaster).text:
        return False
    return not ((found := asked(stripped(line))) and found[0] == "CONFIRM")


def _barred(line: str) -> str:
    body = line.lstrip()
    return " " * max(0, len(line) - len(body) - 2) + "| " + body.replace(";", "; |")


def unfinished(language: Language, text: str, forms: Sequence[str]) -> list[str]:
    """Return lines with a blank that no form had."""
    printed = " ".join(_written(line) for form in forms for line in form.split("\n"))
    return list(dict.fromkeys(islice(_changed(language, text, f" {printed} "), _MOST)))


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
