"""The store: rows and states are typed, a migration that has landed stays as it is, what is asked at each pass has
an index, and every statement is here."""

import ast
import hashlib
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from sqlalchemy import Engine, text
from sqlalchemy.sql.compiler import SQLCompiler

from pbem.cli import main
from pbem.errors import OperatorError
from pbem.store.engine import database
from tests import installation, statements
from tests.installation import SEATS, Installation
from tests.net import letters as letters_net

ROOT = Path(__file__).parents[2]
WRONG = """
from sqlalchemy import Connection
from pbem.letters.copies import Likeness
from pbem.letters.states import LetterState
from pbem.store.games import games, order_sets, periods
from pbem.store.journal import notes
from pbem.store.letters import letters, registrations, undecided
from pbem.store.mails import (mails)
from pbem.store.engine.among import Among
from pbem.store.schema.states import GameState, MailState, PeriodState
from pbem.store.schema.tables import Letter

def right(conn: Connection) -> None:
    at = games.game_at(conn, "g")
    periods.set_state(conn, at.id, at.period.number, PeriodState.CLOSING)
    if at.row.status == GameState.HELD and at.period.due is not None:
        letters.set_state(conn, 1, LetterState.HELD)

def wrong(conn: Connection) -> None:
    at = games.game_at(conn, "g")
    at.period.dew  # attr-defined
    at.game.state  # attr-defined
    at.period.due.isoformat()  # union-attr
    at.row.status == PeriodState.OPEN  # comparison-overlap
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
    letters.numbers(conn, [MailState.HELD], Among(None))  # list-item
    letters.of_seat(conn, "g", "A", 1)[0].outcome == MailState.HELD  # comparison-overlap
    letters.held(conn, "g")[0].state  # attr-defined
    letters.stored(conn).oldest.isoformat()  # union-attr
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


VERSIONS = Path(__file__).parents[2] / "migrations" / "versions"
LANDED = {"0018_the_tables": "8bfc8764e2e0768e"}
"""What each does, hashed. A new one is added here when it lands; an old line never changes."""


def does(file: Path) -> str:
    """A hash of what a migration does: of its code without its docstrings and comments."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        match node:
            case ast.Module(body=[ast.Expr(value=ast.Constant() as said), *_]):
                said.value = ""
            case ast.FunctionDef(body=[ast.Expr(value=ast.Constant() as said), *_]):
                said.value = ""
    return hashlib.sha256(ast.dump(tree).encode()).hexdigest()[:16]


def test_no_migration_that_has_landed_is_edited() -> None:
    edited = [name for name in LANDED if does(VERSIONS / f"{name}.py") != LANDED[name]]
    assert edited == [], "add a new migration instead"


def test_only_the_newest_are_not_on_the_list() -> None:
    there = sorted(file.stem for file in VERSIONS.glob("0*.py"))
    assert there[: len(LANDED)] == sorted(LANDED)


def test_an_upgrade_over_broken_tables_says_so(tmp_path: Path) -> None:
    """As from a version between two releases, whose migration was edited later."""
    url, config = f"sqlite:///{tmp_path}/pbem.db", tmp_path / "config.toml"
    config.write_text(
        f'[referee]\naddress = "r@g.example"\ngamesmaster = "gm@g.example"\ndatabase = "{url}"\n'
        '[imap]\nhost = "127.0.0.1"\nuser = "r"\n[smtp]\nhost = "127.0.0.1"\n'
    )
    command = ["db", "upgrade", "--config", str(config)]
    done = CliRunner().invoke(main, command)
    assert done.exit_code == 0, done.output
    engine = database.connect(url)
    with engine.begin() as conn:
        conn.execute(text("DROP INDEX ix_address_soft_bounces"))
        conn.execute(text("ALTER TABLE standby DROP COLUMN invited_for"))
    engine.dispose()
    again = CliRunner().invoke(main, command)
    assert again.exit_code == 1 and "standby" in again.output, again.output


def test_a_database_older_than_1_0_is_sent_through_it(tmp_path: Path) -> None:
    engine = database.connect(f"sqlite:///{tmp_path}/pbem.db")
    database.upgrade(engine)
    with engine.begin() as conn:
        conn.execute(text("UPDATE alembic_version SET version_num = '0011'"))
    with pytest.raises(OperatorError, match=r"`pbem db upgrade` of pbem 1\.0\.0 first"):
        database.upgrade(engine)
    engine.dispose()


FEW = ("away", "deputy", "free_seat", "memo", "protest", "cursor", "anon_1")
"""Tables with a row for what is under way or for a folder, and a partial index, and what a
statement has found itself: they may be read whole."""
DAILY = (
    *("UPDATE letter SET raw=", "UPDATE outgoing SET raw="),
    *("DELETE FROM inquiry", "DELETE FROM rematch", "DELETE FROM report"),
)
"""What is done once a day."""


@contextmanager
def scans(engine: Engine) -> Iterator[dict[str, str]]:
    """Collect what reads a whole table: SQLite's word for it, and the statement."""
    found: dict[str, str] = {}
    with statements.told(engine) as said:
        yield found
    with closing(sqlite3.connect(str(engine.url.database))) as conn:
        for statement in {*said}:
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


PBEM = Path(__file__).parents[2] / "pbem"
TYPES = {"Connection", "Engine"}
"""What another room may import of SQLAlchemy, besides its errors: what it hands on."""


def _of_statements(tree: ast.AST) -> set[str]:
    """What a module imports, anywhere, by which it builds statements."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names if alias.name.startswith("sqlalchemy")}
        elif isinstance(node, ast.ImportFrom):
            module, names = str(node.module), {alias.name for alias in node.names}
            if module == "sqlalchemy":
                found |= names - TYPES
            elif module.startswith("sqlalchemy.") and module != "sqlalchemy.exc":
                found.add(module)
    return found


def test_no_other_room_builds_statements() -> None:
    found: dict[str, set[str]] = {}
    for path in sorted(PBEM.rglob("*.py")):
        room, *_ = path.relative_to(PBEM).parts
        if room != "store" and _of_statements(ast.parse(path.read_text(encoding="utf-8"))):
            found.setdefault(room, set()).add(path.stem)
    assert not found


@pytest.mark.slow
def test_a_statement_is_compiled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Over letters with every word. Twice is another form of it: without a lock, in another order."""
    made: Counter[str] = Counter()
    real = SQLCompiler.__init__

    def counted(self: SQLCompiler, *given: Any, **named: Any) -> None:
        real(self, *given, **named)
        made[self.string] += 1

    monkeypatch.setattr(installation, "_COMPILED", {})  # another test may have compiled them
    for _ in letters_net.observe("words-none"):
        monkeypatch.setattr(SQLCompiler, "__init__", counted)  # when the first game is open
    often = {text: n for text, n in made.items() if n > 2 and "SAVEPOINT" not in text}
    assert made and not often
