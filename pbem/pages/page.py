"""A seat's own page: what it owes, what happens without it, and the form with all it could send.

The words are a game's: ``templates/<key>/words.txt.j2`` has what a period, a slot and a bulletin
are called, ``form.txt.j2`` one macro for each kind of offer, ``events.txt.j2`` those of silence.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jinja2 import Environment
from jinja2.environment import TemplateModule

from pbem.errors import RefereeError
from pbem.games.frame.events import Event
from pbem.games.frame.ruleset import BLANK, Offer
from pbem.text import WIDTH, wrap

MOST_OFFERS = 40
"""A form has so many lines at most."""
_EFFECT = " # "
_COLUMN = 40
"""Where effects begin at the latest, if they stand behind their orders."""


class Context(dict[str, Any]):
    """The names that a game's macros may use; the modules that were made with them are kept, since
    making one takes longer than all that is said with it. Nothing in it changes afterwards."""

    def __init__(self, known: Mapping[str, Any]) -> None:
        super().__init__(known)
        self._modules: dict[str, TemplateModule] = {}

    def module(self, env: Environment, name: str) -> TemplateModule:
        """The macros of a template under these names."""
        if name not in self._modules:
            self._modules[name] = env.get_template(name).make_module(dict(self))
        return self._modules[name]


def macros(env: Environment, name: str, context: Mapping[str, Any]) -> TemplateModule:
    """The macros of a template under the names of a context."""
    known = context if isinstance(context, Context) else Context(context)
    return known.module(env, name)


@dataclass(frozen=True, slots=True)
class Page:
    """What a seat's page is made of, taken from the position that its period opens with: the slots
    it ``owes``, what its ``silence`` means, its ``offers``."""

    owes: tuple[str, ...] = ()
    silence: tuple[Event, ...] = ()
    offers: tuple[Offer, ...] = ()


def worded(
    env: Environment, key: str, name: str, context: Mapping[str, Any], *given: object
) -> str:
    """What a macro of the game's ``words.txt.j2`` makes of what is given, on one line."""
    module = macros(env, f"{key}/words.txt.j2", context)
    return " ".join(str(getattr(module, name)(*given)).split())


def has(env: Environment, key: str, name: str, context: Mapping[str, Any]) -> bool:
    """Whether a game's ``words.txt.j2`` has a macro of that name."""
    return hasattr(macros(env, f"{key}/words.txt.j2", context), name)


def lines(
    env: Environment, key: str, offers: Sequence[Offer], context: Mapping[str, Any]
) -> list[tuple[str, str]]:
    """Each offer as an order with blanks, and its effect in words.

    Raises RefereeError where a macro is wanting, or gives not as many blanks as the offer has."""
    module = macros(env, f"{key}/form.txt.j2", context)
    found = []
    for offer in offers:
        macro = getattr(module, offer.kind, None)
        if macro is None:
            raise RefereeError(f"templates/{key}/form.txt.j2 has no macro {offer.kind!r}")
        order, _, effect = " ".join(str(macro(offer.data)).split()).partition(_EFFECT)
        if order.count(BLANK) != len(offer.fills) or not offer.fills:
            raise RefereeError(
                f"templates/{key}/form.txt.j2: {order!r} has {order.count(BLANK)} blanks, and an"
                f" offer of kind {offer.kind!r} fills {len(offer.fills)}"
            )
        found.append((order.strip(), effect.strip()))
    return found


def form(env: Environment, key: str, offers: Sequence[Offer], context: Mapping[str, Any]) -> str:
    """The form: each order with its effect as a comment behind it, or below it where there is no
    room. None of its lines is an order as it stands."""
    found = lines(env, key, offers, context)
    short = [len(order) for order, _ in found if len(order) <= _COLUMN]
    column = max(short, default=0) + 2
    return "\n".join(line for order, effect in found for line in _line(order, effect, column))


def _line(order: str, effect: str, column: int) -> Iterator[str]:
    beside = f"{order:<{column - 1}} # {effect}"
    if not effect:
        yield order
    elif len(beside) <= WIDTH:
        yield beside
    else:
        yield from _broken(order)
        yield from (f"    # {line}" for line in wrap(effect, 0, WIDTH - 6).split("\n"))


def _broken(order: str) -> Iterator[str]:
    """An order with no room on one line: one item a line, so that it can be filled in on a phone; a
    comma at the end of a line says that it goes on."""
    if len(order) < WIDTH:
        yield order
        return
    first, *more = order.split(", ")
    yield from (f"{piece}," for piece in (first, *(f"    {piece}" for piece in more[:-1])))
    yield f"    {more[-1]}" if more else first


def filled(order: str, words: Sequence[str]) -> str:
    """A line of the form with its blanks filled."""
    for word in words:
        order = order.replace(BLANK, word, 1)
    return order
