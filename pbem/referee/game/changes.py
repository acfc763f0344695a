"""What a letter changed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pbem.games.frame.events import Seat
from pbem.house import templates
from pbem.orders.order import Order, Standing
from pbem.pages import citing, sheet
from pbem.pages.plain import plain
from pbem.store.games.games import GameAt

MOST_LINES, MOST_CHARACTERS = 6, 120
"""Of all facts, and of one. ORDERS and CHECK bring all."""
_SUM = re.compile(r"[0-9],[0-9]{3}")
"""Money is always told."""
NEW, GONE, SAME = "+", "-", "="


@dataclass(frozen=True, slots=True)
class Marked:
    """A line of a receipt, marked so that it is no order when quoted."""

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
    """Return what the game says about a seat's orders, a line each."""
    advice = at.ruleset.advice(at.state, seat, standing)
    told = templates.events_in_words(at.ruleset, at.state, seat, advice)
    return [one if _has_shape(one) else " ".join(one.split()) for one in told if one.strip()]


def _has_shape(fact: str) -> bool:
    return sheet.MARK in fact or "\n* " in fact


def new_facts(at: GameAt, seat: Seat, before: Standing, after: Standing) -> tuple[list[str], bool]:
    """Return the facts changed, up to the limits, and whether some are left out."""
    if before == after:
        return [], False
    known = set(facts(at, seat, before))
    new = [one for one in facts(at, seat, after) if one not in known]
    told, lines, less = list[str](), 0, False
    for fact in new:
        short = _short(fact)
        less = less or short != fact
        fits = lines + _height(short) <= MOST_LINES or not told
        if short.strip() and (fits or _SUM.search(short)):
            told.append(short)
            lines += _height(short)
        else:
            less = True
    return told, less


def _short(fact: str) -> str:
    pieces = fact.split(sheet.MARK)
    blocks = [f"{sheet.MARK}{one}{sheet.MARK}" for one in pieces[1::2]]
    if blocks and all(_height(one) < MOST_LINES for one in blocks):
        return fact
    begun = citing.begun(" ".join(pieces[::2]), MOST_CHARACTERS)
    return fact if "\n* " in fact or begun.partition(" [")[0].endswith(":") else begun


def _height(text: str) -> int:
    return plain(text).strip("\n").count("\n") + 1
