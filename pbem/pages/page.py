"""A seat's page: what it owes, what silence means, its form.

In ``templates/<key>/``: ``words.txt.j2`` (periods and slots), ``form.txt.j2`` (a macro for each
offer), ``events.txt.j2`` (silence).
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
    """What a seat's page is made of."""

    owes: tuple[str, ...] = ()
    """Slots."""
    silence: tuple[Event, ...] = ()
    """What silence means."""
    offers: tuple[Offer, ...] = ()


def worded(
    env: Environment, key: str, name: str, context: Mapping[str, Any], *given: object
) -> str:
    """Return what a macro of ``words.txt.j2`` says, on one line."""
    with in_force(context):
        return " ".join(str(getattr(macros(env, f"{key}/words.txt.j2"), name)(*given)).split())


def has(env: Environment, key: str, name: str, context: Mapping[str, Any]) -> bool:
    """Return whether ``words.txt.j2`` has the macro."""
    with in_force(context):
        return hasattr(macros(env, f"{key}/words.txt.j2"), name)


def lines(
    env: Environment, key: str, offers: Sequence[Offer], context: Mapping[str, Any]
) -> list[tuple[str, str]]:
    """Return each offer as (order with blanks, effect).

    Raise RefereeError if a macro is missing or has the wrong number of blanks.
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
    """Return the form block, or "". No line of it is an order as it stands."""
    return sheet.order_form(lines(env, key, offers, context)) if offers else ""


def filled(order: str, words: Sequence[str]) -> str:
    """Fill the blanks of a line."""
    for word in words:
        order = order.replace(BLANK, word, 1)
    return order
