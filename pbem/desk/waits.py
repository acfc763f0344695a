"""What waits for a gamesmaster, most urgent first, with acts that settle it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from pbem.desk import game_waits, times
from pbem.desk.asked import Asked
from pbem.desk.spoken import spoken
from pbem.desk.things import Pile, Thing, Way
from pbem.desk.times import Moment
from pbem.errors import OperatorError
from pbem.games.frame.lateness import after_backup
from pbem.letters.states import LetterState
from pbem.post.frozen import Frozen
from pbem.referee.acts.act_values import MOMENT
from pbem.referee.deciding.trust import PROBABLY
from pbem.referee.gamesmaster import queue, standing_alarms
from pbem.store.games import games, overview
from pbem.store.games.game_rows import Holder
from pbem.store.games.overview import ClockRow, OpenSeatRow
from pbem.store.journal import notes
from pbem.store.letters import waiting
from pbem.store.letters.letter_rows import StuckRow
from pbem.store.mails import mails
from pbem.store.mails.mails import AlarmRow
from pbem.store.people import players

STILL = timedelta(hours=1)
"""Silence of a stopped referee."""
_NEWEST = 500
_ABOVE = ("amended", "newcomer", "protest", "question", "reported", "review")


def pile(asked: Asked, kind: str, most: int, first: int = 0) -> Pile:
    if kind in queue.ATTENTION:
        state = LetterState(kind)
        number = waiting.numbers(asked.work.conn, (state,), asked.sight.seen).get(state, 0)
        return _letters(asked, state, number, most, first)
    return _PILES[kind](asked, most, first)


def piles(asked: Asked, most: int) -> list[Pile]:
    counted = waiting.numbers(asked.work.conn, queue.ATTENTION, asked.sight.seen)
    found = [
        _PILES[one](asked, most, 0)
        if one in _PILES
        else _letters(asked, LetterState(one), counted.get(LetterState(one), 0), most, 0)
        for one in KINDS
    ]
    return [one for one in found if one.number]


# --- letters --------------------------------------------------------------------------------------


def _letters(asked: Asked, state: LetterState, number: int, most: int, first: int) -> Pile:
    conn, seen = asked.work.conn, asked.sight.seen
    if not number:
        return Pile(state, 0, ())
    ids = overview.pressing(conn, seen, state, first + most, max(_NEWEST, first + most))[first:]
    rows = overview.letters(conn, ids)
    clocks = overview.clocks(conn, {row.game_id for row in rows})
    return Pile(state, number, [_letter(asked, row, clocks) for row in rows], first)


def _letter(asked: Asked, row: overview.ListedRow, clocks: Mapping[str, ClockRow]) -> Thing:
    game = clocks.get(row.game_id)
    why = queue.unacceptable(row.seat, row.game_id, game.status if game else None)
    acceptable = row.outcome in queue.ACCEPTABLE and not why
    probably = acceptable and (row.reason or "").startswith(PROBABLY)
    holder = unknown_writer(asked, row.game_id, row.seat, row.sender) if probably else None
    return Thing(
        "letter",
        str(row.id),
        row,
        tuple(_letter_ways(row, game, holder, acceptable=acceptable)),
        _moment(asked, row.received, game),
        game,
        _closes(asked, game),
        {
            "not": why if row.outcome in queue.ACCEPTABLE else "",
            "whose": holder.name if holder else "",
            "writer": players.name_at(asked.work.conn, row.sender or ""),
        },
    )


def unknown_writer(asked: Asked, game: str, seat: str, sender: str | None) -> Holder | None:
    """Return the holder of the seat that an unregistered sender wrote for."""
    if not (seat and sender and asked.sight.looks_into(game)):
        return None
    if players.at_address(asked.work.conn, sender) is not None:
        return None
    return games.holders(asked.work.conn, game).get(seat)


def closed_before(outcome: LetterState, game: str, period: int) -> int:
    """Return the closed period that a late letter may have been meant for, or 0."""
    return period - 1 if outcome == LetterState.LATE and game and period > 1 else 0


def _letter_ways(
    row: overview.ListedRow, game: ClockRow | None, holder: Holder | None, *, acceptable: bool
) -> Iterable[Way]:
    letter = {"letter": row.id}
    if holder:
        yield Way("accept", {**letter, "seat": row.seat})
        yield Way("address", {"old": holder.address, "new": row.sender, "also": "yes"})
    elif acceptable:
        yield Way("accept", letter)
        if closed := closed_before(row.outcome, row.game_id, row.period):
            yield Way("rewind", {"game": row.game_id, "number": closed, "accept": row.id})
        backup = (game.restored_to, game.restored_until) if game else (None, None)
        if row.outcome == LetterState.HELD and after_backup(row.received, *backup):
            yield Way("accept", {"game": row.game_id})
    if row.outcome in (LetterState.FAILED, LetterState.UNFETCHABLE):
        yield Way("retry", letter)
    yield Way("dismiss", letter)


# --- games and seats ------------------------------------------------------------------------------


def _reviews(asked: Asked, most: int, first: int) -> Pile:
    keys = overview.in_review(asked.work.conn, asked.sight.seen)
    some = keys[first : first + most]
    clocks = overview.clocks(asked.work.conn, {key.game_id for key in some})
    things = [
        Thing(
            "review",
            key.game_id,
            {"bulletin": key.number - 1},
            (Way("release", {"game": key.game_id, "bulletin": key.number - 1}),),
            _moment(asked, clocks[key.game_id].opened, clocks[key.game_id]),
            clocks[key.game_id],
        )
        for key in some
    ]
    return Pile("review", len(keys), things, first)


def _stopped(asked: Asked, most: int, first: int) -> Pile:
    rows = overview.held(asked.work.conn, asked.sight.seen)
    some = rows[first : first + most]
    clocks = overview.clocks(asked.work.conn, {row.id for row in some})
    things = [
        Thing(
            "stopped",
            row.id,
            {"why": row.held_because},
            (Way("resume", {"game": row.id}),),
            _moment(asked, row.held_at, clocks[row.id]),
            clocks[row.id],
        )
        for row in some
    ]
    return Pile("stopped", len(rows), things, first)


def _seats(asked: Asked, most: int, first: int) -> Pile:
    conn = asked.work.conn
    rows = overview.open_seats(conn, asked.sight.seen, queue.SILENT)
    some = rows[first : first + most]
    clocks = overview.clocks(conn, {row.game_id for row in some})
    return Pile("seat", len(rows), [_seat(asked, row, clocks) for row in some], first)


def _seat(asked: Asked, row: OpenSeatRow, clocks: Mapping[str, ClockRow]) -> Thing:
    game, seat = clocks[row.game_id], {"game": row.game_id, "seat": row.seat}
    open_ = queue.offered(asked.work.conn, row)
    until = max((one.until for one in open_), default=None)
    return Thing(
        "seat",
        f"{row.game_id}-{row.seat}",
        row,
        (Way("replace", seat), Way("standby", {"game": row.game_id})),
        _moment(asked, row.quit or row.free, game),
        game,
        _closes(asked, game),
        {
            "offered": [one.name for one in open_],
            "until": _moment(asked, until, game),
            "asked_until": _moment(asked, row.asked_until, game),
        },
    )


# --- mail that does not arrive --------------------------------------------------------------------


def _stuck(asked: Asked, most: int, first: int) -> Pile:
    conn, seen = asked.work.conn, asked.sight.seen
    rows = mails.stuck(conn, seen, most, first)
    clocks = overview.clocks(conn, {row.game for row in rows})
    things = [_mail(asked, row, clocks.get(row.game)) for row in rows]
    if asked.sight.owner and len(rows) > 1:
        zone = ZoneInfo(asked.work.config.referee.zone)
        since = min(row.created for row in rows).astimezone(zone).strftime(MOMENT)
        way = Way("resend", {"all_refused": since})
        things[0] = replace(things[0], ways=(*things[0].ways, way))
    return Pile("mail", mails.stuck_number(conn, seen), things, first)


def _mail(asked: Asked, row: StuckRow, game: ClockRow | None) -> Thing:
    ways = (Way("resend", {"mail": row.id}), Way("address", {"old": row.recipient}))
    return Thing("mail", str(row.id), row, ways, _moment(asked, row.created, game), game)


def _addresses(asked: Asked, most: int, first: int) -> Pile:
    rows = players.troubled(asked.work.conn, among=asked.sight.seen)
    things = [
        Thing(
            "address",
            row.address,
            row,
            (
                Way("address", {"old": row.address}),
                Way("address", {"old": row.address, "works": "yes"}),
            ),
        )
        for row in rows[first : first + most]
    ]
    return Pile("address", len(rows), things, first)


# --- alarms ---------------------------------------------------------------------------------------


def _alarms(asked: Asked, most: int, first: int) -> Pile:
    now = _of_referee(asked) if asked.sight.owner else []
    return Pile("alarm", len(now), now[first : first + most], first)


def _news(asked: Asked, most: int, first: int) -> Pile:
    """Return his news, but for what waits above as a thing of its own."""
    told = standing_alarms.standing(asked.work, _whose(asked))
    rows = [row for row in told if standing_alarms.about(row) not in _ABOVE]
    some = standing_alarms.shown(asked.work.conn, rows[first : first + most])
    return Pile("news", len(rows), [_alarm(asked, row) for row in some], first)


def see(asked: Asked, mail: int, *, alone: bool) -> None:
    """Mark his news as seen up to ``mail``, or this alone."""
    if not alone:
        standing_alarms.see_all(asked.work, _whose(asked), mail)
        return
    with suppress(OperatorError):  # it is over, or was seen in another tab
        standing_alarms.see(asked.work, _whose(asked), mail)


def _whose(asked: Asked) -> str:
    return asked.who or asked.work.mark.gamesmaster


def _of_referee(asked: Asked) -> list[Thing]:
    conn, now = asked.work.conn, asked.work.now
    found = []
    last = notes.memo(conn, "last_pass")
    at = datetime.fromisoformat(last["at"]) if last else None
    if at is None or now - at > STILL:
        found.append(Thing("still", "still", None, (), _moment(asked, at, None)))
    for n, said in enumerate(last.get("trouble", ())):
        found.append(Thing("trouble", f"trouble-{n}", said, (), _moment(asked, at, None)))
    return found


def _restored(asked: Asked, most: int, first: int) -> Pile:
    """Return that the outbox waits since a restore: the last thing to do, after all others."""
    since = notes.memo(asked.work.conn, notes.RESTORED).get("since") if asked.sight.owner else None
    if not since:
        return Pile("restored", 0, ())
    ways = (Way("restore", {"release_outbox": "yes"}),)
    moment = _moment(asked, datetime.fromisoformat(since), None)
    return Pile("restored", 1, [Thing("restored", "restored", None, ways, moment)][first:], first)


def _alarm(asked: Asked, row: AlarmRow) -> Thing:
    said = {
        "subject": standing_alarms.subject(row),
        "text": spoken(asked.url, Frozen(row.raw).said),
    }
    return Thing("alarm", str(row.id), said, (), _moment(asked, row.created, None))


# --- tables that fill -----------------------------------------------------------------------------


def his_tables(asked: Asked) -> str | None:
    """Return whose tables he sees, or None for all."""
    return None if asked.sight.owner else asked.who


def _newcomers(asked: Asked, most: int, first: int) -> Pile:
    rows = overview.newcomers(asked.work.conn, his_tables(asked))
    things = [
        Thing(
            "newcomer",
            str(row.id),
            row,
            newcomer_ways(row.table, row.id),
            times.moment(row.came, row.zone, asked.work.now),
        )
        for row in rows[first : first + most]
    ]
    return Pile("newcomer", len(rows), things, first)


def newcomer_ways(table: str, applicant: int) -> tuple[Way, ...]:
    values = {"table": table, "applicant": applicant}
    return Way("approve", values), Way("refuse", values)


def _tables(asked: Asked, most: int, first: int) -> Pile:
    conn, now = asked.work.conn, asked.work.now
    rows = overview.filling(conn, his_tables(asked), most, first)
    things = [
        Thing(
            "table",
            row.id,
            row,
            (Way("close-table", {"table": row.id}),),
            closes=times.moment(row.closes, row.zone, now) if row.closes else None,
            facts={"starts": times.moment(row.starts, row.zone, now) if row.starts else None},
        )
        for row in rows
    ]
    return Pile("table", overview.filling_number(conn, his_tables(asked)), things, first)


# --- the table of the kinds -----------------------------------------------------------------------


_PILES: Mapping[str, Callable[[Asked, int, int], Pile]] = {
    "alarm": _alarms,
    "news": _news,
    "review": _reviews,
    "stopped": _stopped,
    "seat": _seats,
    "newcomer": _newcomers,
    "editor": game_waits.of_editor_letters,
    "protest": game_waits.of_protests,
    "question": game_waits.of_questions,
    "report": game_waits.of_reports,
    "amendment": game_waits.of_amendments,
    "mail": _stuck,
    "address": _addresses,
    "restored": _restored,
    "table": _tables,
}
KINDS = (
    "alarm",
    LetterState.FAILED,
    LetterState.HELD,
    LetterState.LATE,
    LetterState.UNVERIFIED,
    LetterState.UNANSWERED,
    LetterState.UNFETCHABLE,
    LetterState.QUARANTINE,
    "review",
    "stopped",
    "protest",
    "question",
    "report",
    "amendment",
    "seat",
    "newcomer",
    "editor",
    "mail",
    "address",
    "restored",
    "table",
    "news",
)
DECIDED = tuple(kind for kind in KINDS if kind not in ("table", "news"))


def decisions(pile: Pile) -> int:
    """Return how many of its things wait for his decision: no news and no alarms."""
    return pile.number if pile.kind in DECIDED and pile.kind != "alarm" else 0


def _closes(asked: Asked, game: ClockRow | None) -> Moment | None:
    return times.deadline(game, game.due, asked.work.now) if game and game.due else None


def _moment(asked: Asked, when: datetime | None, game: ClockRow | None) -> Moment | None:
    zone = game.zone if game else asked.work.config.referee.zone
    return times.moment(when, zone, asked.work.now) if when else None
