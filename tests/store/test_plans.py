"""What the referee asks at each pass finds its rows by an index: it must not cost more with years of
letters on file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, event

from tests.installation import SEATS, Installation

FEW = ("deputy", "free_seat", "memo")
"""Tables with a row for what is under way, and a partial index: they may be read whole."""
DAILY = ("UPDATE letter SET raw=?", "UPDATE outgoing SET raw=?")
"""What is done once a day."""


@contextmanager
def scans(engine: Engine) -> Iterator[dict[str, str]]:
    """Collect what reads a whole table: SQLite's word for it, and the statement."""
    found: dict[str, str] = {}

    def explain(conn: Connection, cursor: Any, statement: str, given: Any, *_: Any) -> None:
        if not statement.startswith(("SELECT", "UPDATE", "DELETE", "WITH")):
            return
        if isinstance(given, list) or statement.startswith(DAILY):
            return
        asking = cursor.connection.cursor()
        for *_, how in asking.execute(f"EXPLAIN QUERY PLAN {statement}", given):
            words = how.split()
            large = words[:1] == ["SCAN"] and not {*words}.intersection(FEW)
            if large and not how.startswith(("SCAN CONSTANT", "SCAN (")):
                found[how] = statement
        asking.close()

    event.listen(engine, "before_cursor_execute", explain)
    try:
        yield found
    finally:
        event.remove(engine, "before_cursor_execute", explain)


def test_no_pass_reads_a_whole_table(tmp_path: Path) -> None:
    with Installation(tmp_path, "coalition", seats=SEATS, strangers=("fay@else.example",)) as at:
        at.start()
        at.once()
        with scans(at.daemon.engine) as idle:
            at.once()
        assert not idle
        with scans(at.daemon.engine) as busy:
            at.write("A", "SPECIAL AGR\nPRESS TO B\nShall we?\nEND PRESS")
            at.write("B", "How do I win?")
            at.send("fay@else.example", "What is this?")
            at.to_deadline()
        assert not busy


def test_a_statement_that_reads_a_whole_table_is_found(tmp_path: Path) -> None:
    with Installation(tmp_path, "coalition", seats=SEATS) as at:
        at.start()
        with scans(at.daemon.engine) as found, at.daemon.engine.connect() as conn:
            conn.exec_driver_sql("SELECT id FROM letter WHERE reason = ?", ("x",))
        assert found == {"SCAN letter": "SELECT id FROM letter WHERE reason = ?"}
