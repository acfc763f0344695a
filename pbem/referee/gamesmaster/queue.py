"""The gamesmaster's queue: what waits, how to release it, who is in or missing.

The number of statements is constant; only shown games are opened.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from pbem.errors import OperatorError
from pbem.games.frame.adjudication import owed, reread
from pbem.games.frame.codec import Json
from pbem.games.frame.lateness import after_backup
from pbem.letters.states import LetterState
from pbem.periods import amendments, publishing
from pbem.post import blocked, delivery
from pbem.post.work import Work
from pbem.referee.deciding import unproven
from pbem.referee.gamesmaster import standing_alarms
from pbem.referee.gamesmaster.sight import Sight
from pbem.store.games import club, games, inquiries, order_sets, overview
from pbem.store.games.game_rows import GameRow, Tally
from pbem.store.games.games import GameAt
from pbem.store.games.inquiries import Inquiry, Protest
from pbem.store.games.overview import OpenSeatRow
from pbem.store.joining import offers
from pbem.store.joining.offers import OfferRow
from pbem.store.journal import notes
from pbem.store.letters import waiting
from pbem.store.letters.letter_rows import BacklogRow, QueueRow
from pbem.store.mails import mails
from pbem.store.people import deputies, player_records
from pbem.store.schema.states import DeputyState, GameState, PeriodState
from pbem.store.schema.tables import OrderSet

ATTENTION = (
    LetterState.HELD,
    LetterState.QUARANTINE,
    LetterState.FAILED,
    LetterState.UNFETCHABLE,
    LetterState.UNVERIFIED,
    LetterState.LATE,
    LetterState.UNANSWERED,
)
ACCEPTABLE = (LetterState.UNVERIFIED, LetterState.HELD, LetterState.LATE)
PAGE = 20
OR = "   or  "
_NOT_OVER = (GameState.RUNNING, GameState.HELD, GameState.WAITING)
_MOST = 200
"""Letters listed, and mails."""
SILENT = 2
"""Moves missed in a row."""
_AT_ONCE = 200
_NO_PERIOD: Json = {
    "phase": "",
    "deadline": None,
    "in": [],
    "missing": {},
    "review": False,
    "amendments": [],
}


def queue(
    work: Work, game_id: str | None = None, page: int | None = None, who: str | None = None
) -> Json:
    """Return all that a gamesmaster sees, as JSON (times ISO, UTC). Raise OperatorError if not his
    game.

    page: from 1; None for all games. who: his address; None for the shell, which sees all games.
    Letters and mails without a game are the installation's gamesmaster's.

    ``release`` is a shell command, ``words`` a mail's.
    """
    sight, conn = Sight(work, who), work.conn
    ids = _ids(sight, game_id)
    first = (page - 1) * PAGE if page else 0
    if page is not None and (page < 1 or (first and first >= len(ids))):
        raise OperatorError(f"there is no page {page}; the last is {max(1, -(-len(ids) // PAGE))}")
    shown = ids[first : first + PAGE] if page else ids
    found, stuck = _letters(sight, game_id), _mails(sight)
    outbox = mails.waiting(conn, sight.playing) if sight.owner else {}
    listed = list(_games(sight, shown))
    undecided = waiting.stored(conn) if sight.owner else BacklogRow(0, None)
    return {
        "now": work.now.isoformat(),
        "games": listed,
        "first": first + 1,
        "number": {
            "games": len(ids),
            "letters": sum(waiting.numbers(conn, ATTENTION, sight.seen, game_id).values()),
            "mails": mails.stuck_number(conn, sight.seen),
        },
        "letters": found,
        "waits": [one for one in _waits(sight) if game_id in (None, one["game"])]
        + list(_adopted(sight, listed))
        + (list(_newcomers(sight)) if game_id is None else [])
        + (list(_to_the_editor(sight)) if game_id is None else []),
        "undecided": _backlog("letters", undecided),
        "outbox": {state: _backlog("mails", backlog) for state, backlog in outbox.items()},
        "alarms": standing_alarms.listed(work, who or work.mark.gamesmaster, _MOST)
        if game_id is None
        else [],
        "mails": stuck,
        "delivery_trouble": _trouble(sight),
        "last_pass": notes.memo(conn, "last_pass") if sight.owner else {},
        "unproven": unproven.last_reached(work) if sight.owner else {},
        "blocked": _blocked(conn) if sight.owner else None,
        "restored": notes.memo(conn, notes.RESTORED).get("since") if sight.owner else None,
    }


def _blocked(conn: Connection) -> Json | None:
    found = blocked.read(conn)
    return found and {"since": found.since.isoformat(), "reply": found.reply}


def _ids(sight: Sight, game_id: str | None) -> list[str]:
    """Return the games to show. Raise OperatorError if game_id is not his."""
    if game_id is None:
        return [one for one in games.by_deadline(sight.conn, *_NOT_OVER) if sight.lists(one)]
    one = games.game(sight.conn, game_id).id
    if not sight.lists(one):
        raise OperatorError(f"you are not the gamesmaster of {game_id}")
    return [one]


# --- the games ------------------------------------------------------------------------------------


def _games(sight: Sight, ids: Sequence[str]) -> Iterator[Json]:
    conn = sight.conn
    for first in range(0, len(ids), _AT_ONCE):
        some = ids[first : first + _AT_ONCE]
        standing = order_sets.newest_sets(conn, some)
        tallies = player_records.tallies(conn, some)
        away = _away(conn, some)
        for row, table in games.several(conn, some):
            told = _game_facts(sight, row)
            whole = sight.looks_into(row.id)
            gone = {"away": away[row.id]} if whole else {}
            yield told | _stands(table, standing[row.id], tallies[row.id], whole=whole) | gone


def _game_facts(sight: Sight, row: GameRow) -> Json:
    return {
        "id": row.id,
        "ruleset": row.ruleset,
        "gamesmaster": row.gamesmaster or sight.work.mark.gamesmaster,
        "status": row.status,
        "held_because": row.held_because,
        "period": row.period,
    }


def _stands(
    table: Callable[[], GameAt | None],
    sets: Mapping[str, OrderSet],
    tallies: Mapping[str, Tally],
    *,
    whole: bool,
) -> Json:
    """Return a game's state. whole: False for what its players may know."""
    try:
        at = table()
        if at is None:
            return _NO_PERIOD
        return _NO_PERIOD | _public(at) | (_secret(at, sets, tallies) if whole else {})
    except DBAPIError:
        raise
    except Exception as error:  # show the other games; the message may hold a secret
        return _NO_PERIOD | {"phase": f"(its record cannot be read: {type(error).__name__})"}


def _secret(at: GameAt, sets: Mapping[str, OrderSet], tallies: Mapping[str, Tally]) -> Json:
    is_open = at.period.status == PeriodState.OPEN
    standing = {
        seat: reread(at.ruleset, sets[seat].orders) for seat in at.seats if is_open and seat in sets
    }
    running = at.game.status in (GameState.RUNNING, GameState.HELD) and is_open
    still = owed(at.ruleset, at.state, at.seats, standing) if running else {}
    return {
        "in": sorted(standing),
        "missing": {seat: list(slots) for seat, slots in still.items() if slots},
        "players": {seat: holder.name for seat, holder in at.holders.items()},
        "missed": {seat: holder.missed for seat, holder in at.holders.items() if holder.missed},
        "quits": {
            seat: holder.quits.isoformat() for seat, holder in at.holders.items() if holder.quits
        },
        "record": {seat: tally._asdict() for seat, tally in tallies.items()},
    }


def _away(conn: Connection, ids: Sequence[str]) -> dict[str, dict[str, list[str]]]:
    told: dict[str, dict[str, list[str]]] = {game_id: {} for game_id in ids}
    for who in deputies.live(conn):
        if who.game_id in told and who.state != DeputyState.ASKED:
            ends = f" to {who.last:%Y-%m-%d %H:%M} UTC" if who.last else ""
            said = f"deputy {who.reaches} from {who.first:%Y-%m-%d %H:%M}{ends}"
            told[who.game_id].setdefault(who.seat, []).append(said)
    return told


def _public(at: GameAt) -> Json:
    due = at.period.due
    return {
        "phase": at.period.phase,
        "deadline": due.isoformat() if due else None,
        "deadline_text": publishing.deadline_text(at),
        "review": at.period.status == PeriodState.REVIEW,
        "amendments": amendments.waiting(at),
    }


# --- what waits -----------------------------------------------------------------------------------


def _waits(sight: Sight) -> Iterator[Json]:
    conn, seen = sight.conn, sight.seen
    for game_id, number in overview.in_review(conn, seen):
        yield {
            "what": "review",
            "game": game_id,
            "bulletin": number - 1,
            "release": f"pbem preview {game_id};  pbem release {game_id}",
            "words": f"the lines GAME {game_id}, PERIOD {number}, RELEASE",
        }
    for row in overview.held(conn, seen):
        yield {
            "what": "held",
            "game": row.id,
            "why": row.held_because,
            "since": row.held_at.isoformat() if row.held_at else None,
            "release": f"pbem resume {row.id}",
            "words": f"the lines GAME {row.id}, PERIOD {row.period}, RESUME",
        }
    yield from _protests(sight)
    yield from _questions(sight)
    rows = overview.open_seats(conn, seen, SILENT)
    leaving = [(row.quit, row) for row in rows if row.quit]
    for since, one in sorted(leaving, key=itemgetter(0)):
        yield _seat("quits", one, since=since.isoformat(), offered=_offered(conn, one))
    free = [(row.free, row) for row in rows if row.free and not row.quit]
    for since, one in sorted(free, key=itemgetter(0)):
        yield _seat("free", one, why=one.why, since=since.isoformat(), offered=_offered(conn, one))
    for one in sorted(rows, key=lambda one: -one.missed):
        if one.status == GameState.RUNNING and (one.missed >= SILENT or one.asked_until):
            until = one.asked_until.isoformat() if one.asked_until else None
            yield _seat("silent", one, missed=one.missed, asked_until=until)


def _protests(sight: Sight) -> Iterator[Json]:
    for one in inquiries.protests(sight.conn):
        said = f"settle {one.game_id} {one.seat}"
        words = f"the lines GAME {one.game_id}, SETTLE {one.seat} your answer"
        yield from _written(sight, "protest", one, {"bulletin": one.bulletin}, said, words)


def _questions(sight: Sight) -> Iterator[Json]:
    for one in inquiries.everywhere(sight.conn):
        said, words = f"answer {one.letter} 'your answer'", f"ANSWER {one.letter} your answer"
        yield from _written(sight, "question", one, {"letter": one.letter}, said, words)


def _written(
    sight: Sight, what: str, one: Protest | Inquiry, which: Json, said: str, words: str
) -> Iterator[Json]:
    if sight.looks_into(one.game_id):
        yield {
            "what": what,
            "game": one.game_id,
            "seat": one.seat,
            **which,
            "text": one.text,
            "since": one.since.isoformat(),
            "release": f"pbem {said}",
            "words": words,
        }


def offered(conn: Connection, row: OpenSeatRow) -> list[OfferRow]:
    made = offers.open_offers(conn, row.game_id) if row.free else ()
    return [one for one in made if one.seat == row.seat and row.free and one.made >= row.free]


def _offered(conn: Connection, row: OpenSeatRow) -> list[Json]:
    return [
        {"to": one.name, "until": one.until.isoformat(), "alone": one.alone}
        for one in offered(conn, row)
    ]


def _adopted(sight: Sight, told: Iterable[Json]) -> Iterator[Json]:
    for game in told:
        for number in game["amendments"] if sight.looks_into(game["id"]) else ():
            act, period = f"pbem amended {game['id']} {number}", game["period"]
            yield {
                "what": "amendment",
                "game": game["id"],
                "amendment": number,
                "release": f"{act} 'OPTION NAME=VALUE'{OR}{act} 'BY HAND'",
                "words": (
                    f"the lines GAME {game['id']}, PERIOD {period},"
                    f" AMENDED {number} OPTION NAME=VALUE{OR}AMENDED {number} BY HAND"
                ),
            }


def _newcomers(sight: Sight) -> Iterator[Json]:
    for one in overview.newcomers(sight.conn, None if sight.owner else sight.who):
        who = f"{one.table} {one.id}"
        yield {
            "what": "newcomer",
            "game": one.table,
            "name": one.name,
            "since": one.came.isoformat(),
            "release": f"pbem approve {who}{OR}pbem refuse {who}",
            "words": f"ADMIT {who}{OR}REFUSE {who}",
        }


def _to_the_editor(sight: Sight) -> Iterator[Json]:
    """Yield letters to the paper that wait."""
    for one in club.editor_letters(sight.conn) if sight.owner else ():
        if not one.printed:
            yield {
                "what": "editor",
                "game": one.game_id,
                "number": one.number,
                "name": one.signed,
                "text": one.text,
                "release": f"pbem print-letter {one.number}{OR}pbem reject-letter {one.number}",
                "words": f"PRINT {one.number}{OR}REJECT {one.number}",
            }


def _seat(what: str, row: OpenSeatRow, **facts: Any) -> Json:
    game, seat = row.game_id, row.seat
    return {
        "what": what,
        "game": game,
        "seat": seat,
        **facts,
        "release": f"pbem standby {game} ADDRESS{OR}pbem replace {game} {seat} ADDRESS",
        "words": f"the lines GAME {game}, STANDBY address",
    }


def _letters(sight: Sight, game_id: str | None) -> list[Json]:
    return [
        {
            "id": row.id,
            "outcome": row.outcome,
            "reason": row.reason,
            "sender": row.sender,
            "game": row.game_id,
            "seat": row.seat,
            "received": row.received.isoformat(),
            "release": release(row),
            "words": words(row),
        }
        for row in waiting.newest(sight.conn, ATTENTION, sight.seen, _MOST, game_id)
    ]


def release(row: QueueRow) -> str:
    """Return the shell command that takes a letter out of the queue."""
    if _acceptable(row):
        restored = (
            row.outcome == LetterState.HELD
            and row.game_id
            and row.period
            and after_backup(row.received, row.restored_to, row.restored_until)
        )
        together = f"pbem accept --game {row.game_id}{OR}" if restored else ""
        return f"{together}pbem accept {row.id}{OR}pbem dismiss {row.id}"
    if row.outcome == LetterState.FAILED:
        return f"pbem letter --id {row.id}   (why);  pbem retry {row.id}"
    if row.outcome == LetterState.UNFETCHABLE:
        return f"pbem retry {row.id}{OR}pbem dismiss {row.id}"
    return f"pbem letter --id {row.id}   (why);  pbem dismiss {row.id}"


def words(row: QueueRow) -> str:
    """Return the words of a mail that do so."""
    if _acceptable(row):
        return f"ACCEPT {row.id}{OR}DISMISS {row.id}"
    if row.outcome in (LetterState.FAILED, LetterState.UNFETCHABLE):
        return f"RETRY {row.id}{OR}DISMISS {row.id}"
    return f"DISMISS {row.id}"


def _acceptable(row: QueueRow) -> bool:
    return row.outcome in ACCEPTABLE and not unacceptable(row.seat, row.game_id, row.status)


def unacceptable(seat: str, game_id: str, status: GameState | None) -> str:
    """Return why a letter would have no effect even if believed, or ""."""
    if not seat:
        return "does not say for which seat it is; its sender has to write again"
    if game_id and status == GameState.OVER:
        return f"is too late: game {game_id} is over"
    return (
        f"must wait: game {game_id} has not begun"
        if game_id and status == GameState.WAITING
        else ""
    )


def _backlog(what: str, found: BacklogRow) -> Json:
    return {what: found.number, "oldest": found.oldest.isoformat() if found.oldest else None}


def _mails(sight: Sight) -> list[Json]:
    gone = {one["address"] for one in delivery.trouble(sight.conn) if one["hard"]}
    told = []
    for row in mails.stuck(sight.conn, sight.seen, _MOST):
        by_shell, by_mail = f"pbem resend {row.id}", f"RESEND {row.id}"
        if row.recipient in gone:
            by_shell = f"pbem address {row.recipient} NEW{OR}{by_shell}"
            by_mail = f"ADDRESS {row.recipient} new@address{OR}{by_mail}"
        plain = row._asdict() | {"created": row.created.isoformat()}
        told.append({**plain, "release": by_shell, "words": by_mail})
    return told


def _trouble(sight: Sight) -> list[Json]:
    """Return his players' addresses that mail does not reach, and those of no game."""
    told = []
    for one in delivery.trouble(sight.conn, among=sight.seen):
        by_mail = f"ADDRESS {one['address']} new@address{OR}ADDRESS {one['address']} WORKS"
        told.append({**one, "words": by_mail})
    return told
