"""Players' names for seats: those of numbers ("P2") read in mails, all taken in orders."""

import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise

_SEAT = re.compile(r"(?<![\w'+/-])[A-Z][0-9]{1,2}(?![\w+-])")
_WORD = re.compile(r"[^\W_][\w'-]*")
_FIGURES = frozenset("0123456789")
_SHORTEST = 4  # letters of what is somebody's
_WORDS = 4  # words of the longest name
Names = tuple[tuple[str, str], ...]
"""(seat, name) of seats that go by the name of their player."""


def is_number(seat: str) -> bool:
    return len(seat) > 1 and _FIGURES.issuperset(seat[1:])


def names(players: Mapping[str, str]) -> Names:
    """Return which seats go by a name. players: public names by seat, "" if there is none.

    A name that two share is left out.
    """
    said = [_folded(name) for name in players.values()]
    return tuple(
        (seat, name)
        for seat, name in players.items()
        if name and is_number(seat) and said.count(_folded(name)) == 1 and not is_number(name)
    )


def parties(players: Mapping[str, str]) -> Names:
    """Return the other seats, with their players."""
    return tuple((one, name) for one, name in players.items() if name and not is_number(one))


def with_seat(name: str | None, seat: str) -> str:
    return f"{name} ({seat})" if name else seat


def named(text: str, known: Names) -> str:
    """Return a sentence with names for numbers.

    A number beside its name stays, as after a non-breaking blank: there it is an order.
    """
    if not known:
        return text
    by_seat, made, done = dict(known), list[str](), 0
    for found in _SEAT.finditer(text):
        name = by_seat.get(found[0])
        start, end = found.span()
        if name is None or start < done or _stays(text, start, end, name):
            continue
        made += [text[done:start], name]
        beside = f" ({name})"
        done = end + len(beside) if text.startswith(beside, end) else end
    return "".join([*made, text[done:]]) if made else text


def _stays(text: str, start: int, end: int, name: str) -> bool:
    before = text[:start]
    beside = text.startswith(f", {name}", end)
    within = name.endswith(text[start:end]) and text[:end].endswith(name)
    return beside or within or before.endswith((f"{name} (", f"{name}, ", "\u00a0", "are ", '"'))


def seats(line: str, known: Names, former: Names = ()) -> str:
    """Return an order with seats for names that only one has. former: players of before."""
    by_name = _by_name(known, former)
    words = list(_WORD.finditer(line))
    made, done, at = list[str](), 0, 0
    while at < len(words):
        runs = ((run, _said(words, at, run)) for run in range(_WORDS, 0, -1))
        found = ((run, one) for run, said in runs for one in _of_whom(said) if one in by_name)
        run, name = next(found, (0, ""))
        if run:
            made += [line[done : words[at].start()], by_name[name]]
            whose = name != _said(words, at, run) and words[at + run : at + run + 1]
            run += bool(whose and whose[0][0].islower() and len(whose[0][0]) >= _SHORTEST)
            done = words[at + run - 1].end()
        at += run or 1
    return "".join([*made, line[done:]])


def _said(words: list[re.Match[str]], at: int, run: int) -> str:
    some = words[at : at + run]
    near = all(two.start() - one.end() <= 1 for one, two in pairwise(some))
    return _folded(" ".join(one[0] for one in some)) if len(some) == run and near else ""


def _of_whom(said: str) -> tuple[str, ...]:
    """Return a word as written, and as the name it may be of: "anna's" and "annas" are Anna's."""
    return said, said.removesuffix("'s"), said.removesuffix("s")


def choices(line: str, known: Names, former: Names = ()) -> tuple[str, list[str]]:
    """Return an order's first doubtful name, and the order with each seat for it."""
    owners, sure = _owners((*known, *former)), _by_name(known, former)
    for found in _WORD.finditer(line):
        if (name := _folded(found[0])) in owners.keys() - sure.keys():
            around = line[: found.start()], line[found.end() :]
            each = (one.join(around) for one in sorted(owners[name]))
            return found[0], [seats(one, known, former) for one in each]
    return "", []


@lru_cache(maxsize=64)
def _by_name(known: Names, former: Names) -> Mapping[str, str]:
    all_, mine = _owners((*known, *former)), _owners(known)
    return {name: next(iter(one)) for name, one in mine.items() if len(all_[name]) == 1}


@lru_cache(maxsize=64)
def _owners(known: Names) -> Mapping[str, set[str]]:
    """Return who has each name, or part of it."""
    owners = dict[str, set[str]]()
    for seat, name in known:
        for part in {_folded(name), *_folded(name).split()}:
            owners.setdefault(part, set()).add(seat)
    return owners


def _folded(name: str) -> str:
    return " ".join(name.casefold().split())
