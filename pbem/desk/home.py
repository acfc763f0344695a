"""The first page: what waits. ``/?kind=held`` pages through one kind."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any

from pbem.desk.asked import Answer, Asked, Led, NotThere, Page
from pbem.desk.times import Moment
from pbem.errors import OperatorError
from pbem.orders.spelling import is_number
from pbem.referee.deciding import senders
from pbem.referee.gamesmaster import waits
from pbem.store.games import overview
from pbem.store.journal import notes
from pbem.store.letters import letters
from pbem.store.mails import mails
from pbem.store.schema.states import GameState, MailState
from pbem.store.schema.tables import Game

FIRST, PAGE, NEXT = 5, 25, 5
"""Things of a kind on the first page and its own, and coming deadlines."""


def page(asked: Asked) -> Answer:
    """Return what waits. If posted, mark the news as seen, or let a thing be."""
    seen, left, kind = (asked.given.get(name, "") for name in ("seen", "left", "kind"))
    if seen or left:
        if asked.given.get("csrf") == asked.csrf:
            _settle(asked, seen, left)
        return Led("/")
    if kind:
        return _kind(asked, kind)
    piles = waits.piles(asked.sight, FIRST)
    counted = Game.by(asked.work.conn, Game.status, asked.sight.seen.shown(Game.id))
    facts = {
        "number": sum(one.decisions for one in piles),
        "one": False,
        "undecided": waits.UNDECIDED,
        "post": _post(asked) if asked.sight.owner else None,
        "deadlines": _coming(asked),
        "games": {state.value: counted.get(state, 0) for state in GameState},
    }
    return _shown(asked, piles, facts)


def _settle(asked: Asked, seen: str, left: str) -> None:
    work, who = asked.work, asked.sight.address
    if left:
        waits.leave(asked.sight, left)
    elif is_number(seen) and asked.given.get("alone") != "yes":
        waits.see_all(work, who, int(seen))
    elif is_number(seen):
        with suppress(OperatorError):  # it is over, or was seen in another tab
            waits.see(work, who, int(seen))


def _kind(asked: Asked, kind: str) -> Page:
    if kind not in waits.KINDS:
        raise NotThere("There is no such page.")
    number = page_number(asked)
    pile = waits.pile(asked.sight, kind, PAGE, (number - 1) * PAGE)
    if number > 1 and not pile.things:
        raise NotThere("There is no such page.")
    return _shown(asked, [pile], {"one": True, "page": number, "pages": pages(pile.number)})


def _shown(asked: Asked, piles: Sequence[waits.Pile], facts: dict[str, Any]) -> Page:
    named = {thing.game for pile in piles for thing in pile.things} - {""}
    facts |= {"piles": piles, "clocks": overview.clocks(asked.work.conn, named)}
    return Page("home.html.j2", "What waits", facts)


def page_number(asked: Asked) -> int:
    """Return the page number of the query, from 1. Raise NotThere."""
    number = asked.number("page", 1)
    if not number:
        raise NotThere("There is no such page.")
    return number


def pages(number: int) -> int:
    return max(1, -(-number // PAGE))


def _coming(asked: Asked) -> list[tuple[str, int, Moment | None]]:
    """Return games and their periods, and when each closes."""
    work = asked.work
    keys = overview.next_deadlines(work.conn, asked.sight.seen, work.now, NEXT)
    clocks = overview.clocks(work.conn, {key.game_id for key in keys})
    return [(key.game_id, key.number, asked.closes(clocks[key.game_id])) for key in keys]


def _post(asked: Asked) -> dict[str, Any]:
    conn = asked.work.conn
    last = notes.memo(conn, "last_pass").get("at")
    outbox = mails.waiting(conn, asked.sight.playing)
    reached = senders.last_reached(asked.work)
    full = asked.moment(datetime.fromisoformat(reached["reached"])) if reached else None
    going = (MailState.READY, MailState.LEASED, MailState.UNKNOWN)
    return {
        "last": asked.moment(datetime.fromisoformat(last)) if last else None,
        "undecided": letters.stored(conn).number,
        "unproven": senders.sentence(reached, full.words) if full else "",
        "going": sum(outbox[one].number for one in going if one in outbox),
        "held": outbox[MailState.HELD].number if MailState.HELD in outbox else 0,
    }
