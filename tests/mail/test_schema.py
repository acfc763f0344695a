"""A game that an older version of the program wrote: its positions are upgraded when they are
read."""

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from pbem.errors import OperatorError
from pbem.games.coalition.rules import ABOUT, Coalition
from pbem.games.frame import codec
from pbem.periods import replay
from pbem.store.engine.database import exclusive_transaction
from pbem.store.games import positions
from pbem.store.schema.tables import Game, Period
from tests.installation import Installation, text_of


def players_to_seats(state: dict[str, Any]) -> dict[str, Any]:
    """From schema 2 to 3 in these tests: what was called ``seated`` is now ``players``."""
    return {("players" if name == "seated" else name): value for name, value in state.items()}


@pytest.fixture
def at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Installation]:
    """A game of Coalition with one period behind it, and a program whose Coalition has schema 3."""
    monkeypatch.setattr(positions, "_STATES", positions._Loaded(8))
    with Installation(tmp_path, "coalition", seats=tuple("ABCDE")) as at:
        at.start()
        at.send("A", "STANDING NAY")
        at.to_deadline()
        assert at.table().period.number == 2
        positions._STATES.kept.clear()
        monkeypatch.setattr(Coalition, "about", replace(ABOUT, schema=3))
        monkeypatch.setattr(Coalition, "upgrades", {2: players_to_seats})
        yield at


def rewritten(at: Installation, schema: int | None, in_record: int) -> None:
    """Every stored position as schema 2 had it, its number in the row (or only in the game's
    record)."""
    with exclusive_transaction(at.daemon.engine) as conn:
        conn.execute(update(Game).values(schema=in_record))
        for number in range(3):
            where = (Period.game_id == at.game, Period.number == number)
            ((plain,),) = positions._STATE.all(conn, {"game": at.game, "number": number})
            old = {
                ("seated" if name == "players" else name): v
                for name, v in plain.items()
                if name != "schema"
            }
            row = {
                "state": old if schema is None else {**old, "schema": schema},
                "state_hash": _hash(old),
            }
            conn.execute(update(Period).where(*where).values(**row))


def _hash(plain: dict[str, Any]) -> str:
    return hashlib.sha256(codec.text(plain).encode()).hexdigest()


@pytest.mark.parametrize(("schema", "in_record"), [(2, 1), (None, 2)])
def test_an_older_position_is_upgraded_and_replays(
    at: Installation, schema: int | None, in_record: int
) -> None:
    rewritten(at, schema, in_record)
    assert at.table().state.players == tuple("ABCDE")
    with exclusive_transaction(at.daemon.engine) as conn:
        report = replay.replay(conn, at.game)
    assert report.periods == 1 and not report.faults
    at.send("B", "STANDING AYE")
    assert "STANDING AYE" in text_of(at.mails("B")[-1])


def test_a_newer_position_is_refused(at: Installation) -> None:
    rewritten(at, 4, 1)
    with pytest.raises(OperatorError, match="install the version of pbem that wrote it"):
        at.table()


def test_a_position_without_a_way_on_is_refused(at: Installation) -> None:
    rewritten(at, 1, 1)
    with pytest.raises(OperatorError, match="no upgrade leads from 1 to 3"):
        at.table()
