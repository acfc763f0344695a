"""PostgreSQL lets us in and does not let us write: that is its operator's to mend, and no fault of
the program."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine, create_engine, text
from sqlalchemy.exc import DBAPIError

from pbem.daemon import logs
from pbem.errors import DatabaseError
from pbem.store.engine import database
from pbem.store.engine.database import exclusive_transaction, reading
from tests.faults.test_database_trouble import tried
from tests.installation import PASSWORD, SEATS, Installation
from tests.shell import Shell

pytestmark = pytest.mark.needs("postgresql")
READ_ONLY = "ALTER DATABASE {name} SET default_transaction_read_only = on"
WRITABLE = "ALTER DATABASE {name} RESET default_transaction_read_only"


@pytest.fixture
def at(tmp_path: Path, postgresql_url: str) -> Iterator[Installation]:
    with Installation(tmp_path, "coalition", seats=SEATS, url=postgresql_url) as made:
        made.start()
        yield made


def as_operator(engine: Engine, *statements: str) -> None:
    """What the operator of the server does there; our sessions begin anew after it."""
    theirs = create_engine(
        engine.url, connect_args={"options": "-c default_transaction_read_only=off"}
    )
    with theirs.begin() as conn:
        for one in statements:
            conn.execute(text(one.format(name=engine.url.database)))
    theirs.dispose()
    engine.dispose()


def confined(engine: Engine) -> Engine:
    """The same database, for a role that owns nothing there and may only read."""
    role = f"guest_{engine.url.database}"
    as_operator(
        engine,
        f"CREATE ROLE {role} LOGIN",
        f"GRANT SELECT ON ALL TABLES IN SCHEMA public TO {role}",
    )
    return database.connect(engine.url.set(username=role).render_as_string(False))


def test_a_read_only_server_is_trouble_until_it_is_over(
    at: Installation, capsys: pytest.CaptureFixture[str]
) -> None:
    logs.configure(as_json=True)
    at.write("A", "SPECIAL AGR")
    as_operator(at.daemon.engine, READ_ONLY)
    capsys.readouterr()
    assert tried(at, 3, lambda: as_operator(at.daemon.engine, WRITABLE)) == [1, 2, 4]
    assert at.standing("A") == ["SPECIAL AGR"]
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    events = ["database trouble", "letter", "pass", "database well again"]
    assert [line["event"] for line in lines] == events
    assert "default_transaction_read_only" in lines[0]["error"]
    assert "[SQL" not in lines[0]["error"]


def test_a_right_that_is_not_ours_says_who_gives_it(at: Installation) -> None:
    guest = confined(at.daemon.engine)
    with reading(guest) as conn:
        assert conn.exec_driver_sql("SELECT count(*) FROM letter").scalar() is not None
    with (
        pytest.raises(DatabaseError, match="it must own them") as refused,
        exclusive_transaction(guest) as c,
    ):
        c.exec_driver_sql("UPDATE memo SET value = value")
    assert "UPDATE" not in str(refused.value) and "sqlalche.me" not in str(refused.value)
    guest.dispose()


@pytest.mark.parametrize("trouble", ["read-only", "rights"])
def test_a_command_ends_as_with_a_server_that_is_away(
    at: Installation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trouble: str
) -> None:
    monkeypatch.setenv("PBEM_TEST_PASSWORD", PASSWORD)
    shell, engine = Shell(at, tmp_path / "config.toml"), at.daemon.engine
    if trouble == "rights":
        guest = confined(engine)
        url = guest.url.render_as_string(False)
        shell.write(shell.file.read_text().replace(at.url, url))
        guest.dispose()
    else:
        as_operator(engine, READ_ONLY)
    said = " ".join(shell.fails("extend", at.game, "360", "--why", "a strike", code=3).split())
    mend = "our role the rights" if trouble == "rights" else "default_transaction_read_only"
    assert mend in said and "Traceback" not in said and "[SQL" not in said


def test_a_new_database_that_is_not_ours_to_fill_says_so(postgresql_url: str) -> None:
    engine = database.connect(postgresql_url)
    guest = confined(engine)
    with pytest.raises(DatabaseError, match="it must own them"):
        database.upgrade(guest)
    guest.dispose()
    engine.dispose()


def test_what_we_ask_wrongly_stays_a_fault_of_the_program(at: Installation) -> None:
    for wrong in ("SELECT * FROM nowhere", "SELECT nothing FROM letter", "SELEKT 1"):
        with pytest.raises(DBAPIError), exclusive_transaction(at.daemon.engine) as conn:
            conn.exec_driver_sql(wrong)
