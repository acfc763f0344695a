"""Texts of ours on their way out: no line of them is heard as a word for the referee or as an order
when a letter quotes it bare."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence

from pbem.orders import mailwords
from pbem.orders.asking import asked
from pbem.orders.gluing import glued
from pbem.orders.mailwords import WORDS, stripped
from pbem.orders.splitter import first_word, plain

_HEADS = re.compile(
    r"(?:^|;)[^A-Za-z\n;|\[]*+([A-Za-z]++)", re.MULTILINE
)  # a "[1] PASS" is no order

_LONGEST = 80
"""A word for the referee that is not heard within so many characters is not heard with more."""


def muted(
    text: str,
    gamesmaster: bool = False,
    orders: Callable[[str], Sequence[int]] = lambda text: (),
    words: Collection[str] = (),
    begins: Callable[[str], bool] = lambda text: False,
) -> str:
    """A text of ours with a bar before each line by which a letter that quotes it bare would ask
    for something, and with blanks that do not break where a program that breaks the lines anew
    would make such a line.

    ``orders`` gives the numbers (from 1) of the lines on which a game's orders begin, ``words``
    what they can begin with; ``begins`` says whether a text is the beginning of one. A code that is
    to be confirmed stays as it is: it is there to be sent back.
    """

    def heard(line: str) -> bool:
        return _is_heard(line, gamesmaster) or (may_begin(line) and bool(orders(line)))

    def may_begin(line: str) -> bool:
        return (first_word(line) in WORDS and len(line) < _LONGEST) or begins(line)

    return glued(_muted(text, gamesmaster, orders, words), WORDS.union(words), may_begin, heard)


def _muted(
    text: str, gamesmaster: bool, orders: Callable[[str], Sequence[int]], words: Collection[str]
) -> str:
    """A text with a bar before each line that is heard as it is."""
    heads = {head.upper() for head in _HEADS.findall(plain(text))}
    if heads.isdisjoint(WORDS) and heads.isdisjoint(words):
        return text
    lines = text.split("\n")
    lines = [_barred(line) if _is_heard(line, gamesmaster) else line for line in text.split("\n")]
    for _ in range(len(lines)):
        if not (found := orders("\n".join(lines))):
            break
        for number in found:
            lines[number - 1] = _barred(lines[number - 1])
    return "\n".join(lines)


def barred(text: str) -> str:
    """The same with a bar before every line: by which of them a letter would ask for something is
    not looked for."""
    return "\n".join(_barred(line) if line.strip() else line for line in text.split("\n"))


def _is_heard(line: str, gamesmaster: bool) -> bool:
    """Whether a line is taken off as mail-level words; what such a line takes along is then no
    longer taken."""
    if line == mailwords.peel(line, gamesmaster).text:
        return False
    return not ((found := asked(stripped(line))) and found.name == "CONFIRM")


def _barred(line: str) -> str:
    body = line.lstrip()
    return " " * max(0, len(line) - len(body) - 2) + "| " + body.replace(";", "; |")
