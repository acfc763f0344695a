"""A migration that has landed is never edited: databases stand at it that the edit does not reach."""

import ast
import hashlib
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import text

from pbem.cli import main
from pbem.errors import OperatorError
from pbem.store.engine import database

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
        conn.execute(text("ALTER TABLE standby DROP COLUMN reply_by"))
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
