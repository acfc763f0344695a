"""A program that is put back finds its own tables: 0002 goes down with running games in it, and up
again, and nothing of the games, letters and mails is lost on the way."""

from __future__ import annotations

from pathlib import Path

import pytest
from alembic import command
from sqlalchemy import MetaData, func, select

from pbem.periods import replay
from pbem.store import database
from pbem.store.database import transaction
from tests.installation import Installation
from tests.mail.test_upgrade import BOTH, GAMES, landed


def rows(url: str) -> dict[str, int]:
    """The number of rows of each table."""
    engine = database.connect(url)
    with transaction(engine) as conn:
        tables = MetaData()
        tables.reflect(conn)
        found = {
            name: conn.execute(select(func.count()).select_from(table)).scalar_one()
            for name, table in tables.tables.items()
        }
    engine.dispose()
    return found


@BOTH
def test_it_goes_down_and_up_with_running_games(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    url = (
        request.getfixturevalue("postgresql_url")
        if kind == "postgresql"
        else f"sqlite:///{tmp_path / 'pbem.db'}"
    )
    clock, _ = landed(url)
    with Installation(tmp_path, "coalition", seats=tuple("ABCDE"), url=url) as at:
        at.clock, at.game = clock, "autumn"
        at.write("A", "GAME autumn\nREADY")
        at.write("B", "GAME autumn\nQUIT")
        at.once()
        at.to_deadline()
        at.daemon.close()
        before = rows(url)
        engine = database.connect(url)
        with transaction(engine) as conn:
            command.downgrade(database._config(conn), "0001")
        assert rows(url) == before
        database.upgrade(engine)
        assert rows(url) == before and database.drift(engine) == []
        engine.dispose()
        at.daemon = at.new_daemon()
        at.write("C", "GAME autumn\nREADY")
        at.once()
        at.to_deadline()
        with transaction(at.daemon.engine) as conn:
            assert [game for game in GAMES if replay.replay(conn, game).faults] == []
