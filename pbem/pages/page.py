"""A seat's own page: what it owes, what happens without it, and the form with all it could send.

In ``templates/<key>/``, ``words.txt.j2`` names periods, slots and bulletins, ``form.txt.j2`` has
one macro for each kind of offer, and ``events.txt.j2`` has those of silence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jinja2 import Environment

from pbem.errors import RefereeError
from pbem.games.frame.events import Event
from pbem.games.frame.ruleset import BLANK, Offer
from pbem.pages import sheet
from pbem.pages.macros import in_force, macros

_EFFECT = " # "


@dataclass(frozen=True, slots=True)
class Page:
    """What a seat's page is made of, from the position that opens its period."""

    owes: tuple[str, ...] = ()
    """Slots that it owes."""
    silence: tuple[Event, ...] = ()
    """What its silence means."""
    offers: tuple[Offer, ...] = ()


def worded(
    env: Environment, key: str, name: str, context: Mapping[str, Any], *given: object
) -> str:
    """Return what a macro of the game's ``words.txt.j2`` makes of what is given, on one line."""
    with in_force(context):
        return " ".join(str(getattr(macros(env, f"{key}/words.txt.j2"), name)(*given)).split())


def has(env: Environment, key: str, name: str, context: Mapping[str, Any]) -> bool:
    """Return whether a game's ``words.txt.j2`` has a macro of that name."""
    with in_force(context):
        return hasattr(macros(env, f"{key}/words.txt.j2"), name)


def lines(
    env: Environment, key: str, offers: Sequence[Offer], context: Mapping[str, Any]
) -> list[tuple[str, str]]:
    """Return each offer as an order with blanks, and its effect in words.

    Raise RefereeError if a macro is missing, or gives another number of blanks than the offer has.
    """
    found = []
    with in_force(context):
        module = macros(env, f"{key}/form.txt.j2")
        for offer in offers:
            macro = getattr(module, offer.kind, None)
            if macro is None:
                raise RefereeError(f"templates/{key}/form.txt.j2 has no macro {offer.kind!r}")
            order, _, effect = " ".join(str(macro(offer.data)).split()).partition(_EFFECT)
            if order.count(BLANK) != len(offer.fills) or not offer.fills:
                raise RefereeError(
                    f"templates/{key}/form.txt.j2: {order!r} has {order.count(BLANK)} blanks, and"
                    f" an offer of kind {offer.kind!r} fills {len(offer.fills)}"
                )
            found.append((order.strip(), effect.strip()))
    return found


def form(env: Environment, key: str, offers: Sequence[Offer], context: Mapping[str, Any]) -> str:
    """Return the form as a block of a sheet; "" if nothing can be offered. No line of it is an
    order as it stands."""
    return sheet.order_form(lines(env, key, offers, context)) if offers else ""


def filled(order: str, words: Sequence[str]) -> str:
    """Return a line of the form with its blanks filled."""
    for word in words:
        order = order.replace(BLANK, word, 1)
    return order
