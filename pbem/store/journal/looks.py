"""Gamesmasters' looks at secrets, reported in bulletins."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple

from sqlalchemy import (
    BindParameter,
    Connection,
    Integer,
    bindparam,
    func,
    insert,
    select,
    update,
)

from pbem.store.engine.hot import Hot
from pbem.store.journal import notes
from pbem.store.schema.tables import Look


class LookKind(StrEnum):
    """What was looked at. ORDER: orders entered for a seat. MAIL: to one seat."""

    PREVIEW = "preview"
    DRY_RUN = "dry-run"
    ORDER = "order"
    ACCEPT = "accept"
    LETTER = "letter"
    PRESS = "press"
    EXPORT = "export"
    MAIL = "mail"


class LooksRow(NamedTuple):
    """Looks of one kind in a period."""

    period: int
    kind: LookKind
    number: int


_NUMBER: BindParameter[int] = bindparam("bulletin", type_=Integer)
_OF_BULLETIN, _OF_LAST = (
    Hot(
        select(Look.period, Look.kind, func.count())
        .where(Look.game_id == bindparam("game"), Look.number.is_(None) | told)
        .group_by(Look.period, Look.kind)
    )
    for told in (Look.number == _NUMBER, Look.number >= _NUMBER)
)
_TOLD = Hot(
    update(Look)
    .where(Look.game_id == bindparam("game"), Look.number.is_(None))
    .values(number=_NUMBER)
)


def looked(
    conn: Connection, game: str, period: int, kind: LookKind, now: datetime, told: bool, **of: Any
) -> None:
    """File a look. told: by the next bulletin. ``of``: the letter, mail or seat."""
    if told:
        row = {"game_id": game, "period": period, "kind": kind, "number": None, "at": now}
        conn.execute(insert(Look).values(row))
    notes.note(conn, game, now, "look", period=period, at=kind, **of)


def counts(conn: Connection, game_id: str, number: int, *, last: bool) -> list[LooksRow]:
    """Return the looks that a bulletin reports, also before a correction. last: include later,
    voided bulletins' looks."""
    asked = _OF_LAST if last else _OF_BULLETIN
    found = asked.all(conn, {"game": game_id, "bulletin": number})
    rows = [LooksRow(period, LookKind(kind), n) for period, kind, n in found]
    kinds = list(LookKind)
    return sorted(rows, key=lambda row: (row.period != number, row.period, kinds.index(row.kind)))


def mark_reported(conn: Connection, game_id: str, number: int) -> None:
    """Mark looks as reported by bulletin ``number``."""
    _TOLD.count(conn, {"game": game_id, "bulletin": number})
