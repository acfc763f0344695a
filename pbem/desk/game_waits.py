"""What waits in games besides seats: protests and questions of players, adopted amendments."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from pbem.desk import times
from pbem.desk.asked import Asked
from pbem.desk.things import Pile, Thing, Way
from pbem.games.frame.ruleset import Amends
from pbem.orders.spelling import is_count
from pbem.periods import amendments
from pbem.store.games import club, games, inquiries, overview, press
from pbem.store.games.inquiries import Inquiry, Protest
from pbem.store.games.press import Report
from pbem.store.schema.states import GameState

_Written = TypeVar("_Written", Protest, Inquiry, Report)


def of_protests(asked: Asked, most: int, first: int) -> Pile:
    def shown(one: Protest) -> tuple[str, tuple[Way, ...]]:
        settle = Way("settle", {"game": one.game_id, "seat": one.seat})
        rewind = Way("rewind", {"game": one.game_id, "number": one.bulletin})
        ways = (settle, rewind) if one.bulletin else (settle,)  # before period 1 is nothing
        return f"{one.game_id}-{one.seat}", ways

    return _pile(asked, "protest", inquiries.protests(asked.work.conn), shown, most, first)


def of_questions(asked: Asked, most: int, first: int) -> Pile:
    def shown(one: Inquiry) -> tuple[str, tuple[Way, ...]]:
        return str(one.letter), (Way("answer", {"letter": one.letter}),)

    return _pile(asked, "question", inquiries.everywhere(asked.work.conn), shown, most, first)


def of_reports(asked: Asked, most: int, first: int) -> Pile:
    """Return press that players have reported, in games that run."""

    def shown(one: Report) -> tuple[str, tuple[Way, ...]]:
        author = {"game": one.game_id, "seat": one.author}
        ways = (Way("warn", author), Way("suspend", author))
        return f"{one.game_id}-{one.press}-{one.seat}", ways

    return _pile(asked, "report", press.reports(asked.work.conn), shown, most, first)


def leave(asked: Asked, key: str) -> None:
    """Let a reported press, or an answer to his own, be, by its thing's key."""
    if is_count(key) and (own := inquiries.of_letter(asked.work.conn, int(key))):
        if own.press and asked.sight.looks_into(own.game_id):
            inquiries.end(asked.work.conn, own.letter)
        return
    for one in press.reports(asked.work.conn):
        named = f"{one.game_id}-{one.press}-{one.seat}"
        if named == key and asked.sight.looks_into(one.game_id):
            press.settle_report(asked.work.conn, one.game_id, one.author, one.press)


def of_editor_letters(asked: Asked, most: int, first: int) -> Pile:
    rows = [one for one in club.editor_letters(asked.work.conn) if not one.printed]
    zone, now = asked.work.config.referee.zone, asked.work.now
    things = [
        Thing(
            "editor",
            str(one.number),
            one,
            tuple(Way(act, {"number": one.number}) for act in ("print-letter", "reject-letter")),
            times.moment(one.since, zone, now) if one.since else None,
        )
        for one in (rows[first : first + most] if asked.sight.owner else ())
    ]
    return Pile("editor", len(rows) if asked.sight.owner else 0, things, first)


def _pile(
    asked: Asked,
    what: str,
    written: Sequence[_Written],
    shown: Callable[[_Written], tuple[str, tuple[Way, ...]]],
    most: int,
    first: int,
) -> Pile:
    """Return what players wrote in games he may look into. shown: its key, and what ends it."""
    rows = [one for one in written if asked.sight.looks_into(one.game_id)]
    clocks = overview.clocks(asked.work.conn, {one.game_id for one in rows})
    things = [
        Thing(
            what,
            shown(one)[0],
            one,
            shown(one)[1],
            times.moment(one.since, clocks[one.game_id].zone, asked.work.now),
            clocks[one.game_id],
            facts={"player": games.holders(asked.work.conn, one.game_id)[one.seat].name},
        )
        for one in rows[first : first + most]
    ]
    return Pile(what, len(rows), things, first)


def of_amendments(asked: Asked, most: int, first: int) -> Pile:
    things = list(_amendments(asked))
    return Pile("amendment", len(things), things[first : first + most], first)


def _amendments(asked: Asked) -> Iterator[Thing]:
    conn = asked.work.conn
    for game_id in games.by_deadline(conn, GameState.RUNNING, GameState.HELD):
        if not (asked.sight.lists(game_id) and asked.sight.looks_into(game_id)):
            continue
        at = games.begun(conn, game_id)
        if at is None or not isinstance(at.ruleset, Amends):
            continue
        for number in amendments.waiting(at):
            way = Way("amended", {"game": game_id, "number": number})
            clock = overview.clocks(conn, {game_id})[game_id]
            one = amendments.adopted(at, number)
            yield Thing("amendment", f"{game_id}-{number}", one, (way,), None, clock)
