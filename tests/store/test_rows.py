"""Rows and states are typed: a wrong column and a wrong state are errors before anything runs."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest
from sqlalchemy import Table

from pbem.store.games import game_rows
from pbem.store.letters import letter_rows
from pbem.store.schema.tables import Game, Letter, Period, Seat

ROOT = Path(__file__).parents[2]
WRONG = """
from sqlalchemy import Connection
from pbem.letters.copies import Likeness
from pbem.letters.states import LetterState
from pbem.store.games import games, order_sets, periods
from pbem.store.journal import notes
from pbem.store.letters import letters, registrations, undecided, waiting
from pbem.store.mails import (mails)
from pbem.store.engine.among import Among
from pbem.store.schema.states import GameState, MailState, PeriodState

def right(conn: Connection) -> None:
    at = games.game_at(conn, "g")
    periods.set_state(conn, at.id, at.period.number, PeriodState.CLOSING)
    if at.game.status == GameState.HELD and at.period.due is not None:
        letters.set_state(conn, 1, LetterState.HELD)

def wrong(conn: Connection) -> None:
    at = games.game_at(conn, "g")
    at.period.dew  # attr-defined
    at.game.state  # attr-defined
    at.period.number = 2  # misc
    at.period.due.isoformat()  # union-attr
    at.game.status == PeriodState.OPEN  # comparison-overlap
    games.game(conn, "g").table  # attr-defined
    games.set_state(conn, "g", PeriodState.OPEN)  # arg-type
    games.set_state(conn, "g", "held")  # arg-type
    periods.set_state(conn, "g", 1, "open")  # arg-type
    letters.set_state(conn, 1, GameState.HELD)  # arg-type
    letters.set_state(conn, 1, LetterState.OPEN)  # attr-defined
    mails.set_state(conn, 1, LetterState.HELD)  # arg-type
    games.set_game(conn, "g", perod=1)  # call-arg
    games.set_game(conn, "g", status=GameState.OVER)  # call-arg
    games.set_seat(conn, "g", "A", missed="1")  # arg-type
    periods.set_period(conn, "g", 1, dew=None)  # call-arg
    periods.set_state(conn, "g", 1, PeriodState.CLOSED, closed=1)  # arg-type
    order_sets.last_set(conn, "g", 1, "A").orders  # union-attr
    notes.unprinted(conn, "g")[0].words  # attr-defined
    letter = undecided.letter(conn, 1, Likeness("", "", "", ""))
    letter.came  # attr-defined
    letter.period = 2  # misc
    letter.outcome == GameState.HELD  # comparison-overlap
    letter.received > letter.id  # operator
    undecided.after(conn, 1, 1)[0].raw  # attr-defined
    undecided.tried(conn, [1], wait=True)[0].body  # attr-defined
    undecided.first_copy(conn, Likeness("", "", "", "")).id  # union-attr
    letters.filed(conn, 1).outcome  # union-attr
    waiting.commands_of(conn, "a", 1)[0].state  # attr-defined
    waiting.numbers(conn, [MailState.HELD], Among(None))  # list-item
    waiting.state_of(conn, 1).purged  # union-attr
    waiting.of_seat(conn, "g", "A", 1)[0].outcome == MailState.HELD  # comparison-overlap
    waiting.held(conn, "g")[0].seat  # attr-defined
    waiting.stored(conn).oldest.isoformat()  # union-attr
    registrations.of_address(conn, "a")[0].status == LetterState.HELD  # comparison-overlap
    order_sets.with_letters(conn, "g", 1, "A")[0].ordinal  # attr-defined
    mails.merged(conn)[0].state  # attr-defined
    mails.stuck(conn, Among(None), 1)[0].state == LetterState.HELD  # comparison-overlap
    mails.of_game(conn, "g", [])[0].sent  # attr-defined
    games.backup(conn, "g").restored_to  # union-attr
"""


@pytest.mark.slow
def test_a_wrong_column_or_state_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "wrong.py"
    file.write_text(WRONG, encoding="utf-8")
    run = subprocess.run(
        [
            sys.executable,
            "-m",
            "mypy",
            "--no-error-summary",
            "--cache-dir",
            str(tmp_path / "cache"),
            "--config-file",
            str(ROOT / "pyproject.toml"),
            "--follow-imports=silent",
            str(file),
        ],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert run.returncode == 1, run.stderr
    errors = [line for line in run.stdout.splitlines() if ": error: " in line]
    found = [(int(line.split(":")[1]), line.rpartition("[")[2].rstrip("]")) for line in errors]
    wanted = [
        (number, line.partition("# ")[2])
        for number, line in enumerate(WRONG.splitlines(), 1)
        if "  # " in line
    ]
    assert found == wanted, run.stdout


def test_a_row_has_the_columns_of_its_table_in_their_types() -> None:
    def columns(record: type) -> list[str]:
        table: Table = record.__table__  # type: ignore[attr-defined]
        return [column.name for column in table.columns]

    assert {f.name for f in fields(game_rows.WholeGameRow)} == set(columns(Game))
    assert {f.name for f in fields(game_rows.PeriodRow)} == (
        set(columns(Period)) - {"state"} | {"due_before", "closed_before"}
    )
    assert game_rows.GameColumns.__annotations__.keys() < set(columns(Game))
    assert game_rows.GameStateColumns.__annotations__.keys() < set(columns(Game))
    assert game_rows.SeatColumns.__annotations__.keys() < set(columns(Seat))
    assert game_rows.PeriodColumns.__annotations__.keys() < set(columns(Period))
    assert set(letter_rows.FiledRow._fields) <= set(columns(Letter))
    assert set(letter_rows.LetterRow._fields) <= set(columns(Letter)) | {"known", "doubted", "had"}
