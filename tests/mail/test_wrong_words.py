"""What a gamesmaster writes wrong at the shell: one line that says what and where, never a
traceback."""

from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import text

from pbem.cli import main
from pbem.store.engine import database
from pbem.store.engine.database import exclusive_transaction
from tests.installation import SEATS
from tests.shell import Shell

PLAYERS = [word for seat in SEATS for word in ("--player", f"{seat}={seat.lower()}@legit.example")]
NESTED = "x = " + "[" * 5000


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("hour=", "hour: '' is not an hour of the day"),
        ("hour=25:00", "hour: '25:00' is not an hour of the day"),
        ("early_hour=late", "early_hour: 'late' is not an hour of the day"),
        ("lengths=soon", "lengths: 'soon' is no length of time"),
    ],
)
def test_a_house_rule_is_named(shell: Shell, rule: str, said: str) -> None:
    refused = shell.fails("new", "coalition", "g", *PLAYERS, "--house", rule)
    assert refused.startswith(f"pbem: house rules of coalition: {said}")
    assert refused.count("\n") == 1


@pytest.mark.parametrize("command", ["accept", "dismiss", "resend", "retry"])
def test_a_number_that_no_database_holds(shell: Shell, command: str) -> None:
    assert "is more than 2147483647" in shell.fails(command, "9" * 20, code=2)


def test_a_command_of_before_says_what_it_is_now(shell: Shell) -> None:
    assert "is now: `pbem rule GAME --none" in shell.fails("unrule", "g", "3", code=2)


def test_a_letter_of_a_number_that_no_database_holds(shell: Shell) -> None:
    assert "is more than 2147483647" in shell.fails("letter", "--id", "9" * 20, code=2)


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("options = 5", "options: a table is wanted, as {PERIOD = 7}, not 5"),
        ('options = ["PERIOD"]', "options: a table is wanted, as {PERIOD = 7}, not ['PERIOD']"),
        (NESTED, "too many brackets within each other"),
    ],
)
def test_the_file_of_a_game(tmp_path: Path, written: str, said: str) -> None:
    (tmp_path / "game.toml").write_text(written)
    result = CliRunner().invoke(main, ["play", "coalition", str(tmp_path)])
    assert (result.exit_code, result.stderr.count("\n")) == (1, 1)
    assert f"{tmp_path / 'game.toml'}" in result.stderr and said in result.stderr


def test_a_configuration_of_brackets(shell: Shell) -> None:
    shell.write(NESTED)
    assert shell.fails("queue") == f"pbem: {shell.file}: too many brackets within each other\n"


def test_a_database_url_whose_port_is_no_number(shell: Shell) -> None:
    url = "postgresql+psycopg://us@host:port/pbem"
    shell.write(shell.file.read_text().replace(shell.at.url, url))
    assert f"database url {url!r}" in shell.fails("queue")


@pytest.mark.parametrize("words", [("queue",), ("db", "check"), ("db", "upgrade"), ("once",)])
def test_a_database_of_a_newer_program(shell: Shell, words: tuple[str, ...]) -> None:
    engine = database.connect(shell.at.url)
    with exclusive_transaction(engine) as conn:
        conn.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    engine.dispose()
    said = shell.fails(*words)
    assert "revision 9999, which this program" in said and "upgrade`" not in said
    assert said.count("\n") == 1
