"""Loads and caches rule-sets and positions."""

import hashlib
from collections.abc import Callable, Mapping
from typing import Any, Generic, NamedTuple, TypeVar

from sqlalchemy import Connection

from pbem.budget import paused
from pbem.games.frame import codec
from pbem.games.frame.ruleset import Ruleset, upgraded
from pbem.house import shelf
from pbem.store.games.game_rows import GameRow, PeriodRow, Position
from pbem.store.schema.tables import Game, Period

T = TypeVar("T")
_AMENDED = "amended"
"""A period's amendments: [number, how]."""


class Known(NamedTuple):
    """A state, and the hash of its present JSON."""

    state: Any
    hash: str


class _Loaded(Generic[T]):
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
    """Return the rule-set with the game's tables."""
    made = lambda: shelf.open_ruleset(record.ruleset, tables(conn, record.id))  # noqa: E731
    return _RULESETS.get(record.tables_hash, made)


def tables(conn: Connection, game_id: str) -> dict[str, Any]:
    return dict(Game.values(conn, Game.tables, id=game_id)[0])


def position(conn: Connection, ruleset: Ruleset[Any], record: GameRow, period: PeriodRow) -> Known:
    key = f"{record.tables_hash}/{period.state_hash}"
    return _STATES.get(key, lambda: _position(conn, ruleset, record, period))


def _position(conn: Connection, ruleset: Ruleset[Any], record: GameRow, period: PeriodRow) -> Known:
    """Upgrade in memory only. A row without a schema number has its game's."""
    stored = _stored(conn, period.game_id, period.number)
    amended = stored.pop(_AMENDED, [])
    if stored.get("schema", record.schema) == ruleset.about.schema and not amended:
        stored.pop("schema", None)
        return Known(ruleset.load(stored), period.state_hash)
    state = _loaded(ruleset, record, stored)
    for number, setting in amended:
        state = ruleset.amended(state, number, setting)
    return Known(state, dumped(ruleset, state)["state_hash"])


def _stored(conn: Connection, game_id: str, number: int) -> dict[str, Any]:
    return dict(Period.values(conn, Period.state, game_id=game_id, number=number)[0])


def _loaded(ruleset: Ruleset[Any], record: GameRow, stored: dict[str, Any]) -> Any:
    plain = {name: value for name, value in stored.items() if name not in ("schema", _AMENDED)}
    return ruleset.load(upgraded(ruleset, plain, stored.get("schema", record.schema)))


def as_adjudicated(
    conn: Connection, ruleset: Ruleset[Any], record: GameRow, period: PeriodRow
) -> Known | None:
    """Return a position before its amendments, if any."""
    stored = _stored(conn, period.game_id, period.number)
    if not stored.get(_AMENDED):
        return None
    state = _loaded(ruleset, record, stored)
    return Known(state, dumped(ruleset, state)["state_hash"])


def amend(conn: Connection, period: PeriodRow, amendment: tuple[int, str], state_hash: str) -> None:
    """File an amendment beside a position. state_hash: with it."""
    stored = _stored(conn, period.game_id, period.number)
    changed = {**stored, _AMENDED: [*stored.get(_AMENDED, []), list(amendment)]}
    of = {"game_id": period.game_id, "number": period.number}
    Period.change(conn, of, state=changed, state_hash=state_hash)


def fields_on_file(conn: Connection, game_id: str, number: int) -> frozenset[str]:
    return frozenset(_stored(conn, game_id, number)) - {"schema", _AMENDED}


def tables_hash(key: str, tables: Mapping[str, Any]) -> str:
    """Return the cache key of a rule-set."""
    return hashlib.sha256(f"{key}/{codec.text(tables)}".encode()).hexdigest()


def dumped(ruleset: Ruleset[Any], state: Any) -> Position:
    plain = codec.plain(ruleset.dump(state))
    return {
        "state": {"schema": ruleset.about.schema, **plain},
        "state_hash": hashlib.sha256(codec.text(plain).encode()).hexdigest(),
    }
