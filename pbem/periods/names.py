"""Names that players may have: none like a seat, party or order of any table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from pbem.budget import paused
from pbem.games import GAMES
from pbem.games.frame.dice import Dice
from pbem.games.frame.ruleset import Ruleset
from pbem.house import houses, shelf, templates
from pbem.orders import naming
from pbem.orders.naming import NotAName, skeleton


def checked(written: str, taken: Iterable[str] = ()) -> str:
    """Return a name as printed. Raise NotAName if forbidden or like one ``taken``."""
    name = naming.checked(written, taken)
    if why := taken_for(name):
        raise NotAName(why)
    return name


def taken_for(name: str) -> str:
    """Return what it could be mistaken for, or ""."""
    if why := naming.taken_for_us(name):
        return why
    if (found := _reserved().get(skeleton(name))) is not None:
        word, what = found
        same = name.casefold() == word.casefold()
        return f"{name} is {what}" if same else f"{name} looks like {word}, {what}"
    order = naming.latin(name)
    for ruleset in map(shelf.open_ruleset, GAMES):
        if ruleset.language.reads(order):
            return f"{name} is an order in {ruleset.about.title}"
    return ""


@cache
def _reserved() -> Mapping[str, tuple[str, str]]:
    """Return skeleton -> (word, what): seats first, parties, orders."""
    found: dict[str, tuple[str, str]] = {}
    with paused:  # opening all games is no letter's work
        for words in (_seats, _parties, _orders):
            for ruleset in map(shelf.open_ruleset, GAMES):
                for word, what in words(ruleset):
                    found.setdefault(skeleton(word), (word, f"{what} in {ruleset.about.title}"))
    return found


def _seats(ruleset: Ruleset[Any]) -> Iterator[tuple[str, str]]:
    for seats in ruleset.about.seats:
        for seat in seats:
            yield seat, "a seat"


def _parties(ruleset: Ruleset[Any]) -> Iterator[tuple[str, str]]:
    about = ruleset.about
    seated = max(about.seats, key=len)
    options = houses.settled(about.key, {})
    state = ruleset.setup(seated, options, {}, Dice("names", about.key)).state
    for seat in seated:
        said = templates.seat_words(ruleset, state, seat)
        _, _, party = said.partition(", ")
        if not party:
            continue
        short = party.removeprefix("the ")
        for form in (said, short, short.removesuffix(" party").removesuffix(" Party")):
            yield form, "a party"
            yield f"the {form}", "a party"
            yield form.removesuffix("s"), "a party"


def _orders(ruleset: Ruleset[Any]) -> Iterator[tuple[str, str]]:
    for word in sorted(ruleset.language.words):
        yield word, "an order"
