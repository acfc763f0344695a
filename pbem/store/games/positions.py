"""Loads and caches rule-sets and positions."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import Any, Generic, NamedTuple, TypeVar

from sqlalchemy import Connection, bindparam, select

from pbem.budget import paused
from pbem.games.frame import codec
from pbem.games.frame.ruleset import Ruleset, upgraded
from pbem.house import shelf
from pbem.store.engine.hot import Hot
from pbem.store.games.game_rows import GameRow, PeriodRow, Position
from pbem.store.schema.tables import Game, Period

T = TypeVar("T")
_TABLES = select(Game.tables).where(Game.id == bindparam("game"))
_STATE = Hot(
    select(Period.state).where(
        Period.game_id == bindparam("game"), Period.number == bindparam("number")
    )
)


class Known(NamedTuple):
    """A state, and the hash of its JSON in the present schema."""

    state: Any
    hash: str


class _Loaded(Generic[T]):
    """A cache by hash of the JSON: letters of a period share it."""

    def __init__(self, most: int) -> None:
        self.most, self.kept = most, dict[str, T]()

    def get(self, key: str, load: Callable[[], T]) -> T:
        if key not in self.kept:
            while len(self.kept) >= self.most:
                del self.kept[next(iter(self.kept))]
            with paused:  # kept for later letters
                self.kept[key] = load()
        return self.kept[key]


_RULESETS: _Loaded[Ruleset[Any]] = _Loaded(256)
_STATES: _Loaded[Known] = _Loaded(512)


def ruleset(conn: Connection, record: GameRow) -> Ruleset[Any]:
    """Return a game's rule-set on its own tables."""
    return _RULESETS.get(record.tables_hash, lambda: _ruleset(conn, record))


def _ruleset(conn: Connection, record: GameRow) -> Ruleset[Any]:
    return shelf.open_ruleset(
        record.ruleset, conn.execute(_TABLES, {"game": record.id}).scalar_one()
    )


def position(conn: Connection, ruleset: Ruleset[Any], record: GameRow, period: PeriodRow) -> Known:
    """Return a period's position."""
    key = f"{record.tables_hash}/{period.state_hash}"
    return _STATES.get(key, lambda: _position(conn, ruleset, record, period))


def _position(conn: Connection, ruleset: Ruleset[Any], record: GameRow, period: PeriodRow) -> Known:
    """Return a period's position, upgraded in memory: older programs can still read the row.

    A row without a schema number has the schema of its game.
    """
    ((stored,),) = _STATE.all(conn, {"game": period.game_id, "number": period.number})
    plain = dict(stored)
    schema = plain.pop("schema", record.schema)
    if schema == ruleset.about.schema:
        return Known(ruleset.load(plain), period.state_hash)
    state = ruleset.load(upgraded(ruleset, plain, schema))
    return Known(state, dumped(ruleset, state)["state_hash"])


def fields_on_file(conn: Connection, game_id: str, number: int) -> frozenset[str]:
    """Return the fields of a stored position, of any version."""
    ((stored,),) = _STATE.all(conn, {"game": game_id, "number": number})
    return frozenset(stored) - {"schema"}


def tables_hash(key: str, tables: Mapping[str, Any]) -> str:
    """Return the cache key of a rule-set: SHA-256 over its key and tables."""
    return hashlib.sha256(f"{key}/{codec.text(tables)}".encode()).hexdigest()


def dumped(ruleset: Ruleset[Any], state: Any) -> Position:
    """Return the columns of a position."""
    plain = codec.plain(ruleset.dump(state))
    return {
        "state": {"schema": ruleset.about.schema, **plain},
        "state_hash": hashlib.sha256(codec.text(plain).encode()).hexdigest(),
    }
