"""Statements about gamesmasters: who has which games, by which secret address each writes, and when
he was heard of."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, bindparam, case, select, union, update
from sqlalchemy.dialects.postgresql import insert as upsert  # SQLite reads the same words

from pbem.letters.states import LetterState
from pbem.store.engine.hot import Hot
from pbem.store.games.game_rows import GamesmasterRow, HandsRow
from pbem.store.schema.states import GameState, PeriodState
from pbem.store.schema.tables import Address, Game, Gamesmaster, Letter, Period, Seat

# asked of every letter or mail, and so made once
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
"""The letters that wait for a gamesmaster and nobody else: an unverified one waits for its
writer."""


def hands(conn: Connection, game_id: str) -> HandsRow | None:
    """Return who has a game in hand; None if there is no such game."""
    row = _OF_GAME.first(conn, {"game": game_id})
    return HandsRow._make(row) if row else None


def hands_of(conn: Connection, address: str, *, unnamed: bool) -> list[HandsRow]:
    """Return the games that name an address as their gamesmaster's or second's; also those that
    name no gamesmaster (``unnamed``)."""
    rows = [HandsRow._make(row) for row in conn.execute(_HIS_GAMES, {"address": address})]
    if unnamed:
        rows += [HandsRow._make(row) for row in conn.execute(_UNNAMED)]
    return rows


def seconded(conn: Connection, address: str, owner: str) -> frozenset[str]:
    """Return unfinished games in which the gamesmaster plays and ``address`` is the second
    gamesmaster's. A game that names no gamesmaster has ``owner``."""
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
    """So many at most of the games of some gamesmasters ("" for the installation's)."""
    found = select(Game.id).where(Game.gamesmaster.in_(masters)).limit(most)
    return frozenset(conn.execute(found).scalars())


def everybody(conn: Connection) -> set[str]:
    """The addresses of the gamesmasters and seconds of all games that are not over; "" if one has
    the installation's."""
    there = Game.status != GameState.OVER
    both = union(select(Game.gamesmaster).where(there), select(Game.second).where(there))
    return set(conn.execute(both).scalars())


def at_address(conn: Connection, address: str) -> GamesmasterRow | None:
    """Return the gamesmaster of an address; None if nobody was ever written to there as one."""
    row = _AT_ADDRESS.first(conn, {"address": address})
    return GamesmasterRow._make(row) if row else None


def by_token(conn: Connection, token_hash: str) -> GamesmasterRow | None:
    """Return the gamesmaster whose secret address it is; None if it is nobody's."""
    row = _BY_TOKEN.first(conn, {"token": token_hash})
    return GamesmasterRow._make(row) if row else None


def enter(conn: Connection, address: str, token_hash: str) -> None:
    """Somebody is written to as a gamesmaster from now on, with his first secret address."""
    row = {"address": address, "token_no": 1, "token_hash": token_hash, "asked": 0}
    conn.execute(_ENTER, row | {"heard": None})


def set_token(conn: Connection, address: str, number: int, token_hash: str) -> None:
    """His secret address is another."""
    values = {"token_no": number, "token_hash": token_hash}
    conn.execute(update(Gamesmaster).where(Gamesmaster.address == address).values(**values))


def count_asked(conn: Connection, address: str, more: int) -> None:
    """He is asked to take so many more games over; negative: so many wait no longer."""
    values = {"asked": Gamesmaster.asked + more}
    conn.execute(update(Gamesmaster).where(Gamesmaster.address == address).values(**values))


def note_letter(conn: Connection, address: str, now: datetime) -> None:
    """A letter of his came, if he is a gamesmaster."""
    conn.execute(_HEARD, {"written_by": address, "at": now})


def waiting_since(conn: Connection, until: datetime) -> Sequence[str]:
    """Return unfinished games in which something has waited for the gamesmaster since before
    ``until``: a letter, a bulletin in review, a player who asks to be relieved, or a held game."""
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
