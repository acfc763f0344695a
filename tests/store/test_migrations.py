"""A migration that has landed is never edited: databases stand at it that the edit does not reach."""

from __future__ import annotations

import ast
import hashlib
from pathlib import Path

from click.testing import CliRunner
from sqlalchemy import text

from pbem.cli import main
from pbem.store.engine import database

VERSIONS = Path(__file__).parents[2] / "migrations" / "versions"
LANDED = {
    "0001_the_first_tables": "89c20aa7eff9102b",
    "0002_part_one": "31142a395a766691",
    "0003_states": "1e477c979b05c76c",
    "0004_the_gamesmasters_acts": "c4920c9e6da435e6",
    "0005_players_wishes": "5a2001248287d0b0",
    "0006_faces_and_calendars": "a28c448c8a6c970c",
    "0007_links": "9054987259336131",
    "0008_open_tables": "4e66478f53c77e10",
    "0009_very_many_games": "a4868d5b52c28600",
    "0010_lines_of_the_outbox": "8e8010c1d58d0a1d",
    "0011_pictures_once": "8aea5b1eae43b15b",
    "0012_marks_of_signatures": "442b549d0413e51c",
    "0013_letters_in_two_lines": "ca279994080e7e3e",
    "0014_close_asked": "dbae76bc5d6df5d1",
    "0015_practice": "6db5d95f91502589",
    "0016_suggestions": "153665123fe94f86",
    "0017_house_bots_at_tables": "f4e4d0255f4c0a87",
    "0018_index_of_kinds": "4da4f38af346d84b",
}
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
