"""What a letter changed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pbem.games.frame.events import Seat
from pbem.house import templates
from pbem.orders.order import Order, Standing
from pbem.pages import rulebook, sheet
from pbem.pages.plain import plain
from pbem.store.games.games import GameAt

MOST_LINES, MOST_WORDS, MOST_CHARACTERS = 6, 30, 100
"""Lines and words of all facts, and characters of one. ORDERS and CHECK bring all."""
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
    told, lines, words, less = list[str](), 0, 0, False
    for fact in new:
        short = _short(fact)
        high, long = _height(short), len(plain(short).split())
        fits = lines + high <= MOST_LINES and words + long <= MOST_WORDS
        if not fits and sheet.MARK in short:
            short = _without_tables(short)
            high, long = _height(short), len(short.split())
            fits = lines + high <= MOST_LINES and words + long <= MOST_WORDS
        less = less or short != fact
        if short.strip() and (fits or not told or _SUM.search(short)):
            told.append(short)
            lines, words = lines + high, words + long
        else:
            less = True
    return told, less


def _short(fact: str) -> str:
    blocks = [f"{sheet.MARK}{one}{sheet.MARK}" for one in fact.split(sheet.MARK)[1::2]]
    if "\n* " in fact or (blocks and all(_height(one) < MOST_LINES for one in blocks)):
        return fact
    return _without_tables(fact)


def _without_tables(fact: str) -> str:
    pieces = fact.split(sheet.MARK)
    begun = rulebook.begun(" ".join(pieces[::2]), MOST_CHARACTERS, _SUM)
    said, bracket, rule = begun.partition(" [")
    if len(pieces) == 1 or not said.endswith(":"):
        return begun
    return f"{said[:-1]}.{bracket}{rule}" if _SUM.search(said) else ""


def _height(text: str) -> int:
    return plain(text).strip("\n").count("\n") + 1
