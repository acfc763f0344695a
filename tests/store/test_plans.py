"""What the referee asks at each pass finds its rows by an index: it must not cost more with years of
letters on file."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, event

from tests.installation import SEATS, Installation

FEW = ("deputy", "free_seat", "memo", "cursor", "anon_1")
"""Tables with a row for what is under way or for a folder, and a partial index, and what a
statement has found itself: they may be read whole."""
DAILY = ("UPDATE letter SET raw=", "UPDATE outgoing SET raw=")
"""What is done once a day."""


@contextmanager
def scans(engine: Engine) -> Iterator[dict[str, str]]:
    """Collect what reads a whole table: SQLite's word for it, and the statement. SQLite tells the
    statements itself: those on the driver's cursor make no events."""
    found: dict[str, str] = {}
    said: set[str] = set()

    def listen(raw: Any, *_: Any) -> None:
        raw.set_trace_callback(said.add)

    event.listen(engine, "checkout", listen)
    try:
        yield found
    finally:
        event.remove(engine, "checkout", listen)
    with closing(sqlite3.connect(str(engine.url.database))) as conn:
        for statement in said:
            asks = statement.startswith(("SELECT", "UPDATE", "DELETE", "WITH"))
            if not asks or statement.startswith(DAILY):
                continue
            for *_, how in conn.execute(f"EXPLAIN QUERY PLAN {statement}"):
                words = how.split()
                large = words[:1] == ["SCAN"] and not {*words}.intersection(FEW)
                if large and not how.startswith(("SCAN CONSTANT", "SCAN (")):
                    found[how] = statement


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
        assert found == {"SCAN letter": "SELECT id FROM letter WHERE reason = 'x'"}
