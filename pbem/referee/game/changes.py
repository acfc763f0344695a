"""What a letter changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pbem.games.frame.events import Seat
from pbem.house import templates
from pbem.orders.order import Order, Standing
from pbem.pages import sheet
from pbem.store.games.games import GameAt

MOST_FACTS = 6
"""ORDERS and CHECK bring all."""
NEW, GONE, SAME = "+", "-", "="


@dataclass(frozen=True, slots=True)
class Marked:
    """A line of a receipt's list. Its mark keeps it from being an order when quoted."""

    mark: str
    order: str
    said: str = ""


def marked(at: GameAt, before: Standing, after: Standing) -> list[Marked]:
    """Return new orders, orders taken back, then those that stood already."""
    new = {slot: order for slot, order in after.items() if before.get(slot) != order}
    found = [Marked(NEW, one) for one in _joined(at, new, without=before)]
    for slot, order in new.items():
        if slot in before:
            found.append(Marked(NEW, str(order), f"was: {before[slot]}"))
    gone = {slot: order for slot, order in before.items() if slot not in after}
    found += [Marked(GONE, one, "taken back") for one in _joined(at, gone)]
    same = {slot: order for slot, order in after.items() if slot not in new}
    return found + [Marked(SAME, one) for one in _joined(at, same)]


def _joined(at: GameAt, orders: Mapping[str, Order], without: Iterable[str] = ()) -> Sequence[str]:
    left = [str(order) for slot, order in orders.items() if slot not in set(without)]
    return at.ruleset.gathered(left) if left else ()


def facts(at: GameAt, seat: Seat, standing: Standing) -> Sequence[str]:
    """Return what the game says about a seat's orders, one line each unless it has blocks or
    items."""
    advice = at.ruleset.advice(at.state, seat, standing)
    told = templates.events_in_words(at.ruleset, at.state, seat, advice)
    return [one if _has_shape(one) else " ".join(one.split()) for one in told if one.strip()]


def _has_shape(fact: str) -> bool:
    return sheet.MARK in fact or "\n* " in fact


def new_facts(at: GameAt, seat: Seat, before: Standing, after: Standing) -> tuple[list[str], int]:
    """Return the facts that a letter changed, up to MOST_FACTS, and how many are left out."""
    if before == after:
        return [], 0
    known = set(facts(at, seat, before))
    new = [one for one in facts(at, seat, after) if one not in known]
    return new[:MOST_FACTS], len(new[MOST_FACTS:])
