"""The gamesmaster's queue: who is in, who is missing, what is held and the command that releases
each."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, func, select
from sqlalchemy.exc import DBAPIError

from pbem import text as typeset
from pbem.games.frame.adjudication import owed
from pbem.games.frame.codec import Json
from pbem.games.frame.lateness import after_backup
from pbem.letters.states import LetterState
from pbem.periods import publishing
from pbem.post import delivery
from pbem.post.work import Work
from pbem.store import games, notes, order_sets
from pbem.store.records import Game, Letter, Outgoing
from pbem.store.states import GameState, MailState, PeriodState
from pbem.text import safe

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
_RELEASE = {
    LetterState.FAILED: "pbem letter --id {id}   (why);  pbem retry {id}",
    LetterState.UNFETCHABLE: "pbem retry {id}   or  pbem dismiss {id}",
}

_NO_PERIOD: Json = {"phase": "", "deadline": None, "in": [], "missing": {}, "review": False}


def queue(work: Work, game_id: str | None = None) -> Json:
    """Everything a gamesmaster looks at, as plain JSON (times in ISO form, UTC)."""
    wanted = (
        [Game.status.in_((GameState.RUNNING, GameState.HELD, GameState.WAITING))]
        if game_id is None
        else [Game.id == game_id]
    )
    if game_id is not None:
        games.game(work.conn, game_id)
    ids = work.conn.execute(select(Game.id).where(*wanted).order_by(Game.created)).scalars().all()
    return {
        "now": work.now.isoformat(),
        "games": [_game(work.conn, one) for one in ids],
        "letters": _letters(work.conn, game_id),
        "undecided": _undecided(work.conn),
        "outbox": _outbox(work.conn),
        "mails": _mails(work.conn),
        "delivery_trouble": delivery.trouble(work.conn),
        "last_pass": notes.memo(work.conn, "last_pass"),
        "restored": notes.memo(work.conn, notes.RESTORED).get("since"),
    }


def _game(conn: Connection, game_id: str) -> Json:
    row = games.game(conn, game_id)
    told = {
        "id": row.id,
        "ruleset": row.ruleset,
        "status": row.status,
        "held_because": row.held_because,
        "period": row.period,
    }
    if not row.period:
        return told | _NO_PERIOD
    try:
        at = games.table(conn, game_id)
    except DBAPIError:
        raise
    except (
        Exception
    ) as error:  # the other games are looked at all the same; what it says may show a secret
        return told | _NO_PERIOD | {"phase": f"(its record cannot be read: {type(error).__name__})"}
    standing = order_sets.all_standing(conn, at) if at.period.status == PeriodState.OPEN else {}
    still = owed(at.ruleset, at.state, at.seats, standing)
    running = (
        row.status in (GameState.RUNNING, GameState.HELD) and at.period.status == PeriodState.OPEN
    )
    due = at.period.due
    return told | {
        "phase": at.period.phase,
        "deadline": due.isoformat() if due else None,
        "deadline_text": publishing.deadline_text(at),
        "in": sorted(standing),
        "missing": {seat: list(slots) for seat, slots in still.items() if slots} if running else {},
        "review": at.period.status == PeriodState.REVIEW,
        "players": {seat: holder.name for seat, holder in at.holders.items()},
        "missed": {seat: holder.missed for seat, holder in at.holders.items() if holder.missed},
        "quits": {
            seat: holder.quits.isoformat() for seat, holder in at.holders.items() if holder.quits
        },
    }


def _letters(conn: Connection, game_id: str | None) -> list[Json]:
    where: list[Any] = [Letter.outcome.in_(ATTENTION)]
    if game_id is not None:
        where.append(Letter.game_id == game_id)
    rows = conn.execute(
        select(
            Letter.id,
            Letter.outcome,
            Letter.reason,
            Letter.sender,
            Letter.game_id,
            Letter.seat,
            Letter.received,
            Game.status,
            Game.restored_to,
            Game.restored_until,
        )
        .outerjoin(Game, Game.id == Letter.game_id)
        .where(*where)
        .order_by(Letter.id.desc())
        .limit(200)
    ).all()
    return [
        {
            "id": row.id,
            "outcome": row.outcome,
            "reason": row.reason,
            "sender": row.sender,
            "game": row.game_id,
            "seat": row.seat,
            "received": row.received.isoformat(),
            "release": _release(row),
        }
        for row in rows
    ]


def _release(row: Any) -> str:
    """The command that brings a letter out of the queue."""
    if row.outcome in ACCEPTABLE and not unacceptable(row.seat, row.game_id, row.status):
        restored = (
            row.outcome == LetterState.HELD
            and row.game_id
            and after_backup(row.received, row.restored_to, row.restored_until)
        )
        together = f"pbem accept --game {row.game_id}   or  " if restored else ""
        return f"{together}pbem accept {row.id}   or  pbem dismiss {row.id}"
    return _RELEASE.get(row.outcome, "pbem letter --id {id}   (why);  pbem dismiss {id}").format(
        id=row.id
    )


def unacceptable(seat: str, game_id: str, status: GameState | None) -> str:
    """Why a letter would have no effect although it were believed; "" where it would have."""
    if not seat:
        return "does not say for which seat it is; its sender has to write again"
    if game_id and status == GameState.OVER:
        return f"is too late: game {game_id} is over"
    return (
        f"must wait: game {game_id} has not begun"
        if game_id and status == GameState.WAITING
        else ""
    )


def _undecided(conn: Connection) -> Json:
    row = conn.execute(
        select(func.count(Letter.id), func.min(Letter.received)).where(
            Letter.outcome == LetterState.STORED
        )
    ).one()
    return {"letters": row[0], "oldest": row[1].isoformat() if row[1] else None}


def _outbox(conn: Connection) -> Json:
    waiting = (
        MailState.READY,
        MailState.LEASED,
        MailState.UNKNOWN,
        MailState.HELD,
        MailState.REFUSED,
    )
    rows = conn.execute(
        select(Outgoing.state, func.count(Outgoing.id), func.min(Outgoing.created))
        .where(Outgoing.state.in_(waiting))
        .group_by(Outgoing.state)
    ).all()
    return {state: {"mails": count, "oldest": oldest.isoformat()} for state, count, oldest in rows}


def _mails(conn: Connection) -> list[Json]:
    """Mails that only a person can send again: refused for good, or in doubt after a second try."""
    in_doubt = Outgoing.state.in_((MailState.UNKNOWN, MailState.LEASED)) & Outgoing.resent
    stuck = (Outgoing.state == MailState.REFUSED) | in_doubt
    rows = conn.execute(
        select(Outgoing.id, Outgoing.key, Outgoing.recipient, Outgoing.state, Outgoing.reply)
        .where(stuck)
        .order_by(Outgoing.id.desc())
        .limit(200)
    ).all()
    gone = {one["address"] for one in delivery.trouble(conn) if one["hard"]}
    address = {
        row.id: f"pbem address {row.recipient} NEW   or  " * (row.recipient in gone) for row in rows
    }
    return [{**row._mapping, "release": f"{address[row.id]}pbem resend {row.id}"} for row in rows]


def text(told: Json) -> str:
    """The queue as plain text, for the digest by mail."""
    lines = []
    for game in told["games"]:
        held = f" HELD: {safe(game['held_because'])}" if game["status"] == "held" else ""
        review = f" (a bulletin waits: pbem release {game['id']})" if game["review"] else ""
        lines.append(
            f"{game['id']}: {game['ruleset']}, {game['status']}{held}{review}, period"
            f" {game['period']} {game['phase']}"
        )
        if held:
            by_mail = f"GAME {game['id']}, PERIOD {game['period']}, RESUME"
            lines.append(f"    to go on: pbem resume {game['id']}; by mail the lines {by_mail}")
        if game.get("deadline_text"):
            lines.append(f"    deadline: {game['deadline_text']}")
        if game.get("in"):
            lines.append(f"    in: {', '.join(game['in'])}")
        lines.extend(
            f"    missing: {seat}: {', '.join(slots)}" for seat, slots in game["missing"].items()
        )
        for seat, since in game.get("quits", {}).items():
            lines.append(
                f"    {seat} asks to be relieved since {_minute(since)}: pbem standby {game['id']}"
                " ADDRESS"
            )
    for letter in told["letters"]:
        who = safe(letter["sender"]) or "?"
        lines.append(
            f"letter {letter['id']}: {letter['outcome']} from {who}: {safe(letter['reason'])}"
        )
        lines.append(f"    {letter['release']}")
    undecided = told["undecided"]
    if undecided["letters"]:
        count = (
            "1 letter is" if undecided["letters"] == 1 else f"{undecided['letters']} letters are"
        )
        lines.append(f"{count} undecided, the oldest of {_minute(undecided['oldest'])}")
    lines.extend(
        f"outbox: {n['mails']} {state}, the oldest of {_minute(n['oldest'])}"
        for state, n in told["outbox"].items()
    )
    if told["restored"]:
        since = _minute(told["restored"])
        lines.append(
            f"no mail goes out since the restore of {since}: look, then `pbem restore"
            " --release-outbox`"
        )
    for mail in told["mails"]:
        lines.append(
            f"mail {mail['id']} to {mail['recipient']}: {mail['state']}: {safe(mail['reply'])}"
        )
        lines.append(f"    {mail['release']}")
    for one in told["delivery_trouble"]:
        counts = f"{one['soft']} soft, {one['hard']} hard; {safe(one['last'])}"
        lines.append(f"delivery trouble: {one['address']} ({safe(one['player'])}): {counts}")
        lines.append(f"    {one['release']}")
    return "\n".join(map(_filled, lines)) + "\n" if lines else "Nothing waits.\n"


def _minute(moment: str) -> str:
    return f"{datetime.fromisoformat(moment):%Y-%m-%d %H:%M} UTC"


def _filled(line: str) -> str:
    """A line within its columns, but for commands: those are there to be copied."""
    said = line.strip()
    return line if said.startswith("pbem ") else typeset.wrap(said, len(line) - len(line.lstrip()))
