"""`pbem restore`: the database came back from a backup, and the mail server knows more than it."""

import re
import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner

from pbem.cli import main
from pbem.periods import deadline_acts, own_page, replay
from pbem.referee.acts import letter_acts
from pbem.referee.game import arrivals
from pbem.store.engine.database import exclusive_transaction
from pbem.store.games import games, periods
from tests.desk.visitor import Visitor
from tests.installation import GAMESMASTER, REFEREE, SEATS, SLATE, Installation, desk


def back_up(at: Installation) -> Path:
    kept = at.folder / "backup.db"
    with (
        closing(sqlite3.connect(at.folder / "pbem.db")) as live,
        closing(sqlite3.connect(kept)) as copy,
    ):
        live.backup(copy)
    return kept


def put_back(at: Installation, kept: Path) -> None:
    at.daemon.close()
    for leftover in ("pbem.db-wal", "pbem.db-shm"):
        (at.folder / leftover).unlink(missing_ok=True)
    shutil.copy(kept, at.folder / "pbem.db")
    at.daemon = at.new_daemon()


def restore(at: Installation) -> None:
    at.act(letter_acts.restore)


def accept(at: Installation, game: str = "g", before: datetime | None = None) -> arrivals.Accepted:
    """The gamesmaster's command for all that a restore holds; ``before``: his word that the period
    was open until then."""
    return at.act(arrivals.accept, game, before)


def let_go(at: Installation) -> None:
    with exclusive_transaction(at.daemon.engine) as conn:
        letter_acts.restore(at.work(conn), release_outbox=True)
        deadline_acts.resume(at.work(conn), "g")


def test_letters_that_the_backup_does_not_know_are_read_again_from_the_processed_folder(
    at: Installation,
) -> None:
    at.send("A", f"PROPOSE {SLATE}")
    kept = back_up(at)
    at.write("A", "SPECIAL AGR")
    at.send("B", "SPECIAL ENV")
    at.send("B", "SPECIAL JUS")
    before = {seat: at.standing(seat) for seat in SEATS}
    count = {seat: len(at.mails(seat)) for seat in SEATS}
    put_back(at, kept)
    assert at.standing("B") == []
    restore(at)
    at.once()
    assert [outcome for outcome, _ in at.outcomes()] == ["orders"] + ["held"] * 3, (
        "the known letter has no second row"
    )
    assert accept(at).taken == (), "nothing says that they are for period 1"
    assert accept(at, before=at.clock).taken == (2, 3, 4)
    at.once()
    assert {seat: at.standing(seat) for seat in SEATS} == before
    assert [outcome for outcome, _ in at.outcomes()] == ["orders"] * 4
    assert {seat: len(at.mails(seat)) for seat in SEATS} == count, (
        "nothing goes out before the gamesmaster has looked"
    )
    let_go(at)
    at.once()
    at.once()
    assert len(at.mails("B")) > count["B"]
    assert at.to_deadline().closed == 1
    with exclusive_transaction(at.daemon.engine) as conn:
        assert replay.replay(conn, "g").faults == []
    assert at.view()["motion"] is not None


def test_a_letter_for_a_period_that_the_backup_has_not_reached_waits_for_the_gamesmaster(
    at: Installation,
) -> None:
    at.send("A", f"PROPOSE {SLATE}")
    kept = back_up(at)
    at.to_deadline()
    at.send("B", 'NAME "Later"')
    put_back(at, kept)
    restore(at)
    at.once()
    assert [outcome for outcome, _ in at.outcomes()] == ["orders", "held"]
    let_go(at)
    at.to_deadline()
    assert at.table().period.number == 2
    at.act(letter_acts.accept, 2)
    at.once()
    assert at.standing("B") == ['NAME "Later"']


def test_the_desk_shows_each_letter_and_when_each_period_had_closed(at: Installation) -> None:
    kept = back_up(at)
    at.send("A", "PERIOD 1\nSPECIAL AGR")
    at.to_deadline()
    at.send("B", "PERIOD 2\nSPECIAL ENV")
    put_back(at, kept)
    restore(at)
    at.once()
    visitor = Visitor(at).come_in()
    settled = [str(one.attributes["id"]) for one in visitor.find(".ways button")]
    assert settled[-1].startswith("restored-"), "the mails go out last"
    visitor.press("Accept all that were held after the restore")
    assert "The next pass takes letter 1 of g. Still held: 2" in visitor.words.replace(
        "g.S", "g. S"
    )
    assert "This order would then stand for A (Player A) in period 1 of g: SPECIAL AGR" in (
        visitor.words
    )
    assert "It stays held. In it is this order:SPECIAL ENV" in visitor.words
    assert "2 letters are opened" in visitor.words
    assert "Period 1 had closed by Tuesday 10 March 2026" in visitor.words
    assert "letter 2 speaks of period 2" in visitor.words
    assert at.standing("A") == [] and at.outcomes()[0][0] == "held"


def test_the_commands(at: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    """The whole procedure as the manual has it: put the file back, restore, a pass, look, release,
    resume."""
    server = 'host = "127.0.0.1"\nsecurity = "none"\npassword_env = "PBEM_TEST_PASSWORD"\n'
    config = at.folder / "config.toml"
    config.write_text(
        f'[referee]\naddress = "{REFEREE}"\ngamesmaster = "{GAMESMASTER}"\ndatabase ='
        f' "{at.url}"\n[imap]\n{server}port = {at.office.imap_port}\nuser ='
        f' "{REFEREE}"\n[smtp]\n{server}port = {at.office.smtp_port}\n'
    )

    def pbem(*words: str) -> str:
        done = CliRunner().invoke(main, [*words, "--config", str(config)])
        assert done.exit_code == 0, done.output
        return done.output

    at.clock = datetime.now(UTC)
    with exclusive_transaction(at.daemon.engine) as conn:
        periods.set_period(
            conn, "g", 1, base=at.clock + timedelta(days=3), due=at.clock + timedelta(days=3)
        )
    kept = back_up(at)
    at.write("A", "PERIOD 1\nSPECIAL AGR")
    at.send("B", "SPECIAL ENV")
    put_back(at, kept)
    assert "are held" in pbem("restore")
    pbem("once")
    assert at.standing("A") == []
    assert "pbem accept --game g   or  pbem accept 1   or  pbem dismiss 1" in pbem("queue")
    assert pbem("queue").count("--game g") == 1, "B's letter does not say for which period it is"
    assert pbem("accept", "--game", "g").splitlines() == [
        "The next pass takes letter 1 of g.",
        "Still held: 2; see `pbem queue g`.",
    ]
    tomorrow = (at.clock + timedelta(days=1)).strftime("%Y-%m-%d %H:%M")
    assert (
        pbem("accept", "--game", "g", "--before", tomorrow)
        == "The next pass takes letter 2 of g.\n"
    )
    pbem("once")
    assert at.standing("A") == ["SPECIAL AGR"] and at.standing("B") == ["SPECIAL ENV"]
    assert at.table().row.status == "held"
    assert "may go out" in pbem("restore", "--release-outbox")
    pbem("resume", "--all")
    assert at.table().row.status == "running"
    before = len(at.mails("A"))
    pbem("once")
    assert len(at.mails("A")) > before
    assert {state for _, state in at.outbox()} == {"sent"}


def test_a_calendars_word_counts_above_all_that_was_mailed_before(at: Installation) -> None:
    """RFC 5545, 3.3.8: and within 31 bits, long after this is written."""
    at.send("B", "CALENDAR ON")
    kept, counted = back_up(at), list[str]()
    at.clock = datetime(2080, 1, 1, tzinfo=UTC)
    for n in range(3):
        with desk(at) as work:
            if n == 0:
                deadline_acts.hold(work, "g", "a fire")
            deadline_acts.resume(work, "g")
            dated = own_page.of(work, games.game_at(work.conn, "g"))
        counted += re.findall("SEQUENCE:([0-9]+)", dated)
        put_back(at, kept)
        at.clock += timedelta(minutes=1)
        restore(at)
        at.daemon.close()
        at.daemon = at.new_daemon()
    numbered = [int(one) for one in counted]
    assert numbered == sorted(set(numbered)) and len(numbered) == 3
    assert numbered[-1] < 2**31
