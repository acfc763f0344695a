"""Texts of ours on their way out: no line of them is heard as a word for the referee or as an order
when a letter quotes it bare."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence

from pbem.orders import mailwords
from pbem.orders.asking import asked
from pbem.orders.mailwords import WORDS, stripped
from pbem.orders.splitter import plain

_HEADS = re.compile(
    r"(?:^|;)[^A-Za-z\n;|\[]*+([A-Za-z]++)", re.MULTILINE
)  # a "[1] PASS" is no order


def muted(
    text: str,
    gamesmaster: bool = False,
    orders: Callable[[str], Sequence[int]] = lambda text: (),
    words: Collection[str] = (),
) -> str:
    """A text of ours with a bar before each line by which a letter that quotes it bare would ask
    for something.

    ``orders`` gives the numbers (from 1) of the lines on which a game's orders begin, ``words``
    what they can begin with. A code that is to be confirmed stays as it is: it is there to be sent
    back.
    """
    heads = _heads(text)
    if heads.isdisjoint(WORDS) and heads.isdisjoint(words):
        return text
    lines = [_barred(line) if _is_heard(line, gamesmaster) else line for line in text.split("\n")]
    for _ in range(len(lines)):
        if not (found := orders("\n".join(lines))):
            break
        for number in found:
            lines[number - 1] = _barred(lines[number - 1])
    return "\n".join(lines)


def _heads(text: str) -> set[str]:
    """What the lines of a text, and their pieces behind a `;`, begin with, in capitals."""
    return {head.upper() for head in _HEADS.findall(plain(text))}


def barred(text: str) -> str:
    """The same with a bar before every line: by which of them a letter would ask for something is
    not looked for."""
    return "\n".join(_barred(line) if line.strip() else line for line in text.split("\n"))


def _is_heard(line: str, gamesmaster: bool) -> bool:
    """Whether a line is taken off as mail-level words; what such a line takes along is then no
    longer taken."""
    if _heads(line).isdisjoint(WORDS) or line == mailwords.peel(line, gamesmaster).text:
        return False
    return not ((found := asked(stripped(line))) and found.name == "CONFIRM")


def _barred(line: str) -> str:
    body = line.lstrip()
    return " " * max(0, len(line) - len(body) - 2) + "| " + body.replace(";", "; |")
