"""The statements of a letter run on the driver's cursor: what they give, and what they raise, is
what SQLAlchemy gives and raises."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, bindparam, insert, select, text, update
from sqlalchemy.exc import IntegrityError

from pbem.errors import DatabaseError, RefereeError
from pbem.letters.states import LetterState
from pbem.store.engine import database, locks
from pbem.store.engine.hot import Hot
from pbem.store.schema.tables import Letter, Memo
from tests.postgresql import Postgresql

NOW = datetime(2026, 3, 2, 9, 30, 15, 250, UTC)
LETTER: dict[str, Any] = {
    "account": "a",
    "folder": "INBOX",
    "uidvalidity": 1,
    "uid": 1,
    "received": NOW,
    "seen": NOW,
    "raw": b"\0 the bytes \xff",
    "raw_hash": "h",
    "reason": "what nobody is to read: ü",
    "attempts": 0,
    "message_id": "",
    "sender": "",
    "authentication": "open",
    "game_id": "",
    "seat": "",
    "period": 0,
    "moved": False,
    "code_hash": "",
    "effect": None,
    "decided": None,
    "outcome": LetterState.STORED,
}
_ALL = select(Letter.__table__).where(Letter.uid == bindparam("number"))
_NEW = Hot(insert(Letter))
_SET = Hot(update(Letter).where(Letter.uid == bindparam("number")))


@pytest.fixture(
    params=["sqlite", pytest.param("postgresql", marks=pytest.mark.needs("postgresql"))]
)
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    url = f"sqlite:///{tmp_path / 'pbem.db'}"
    if request.param == "postgresql":
        cluster: Postgresql = request.getfixturevalue("postgresql_cluster")
        url = cluster.database()
    made = database.connect(url)
    database.upgrade(made)
    yield made
    made.dispose()


def rows(conn: Connection, number: int = 1) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in conn.execute(_ALL, {"number": number})]


def test_what_goes_in_comes_out_as_with_sqlalchemy(engine: Engine) -> None:
    with database.shared_transaction(engine) as conn:
        assert _NEW.count(conn, LETTER) == 1
        conn.execute(insert(Letter), LETTER | {"uid": 2})
    with database.reading(engine) as conn:
        (mine,), (its,) = rows(conn), rows(conn, 2)
        known = dict(zip(Letter.__table__.c.keys(), mine, strict=True))
        assert {name: known[name] for name in LETTER} == LETTER
        assert [type(one) for one in mine] == [type(one) for one in its]
        assert Hot(_ALL).all(conn, {"number": 1}) == [mine]
        assert Hot(_ALL).first(conn, {"number": 2}) == its
        assert Hot(_ALL).first(conn, {"number": 3}) is None


def test_constants_and_json(engine: Engine) -> None:
    value = {"a": [1, "ü", None], "b": True}
    found = Hot(select(Memo.value, Memo.key).where(Memo.key == "k"))
    with database.shared_transaction(engine) as conn:
        Hot(insert(Memo)).count(conn, {"key": "k", "value": value})
        assert found.all(conn) == [(value, "k")]


def test_columns_may_differ_from_time_to_time(engine: Engine) -> None:
    with database.shared_transaction(engine) as conn:
        _NEW.count(conn, LETTER)
        assert _SET.count(conn, {"number": 1, "seat": "A"}) == 1
        assert _SET.count(conn, {"number": 1, "period": 3, "decided": NOW}) == 1
        assert _SET.count(conn, {"number": 7, "seat": "B"}) == 0
        row = conn.execute(select(Letter.seat, Letter.period, Letter.decided)).one()
        assert tuple(row) == ("A", 3, NOW)


def test_it_is_part_of_the_transaction(engine: Engine) -> None:
    with pytest.raises(KeyError), database.shared_transaction(engine) as conn:
        _NEW.count(conn, LETTER)
        raise KeyError
    with database.reading(engine) as conn:
        assert rows(conn) == []


def test_what_the_database_refuses_keeps_its_values_to_itself(engine: Engine) -> None:
    with pytest.raises(IntegrityError) as refused, database.shared_transaction(engine) as conn:
        _NEW.count(conn, LETTER | {"sender": None})
    hidden = "[SQL parameters hidden due to hide_parameters=True]"
    assert hidden in str(refused.value)
    with pytest.raises(IntegrityError) as its, database.shared_transaction(engine) as conn:
        conn.execute(insert(Letter), LETTER | {"sender": None})
    assert str(refused.value.orig).split("\n")[0] == str(its.value.orig).split("\n")[0]
    assert hidden in str(its.value)


def test_what_the_database_itself_has_is_told_in_a_line(engine: Engine) -> None:
    with database.shared_transaction(engine) as conn:
        conn.execute(text("ALTER TABLE letter RENAME TO elsewhere"))
    trouble = DatabaseError if engine.dialect.name == "sqlite" else Exception
    with pytest.raises(trouble, match="letter"), database.shared_transaction(engine) as conn:
        _NEW.count(conn, LETTER)


def test_what_cannot_be_compiled_once_is_refused(engine: Engine) -> None:
    several = Hot(select(Letter.id).where(Letter.uid.in_(bindparam("uids", expanding=True))))
    with (
        database.shared_transaction(engine) as conn,
        pytest.raises(RefereeError, match="compiled once"),
    ):
        several.all(conn, {"uids": [1, 2]})
    with (
        database.shared_transaction(engine) as conn,
        pytest.raises(RefereeError, match="no value is given"),
    ):
        Hot(_ALL).all(conn)


def test_a_column_that_a_table_has_not_is_refused(engine: Engine) -> None:
    """It would be left out: what is written has no types, but names."""
    with (
        database.shared_transaction(engine) as conn,
        pytest.raises(RefereeError, match="no columns or values"),
    ):
        _SET.count(conn, {"number": 1, "perod": 1})


def test_a_connection_serves_one_transaction_after_another(engine: Engine) -> None:
    """Nothing of one is left to the next: neither what it took back, nor what it had locked."""
    with database.connected(engine) as line:
        with pytest.raises(KeyError), database.shared_transaction(line, "g") as conn:
            _NEW.count(conn, LETTER)
            raise KeyError
        with database.shared_transaction(line, "g") as conn:
            assert conn is line and rows(conn) == []
            assert _NEW.count(conn, LETTER) == 1
            with pytest.raises(RefereeError, match="without its lock"):
                locks.must_hold(conn, "h")
        with database.exclusive_transaction(line) as conn:
            locks.must_hold(conn, "h")
        with (
            database.shared_transaction(line) as conn,
            pytest.raises(RefereeError, match="without its lock"),
        ):
            locks.must_hold(conn, "g")
    with database.reading(engine) as conn:
        assert len(rows(conn)) == 1


@pytest.mark.needs("postgresql")
def test_a_connection_that_was_lost_is_made_anew(postgresql_url: str) -> None:
    engine = database.connect(postgresql_url)
    database.upgrade(engine)
    with database.connected(engine) as line:
        with pytest.raises(DatabaseError), database.shared_transaction(line) as conn:
            with engine.connect() as other:
                pid = conn.exec_driver_sql("SELECT pg_backend_pid()").scalar()
                other.exec_driver_sql(f"SELECT pg_terminate_backend({pid})")
            _NEW.count(conn, LETTER)
        with database.shared_transaction(line) as conn:
            assert _NEW.count(conn, LETTER) == 1
    engine.dispose()


def test_an_empty_column_is_found_or_refused(engine: Engine) -> None:
    with database.shared_transaction(engine) as conn:
        _NEW.count(conn, LETTER)
        assert [row.uid for row in Letter.many(conn, uid=1, decided=None)] == [1]
        for find in (Letter.one, Letter.drop):
            with pytest.raises(RefereeError, match="finds nothing empty"):
                find(conn, uid=1, decided=None)
        with pytest.raises(RefereeError, match="finds nothing empty"):
            Letter.change(conn, {"decided": None}, moved=True)
