"""Gamesmasters: games, reply tokens, last letters."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, bindparam, case, select, union, update
from sqlalchemy.dialects.postgresql import insert as upsert  # SQLite has the same syntax

from pbem.letters.states import LetterState
from pbem.store.engine.hot import Hot
from pbem.store.games.game_rows import GamesmasterRow, HandsRow
from pbem.store.schema.states import GameState, PeriodState
from pbem.store.schema.tables import Address, Game, Gamesmaster, Letter, Period, Seat

# compiled once, for every letter and mail
_HANDS = select(Game.id, Game.status, Game.gamesmaster, Game.second)
_OF_GAME = Hot(_HANDS.where(Game.id == bindparam("game")))
_ROW = select(Gamesmaster.__table__)
_AT_ADDRESS = Hot(_ROW.where(Gamesmaster.address == bindparam("address")))
_BY_TOKEN = Hot(_ROW.where(Gamesmaster.token_hash == bindparam("token")))
_ENTER = upsert(Gamesmaster).on_conflict_do_nothing(index_elements=[Gamesmaster.address])
_HEARD = (
    update(Gamesmaster)
    .where(Gamesmaster.address == bindparam("written_by"))
    .values(heard=bindparam("at"))
)
_HIS_GAMES = _HANDS.where(Game.gamesmaster == bindparam("address")).union_all(
    _HANDS.where(Game.second == bindparam("address"))
)
_UNNAMED = _HANDS.where(Game.gamesmaster == "")
HIS_TO_DECIDE = (
    LetterState.HELD,
    LetterState.FAILED,
    LetterState.LATE,
    LetterState.UNANSWERED,
    LetterState.QUARANTINE,
)
"""Only a gamesmaster can decide them."""


def hands(conn: Connection, game_id: str) -> HandsRow | None:
    row = _OF_GAME.first(conn, {"game": game_id})
    return HandsRow._make(row) if row else None


def hands_of(conn: Connection, address: str, *, unnamed: bool) -> list[HandsRow]:
    """Return games of a gamesmaster or second. unnamed: and those that name none."""
    rows = [HandsRow._make(row) for row in conn.execute(_HIS_GAMES, {"address": address})]
    if unnamed:
        rows += [HandsRow._make(row) for row in conn.execute(_UNNAMED)]
    return rows


def seconded(conn: Connection, address: str, owner: str) -> frozenset[str]:
    """Return unfinished games of this second in which the gamesmaster plays. owner: of games that
    name none."""
    first = case((Game.gamesmaster == "", owner), else_=Game.gamesmaster)
    found = (
        select(Game.id)
        .join(Seat, Seat.game_id == Game.id)
        .join(Address, Address.player_id == Seat.player_id)
        .where(Game.second == address, first != address, Address.address == first)
        .where(Game.status != GameState.OVER)
    )
    return frozenset(conn.execute(found).scalars())


def some_of(conn: Connection, masters: Sequence[str], most: int) -> frozenset[str]:
    """Return up to ``most`` games of these ("": the installation's)."""
    found = select(Game.id).where(Game.gamesmaster.in_(masters)).limit(most)
    return frozenset(conn.execute(found).scalars())


def everybody(conn: Connection) -> set[str]:
    """Return unfinished games' gamesmasters; "" for the installation's."""
    there = Game.status != GameState.OVER
    both = union(select(Game.gamesmaster).where(there), select(Game.second).where(there))
    return set(conn.execute(both).scalars())


def at_address(conn: Connection, address: str) -> GamesmasterRow | None:
    row = _AT_ADDRESS.first(conn, {"address": address})
    return GamesmasterRow._make(row) if row else None


def by_token(conn: Connection, token_hash: str) -> GamesmasterRow | None:
    row = _BY_TOKEN.first(conn, {"token": token_hash})
    return GamesmasterRow._make(row) if row else None


def enter(conn: Connection, address: str, token_hash: str) -> None:
    row = {"address": address, "token_no": 1, "token_hash": token_hash, "asked": 0}
    conn.execute(_ENTER, row | {"heard": None})


def set_token(conn: Connection, address: str, number: int, token_hash: str) -> None:
    values = {"token_no": number, "token_hash": token_hash}
    conn.execute(update(Gamesmaster).where(Gamesmaster.address == address).values(**values))


def count_asked(conn: Connection, address: str, more: int) -> None:
    values = {"asked": Gamesmaster.asked + more}
    conn.execute(update(Gamesmaster).where(Gamesmaster.address == address).values(**values))


def note_letter(conn: Connection, address: str, now: datetime) -> None:
    """Note a letter, if the address is a gamesmaster's."""
    conn.execute(_HEARD, {"written_by": address, "at": now})


def waiting_since(conn: Connection, until: datetime) -> Sequence[str]:
    """Return unfinished games where something has waited for the gamesmaster: a letter, a review, a
    leaving player, or a held game."""
    letters = select(Letter.game_id).where(
        Letter.outcome.in_(HIS_TO_DECIDE), Letter.decided <= until
    )
    reviews = select(Period.game_id).where(
        Period.status == PeriodState.REVIEW, Period.opened <= until
    )
    leaving = select(Seat.game_id).where(Seat.quits <= until)
    held = select(Game.id).where(Game.status == GameState.HELD, Game.held_at <= until)
    waits: list[Any] = [letters, reviews, leaving, held]
    running = (GameState.RUNNING, GameState.HELD)
    found = select(Game.id).where(Game.id.in_(union(*waits)), Game.status.in_(running))
    return conn.execute(found.order_by(Game.id)).scalars().all()


def seats_waiting(conn: Connection, game_id: str, until: datetime) -> dict[str, datetime]:
    letters = select(Letter.seat, Letter.decided).where(
        Letter.game_id == game_id,
        Letter.seat.is_not(None),
        Letter.seat != "",
        Letter.outcome.in_(HIS_TO_DECIDE),
        Letter.decided <= until,
    )
    leaving = select(Seat.seat, Seat.quits).where(Seat.game_id == game_id, Seat.quits <= until)
    found: dict[str, datetime] = {}
    for seat, since in (*conn.execute(letters), *conn.execute(leaving)):
        found[seat] = min(since, found.get(seat, since))
    return dict(sorted(found.items()))
