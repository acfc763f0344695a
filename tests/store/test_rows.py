"""Rows and states are typed: a wrong column and a wrong state are errors before anything runs."""

import subprocess
import sys
from pathlib import Path

import pytest

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
from pbem.store.schema.tables import Letter

def right(conn: Connection) -> None:
    at = games.game_at(conn, "g")
    periods.set_state(conn, at.id, at.period.number, PeriodState.CLOSING)
    if at.game.status == GameState.HELD and at.period.due is not None:
        letters.set_state(conn, 1, LetterState.HELD)

def wrong(conn: Connection) -> None:
    at = games.game_at(conn, "g")
    at.period.dew  # attr-defined
    at.game.state  # attr-defined
    at.period.due.isoformat()  # union-attr
    at.game.status == PeriodState.OPEN  # comparison-overlap
    games.game(conn, "g").table  # attr-defined
    games.set_state(conn, "g", PeriodState.OPEN)  # arg-type
    games.set_state(conn, "g", "held")  # arg-type
    periods.set_state(conn, "g", 1, "open")  # arg-type
    letters.set_state(conn, 1, GameState.HELD)  # arg-type
    letters.set_state(conn, 1, LetterState.OPEN)  # attr-defined
    mails.set_state(conn, 1, LetterState.HELD)  # arg-type
    order_sets.last_set(conn, "g", 1, "A").orders  # union-attr
    notes.unprinted(conn, "g")[0].words  # attr-defined
    letter = undecided.letter(conn, 1, Likeness("", "", "", ""))
    letter.came  # attr-defined
    letter.period = 2  # misc
    letter.outcome == GameState.HELD  # comparison-overlap
    letter.received > letter.id  # operator
    undecided.tried(conn, [1], wait=True)[0].body  # attr-defined
    undecided.first_copy(conn, Likeness("", "", "", "")).id  # union-attr
    Letter.one(conn, id=1).outcome  # union-attr
    waiting.commands_of(conn, "a", 1)[0].state  # attr-defined
    waiting.numbers(conn, [MailState.HELD], Among(None))  # list-item
    waiting.of_seat(conn, "g", "A", 1)[0].outcome == MailState.HELD  # comparison-overlap
    waiting.held(conn, "g")[0].state  # attr-defined
    waiting.stored(conn).oldest.isoformat()  # union-attr
    registrations.of_address(conn, "a")[0].status == LetterState.HELD  # comparison-overlap
    order_sets.with_letters(conn, "g", 1, "A")[0].number  # attr-defined
    mails.merged(conn)[0].outcome  # attr-defined
    mails.stuck(conn, Among(None), 1)[0].state == LetterState.HELD  # comparison-overlap
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
