"""The first page. ``/?kind=held`` pages through one kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pbem.desk import game_waits, times, waits
from pbem.desk.asked import Answer, Asked, Led, NotThere, Page
from pbem.desk.times import Moment
from pbem.orders.spelling import is_number
from pbem.referee.deciding import unproven
from pbem.store.games import overview
from pbem.store.games.game_rows import PeriodKey
from pbem.store.games.overview import ClockRow
from pbem.store.journal import notes
from pbem.store.letters import waiting
from pbem.store.mails import mails
from pbem.store.schema.states import GameState, MailState

FIRST, PAGE, NEXT = 5, 25, 5
"""Things of a kind on the first page and its own, and coming deadlines."""


@dataclass(frozen=True, slots=True)
class Coming:
    """What a game does next."""

    game: ClockRow
    number: int
    when: Moment


def page(asked: Asked) -> Answer:
    """Return what waits for him. If posted, mark his news as seen."""
    if seen := asked.given.get("seen", ""):
        return _see(asked, seen)
    if asked.given.get("left") and asked.given.get("csrf") == asked.csrf:
        game_waits.leave(asked, asked.given.get("left", ""))
        return Led("/")
    kind = asked.given.get("kind", "")
    if kind:
        return _kind(asked, kind)
    piles = waits.piles(asked, FIRST)
    counted = overview.numbers(asked.work.conn, asked.sight.seen)
    next_ = (asked.work.conn, asked.sight.seen, asked.work.now, NEXT)
    facts = {
        "piles": piles,
        "number": sum(map(waits.decisions, piles)),
        "one": False,
        "decided": waits.DECIDED,
        "post": _post(asked) if asked.sight.owner else None,
        "deadlines": _coming(asked, overview.next_deadlines(*next_), look=False),
        "reminders": _coming(asked, overview.next_looks(*next_), look=True),
        "games": {state.value: counted.get(state, 0) for state in GameState},
    }
    return Page("home.html.j2", "What waits", facts)


def _kind(asked: Asked, kind: str) -> Page:
    if kind not in waits.KINDS:
        raise NotThere("There is no such page.")
    number = page_number(asked)
    pile = waits.pile(asked, kind, PAGE, (number - 1) * PAGE)
    if number > 1 and not pile.things:
        raise NotThere("There is no such page.")
    facts = {"piles": [pile], "one": True, "page": number, "pages": pages(pile.number)}
    return Page("home.html.j2", "What waits", facts)


def _see(asked: Asked, mail: str) -> Answer:
    if asked.given.get("csrf") == asked.csrf and is_number(mail):
        waits.see(asked, int(mail), alone=asked.given.get("alone") == "yes")
    return Led("/")


def page_number(asked: Asked) -> int:
    """Return the page number of the query, from 1. Raise NotThere."""
    number = asked.number("page", 1)
    if not number:
        raise NotThere("There is no such page.")
    return number


def pages(number: int) -> int:
    return max(1, -(-number // PAGE))


# --- what comes next, and the post ----------------------------------------------------------------


def _coming(asked: Asked, keys: Sequence[PeriodKey], *, look: bool) -> list[Coming]:
    clocks = overview.clocks(asked.work.conn, {key.game_id for key in keys})
    found = []
    for key in keys:
        game = clocks[key.game_id]
        when, now = game.look if look else game.due, asked.work.now
        if when:
            told = times.moment(when, game.zone, now) if look else times.deadline(game, when, now)
            found.append(Coming(game, key.number, told))
    return found


def _reached(asked: Asked, told: dict[str, Any]) -> str:
    zone, now = asked.work.config.referee.zone, asked.work.now
    when = times.moment(datetime.fromisoformat(told["reached"]), zone, now)
    return unproven.sentence(told, when.words)


def _post(asked: Asked) -> dict[str, Any]:
    conn, zone, now = asked.work.conn, asked.work.config.referee.zone, asked.work.now
    last = notes.memo(conn, "last_pass").get("at")
    outbox = mails.waiting(conn, asked.sight.playing)
    reached = unproven.last_reached(asked.work)
    going = (MailState.READY, MailState.LEASED, MailState.UNKNOWN)
    return {
        "last": times.moment(datetime.fromisoformat(last), zone, now) if last else None,
        "undecided": waiting.stored(conn).number,
        "unproven": _reached(asked, reached) if reached else "",
        "going": sum(outbox[one].number for one in going if one in outbox),
        "held": outbox[MailState.HELD].number if MailState.HELD in outbox else 0,
    }
