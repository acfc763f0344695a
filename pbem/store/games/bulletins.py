"""Statements on bulletins."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, func, select, update

from pbem.games.frame.events import Seat
from pbem.store.games.game_rows import IssueRow, ListedRow
from pbem.store.schema.table_base import columns, many
from pbem.store.schema.tables import Bulletin

_ORDER = (Bulletin.number, Bulletin.edition)
_LISTED = select(
    *columns(ListedRow, Bulletin, headline=Bulletin.frame["headline"].as_string())
).order_by(*_ORDER)


def valid(conn: Connection, game_id: str, number: int) -> str | None:
    """Return a period's public bulletin; None if there is none, or a rewind took it back."""
    found = of_period(conn, game_id, number).get("")
    return found.text if found else None


def of_period(conn: Connection, game_id: str, number: int) -> dict[Seat, Bulletin]:
    """Return the newest edition of bulletin (key "") and notices; {} if none is valid."""
    rows = Bulletin.many(conn, game_id=game_id, number=number, voided=None, order=_ORDER)
    return {row.seat: row for row in rows}


def public(conn: Connection, game_id: str) -> list[Bulletin]:
    """Return the valid bulletins in order, newest editions."""
    rows = Bulletin.many(conn, game_id=game_id, seat="", voided=None, order=_ORDER)
    return list({row.number: row for row in rows}.values())


def listed(conn: Connection, game_id: str) -> list[ListedRow]:
    """Return the bulletins without texts, newest first, also voided."""
    found = _LISTED.where(Bulletin.game_id == game_id, Bulletin.seat == "")
    newest = {row.number: row for row in many(conn, ListedRow, found)}
    return list(newest.values())[::-1]


def scores(conn: Connection, game_id: str, before: int) -> list[tuple[int, dict[Seat, float]]]:
    """Return the scores of earlier bulletins, in order."""
    where = (Bulletin.game_id == game_id, Bulletin.seat == "", Bulletin.voided.is_(None))
    found = select(Bulletin.number, Bulletin.frame["scores"]).where(*where)
    earlier = found.where(Bulletin.number < before).order_by(Bulletin.edition)
    newest = {number: kept for number, kept in conn.execute(earlier) if kept}
    return sorted(newest.items())


def heads(conn: Connection, game_id: str) -> dict[int, str]:
    """Return the journal's head of each valid bulletin, by number."""
    head = Bulletin.frame["journal"].as_string()
    where = (Bulletin.game_id == game_id, Bulletin.seat == "", Bulletin.voided.is_(None))
    rows = conn.execute(select(Bulletin.number, head).where(*where).order_by(Bulletin.number))
    return {number: (said or "").removeprefix("head ") for number, said in rows}


def last_edition(conn: Connection, game_id: str, number: int) -> int:
    """Return its number of publications."""
    return Bulletin.scalar(conn, func.max(Bulletin.edition), game_id=game_id, number=number) or 0


def texts(conn: Connection, game_id: str, number: int, edition: int) -> dict[Seat, str]:
    rows = Bulletin.many(conn, game_id=game_id, number=number, edition=edition)
    return {row.seat: row.text for row in rows}


def newest(conn: Connection, game_id: str) -> int | None:
    return Bulletin.values(conn, func.max(Bulletin.number), game_id=game_id, voided=None)[0]


def void(conn: Connection, game_id: str, number: int, now: datetime) -> Sequence[int]:
    """Void bulletins from ``number`` on. Return those that were valid."""
    counts = (Bulletin.game_id == game_id, Bulletin.number >= number, Bulletin.voided.is_(None))
    numbers = sorted(set(Bulletin.values(conn, Bulletin.number, *counts)))
    conn.execute(update(Bulletin).where(*counts).values(voided=now))
    return numbers


def last_voided(conn: Connection, game_id: str) -> datetime | None:
    return Bulletin.values(conn, func.max(Bulletin.voided), game_id=game_id)[0]


def for_seat(conn: Connection, game_id: str, number: int, seat: Seat) -> IssueRow:
    """Return what a seat can read of a bulletin."""
    of_seat = Bulletin.seat.in_(("", seat))
    rows = Bulletin.many(conn, of_seat, game_id=game_id, number=number, order=Bulletin.edition)
    texts = {row.seat: row.text for row in rows}
    newest = [text for text in (texts.get(""), texts.get(seat)) if text]
    return IssueRow(newest, rows[-1].voided if rows else None)
