"""A database that the version with revision 0001 wrote goes on under this one: its games, letters
and mails are all there.

`tests/data/landed_0001.json.gz` has every row of such a database: games of Coalition, Politics,
Legislation and the Parlement of 1966 (whose bulletins are reviewed) in their first and second
periods, with orders on file, a letter that is not decided yet, one that waits for its proof, and
mails.
"""

from __future__ import annotations

import base64
import gzip
import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from sqlalchemy import MetaData, func, select, text

from pbem.periods import replay
from pbem.store import database
from pbem.store.database import transaction
from tests.installation import Installation

LANDED = Path(__file__).parent.parent / "data" / "landed_0001.json.gz"
GAMES = ("autumn", "spring", "summer", "winter")
BOTH = pytest.mark.parametrize(
    "kind", ["sqlite", pytest.param("postgresql", marks=pytest.mark.needs("postgresql"))]
)


def _value(plain: Any) -> Any:
    match plain:
        case {"utc": moment}:
            return datetime.fromisoformat(moment)
        case {"bytes": encoded}:
            return base64.b64decode(encoded)
    return plain


def landed(url: str) -> tuple[datetime, dict[str, int]]:
    """A database of revision 0001 with all the rows; the time at which it was left, and the number
    of rows of each table."""
    kept = json.loads(gzip.decompress(LANDED.read_bytes()))
    engine = database.connect(url)
    with transaction(engine) as conn:
        command.upgrade(database._config(conn), "0001")
        tables = MetaData()
        tables.reflect(conn)
        for table in tables.sorted_tables:
            rows = [
                {name: _value(plain) for name, plain in row.items()}
                for row in kept["tables"].get(table.name, ())
            ]
            if rows:
                conn.execute(table.insert(), rows)
            if (
                rows
                and url.startswith("postgresql")
                and "id" in table.c
                and isinstance(rows[0]["id"], int)
            ):
                conn.execute(
                    text(
                        f"SELECT setval(pg_get_serial_sequence('{table.name}', 'id'),"
                        f" {max(r['id'] for r in rows)})"
                    )
                )
    engine.dispose()
    return datetime.fromisoformat(kept["clock"]), {
        name: len(rows) for name, rows in kept["tables"].items()
    }


@BOTH
def test_it_loses_nothing_and_goes_on(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    url = (
        request.getfixturevalue("postgresql_url")
        if kind == "postgresql"
        else f"sqlite:///{tmp_path / 'pbem.db'}"
    )
    clock, counts = landed(url)
    with Installation(
        tmp_path, "coalition", seats=tuple("ABCDE"), url=url
    ) as at:  # which upgrades what it finds
        at.clock, at.game = clock, "autumn"
        engine = at.daemon.engine
        assert database.drift(engine) == []
        with transaction(engine) as conn:
            tables = MetaData()
            tables.reflect(conn)
            found = {
                name: (
                    conn.execute(select(func.count()).select_from(tables.tables[name])).scalar_one()
                )
                for name in counts
            }
        assert found == counts
        at.once()
        assert at.outcomes()[-1][0] == "orders", "the letter that was not decided yet"
        assert at.standing("D") == ["STANDING AYE"]
        at.to_deadline()
        at.to_deadline()
        assert at.table().period.number == 4
        with transaction(engine) as conn:
            assert [game for game in GAMES if replay.replay(conn, game).faults] == []
