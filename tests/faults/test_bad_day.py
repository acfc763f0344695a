"""Several troubles at once: what one of them leaves undone must not be done wrongly by the next
step of the pass."""

import shutil
import socket
import urllib.request
from datetime import datetime, timedelta

import pytest
from sqlalchemy import create_engine, select, update

from pbem.daemon import logs, metrics
from pbem.daemon.passes import MailReader
from pbem.errors import DatabaseError, NotWritten, OutsideError
from pbem.periods import claims, closing
from pbem.post.clock import Reading
from pbem.post.imap import Mailbox
from pbem.post.smtp import Transport
from pbem.store.engine.database import exclusive_transaction
from pbem.store.games import games as store
from pbem.store.schema.tables import Game, Period
from tests.installation import GAMESMASTER, Installation, absent, text_of

pytestmark = pytest.mark.game("coalition", strangers=("spare@legit.example",))


def asked(at: Installation, game: str = "g", days: int = 7) -> None:
    """A is asked whether he goes on, and has some days to say so; another stands by."""
    with exclusive_transaction(at.daemon.engine) as conn:
        claims.enlist(at.work(conn), game, "spare@legit.example", "Spare")
        store.set_seat(conn, game, "A", asked_until=at.clock + timedelta(days=days))


def test_a_player_who_was_asked_keeps_his_seat_while_the_mailbox_is_away(at: Installation) -> None:
    asked(at)
    at.clock += timedelta(days=6)
    at.write("A", "CONTINUE")
    good, at.daemon.readers[0].mailbox = (
        at.daemon.readers[0].mailbox,
        Mailbox(absent(at.daemon.readers[0].mailbox.account)),
    )
    at.later(days=2)
    assert at.table().holders["A"].address == "a@legit.example"
    at.daemon.readers[0].mailbox = good
    at.once()
    at.once()
    assert at.table().holders["A"].address == "a@legit.example"


@pytest.mark.parametrize(
    "refusal", [NotWritten("it takes nothing", full=False), OutsideError("it says nothing")]
)
def test_a_player_who_was_asked_keeps_his_seat_until_the_clock_is_known(
    at: Installation, refusal: OutsideError
) -> None:
    """The machine was started with its clock days ahead, and the mail server does not say what time
    it is."""
    asked(at)

    def server(_: MailReader) -> datetime:
        raise refusal

    at.daemon.close()
    at.daemon = at.new_daemon()
    at.daemon.server = server
    at.daemon.read = lambda: Reading(at.clock + timedelta(days=8), 5.0)
    at.daemon.pass_now()
    assert at.table().holders["A"].address == "a@legit.example"
    assert not [mail for mail in at.mails("B") if "Reminder" in str(mail["Subject"])]


def broken(at: Installation, *games: str) -> None:
    """Positions that this program cannot read, as a process finds them that has just begun."""
    with exclusive_transaction(at.daemon.engine) as conn:
        conn.execute(
            update(Period)
            .where(Period.game_id.in_(games))
            .values(state={"schema": 1}, state_hash="nobody knows it")
        )


def statuses(at: Installation) -> dict[str, str]:
    with exclusive_transaction(at.daemon.engine) as conn:
        return {row.id: row.status for row in conn.execute(select(Game.id, Game.status))}


def test_a_game_that_cannot_be_read_keeps_no_other_from_being_held(at: Installation) -> None:
    at.start("broken")
    at.start("z")
    began = at.clock
    at.daemon.read = lambda: Reading(began, 0.0)
    at.daemon.turn()
    broken(at, "broken")
    at.daemon.read = lambda: Reading(began + timedelta(hours=1), 1.0)
    at.daemon.turn()
    assert set(statuses(at).values()) == {"held"}
    assert any("all games are held" in str(mail["Subject"]) for mail in at.mails(GAMESMASTER))


def test_a_game_that_cannot_be_read_keeps_no_other_from_its_deadline(at: Installation) -> None:
    """Whatever a pass does for it: look at its period, replace who was silent, let it go on, tell
    of it in the digest."""
    logs.configure(as_json=True)
    for game in ("broken", "mailbox", "silent", "z"):
        at.start(game)
    with exclusive_transaction(at.daemon.engine) as conn:
        store.hold(conn, "mailbox", closing.MAILBOX, at.clock)
    asked(at, "silent", days=1)
    broken(at, "broken", "mailbox", "silent")
    done = at.to_deadline()
    assert (done.closed, at.table().period.number) == (2, 2), "g and z"
    assert statuses(at) == {
        "g": "running",
        "z": "running",
        "broken": "held",
        "mailbox": "held",
        "silent": "held",
    }
    told = [str(mail["Subject"]) for mail in at.mails(GAMESMASTER)]
    for words in (
        "game broken is held: period 1 failed",
        "game silent is held: A could not be offered to others",
        "game mailbox is held: it could not go on",
    ):
        assert sum(words in subject for subject in told) == 1, words
    at.later(hours=12)
    digest = [text_of(mail) for mail in at.mails(GAMESMASTER) if "Digest" in str(mail["Subject"])][
        -1
    ]
    assert "period 1 (its record cannot be read: " in " ".join(digest.split())
    assert at.mails("B")[-1]["Subject"], "mails go out"


# --- the watcher ----------------------------------------------------------------------------------


def test_a_client_that_says_nothing_keeps_nobody_from_the_health_page() -> None:
    pulse = metrics.Pulse(lambda: 0.0)
    pulse.beat([])
    watch = metrics.Watch(create_engine("sqlite://"), 0, pulse)
    with socket.create_connection(("127.0.0.1", watch.port)):
        with urllib.request.urlopen(f"http://127.0.0.1:{watch.port}/health", timeout=20) as page:
            assert page.status == 200
        watch.close()


# --- the clock ------------------------------------------------------------------------------------


def test_mails_do_not_wait_for_a_time_that_a_wrong_clock_named(at: Installation) -> None:
    """The mail server was away while the clock was days ahead; both are right again."""
    at.write("A", "SPECIAL AGR")
    good, before = at.daemon.carrier, len(at.mails("A"))
    at.daemon.carrier = Transport(absent(good.account))
    at.later(days=3)
    at.daemon.carrier = good
    at.clock -= timedelta(days=3)
    at.once()
    assert [str(mail["Subject"]) for mail in at.mails("A")[before:]] == ["Re: [g] 1 order taken"]


# --- the database's file --------------------------------------------------------------------------


@pytest.mark.parametrize("put", ["nothing", "a backup"])
def test_a_database_file_that_was_taken_away_is_not_written_on(at: Installation, put: str) -> None:
    """What is written to a file that has no name any more, or another's, is lost when the service
    ends."""
    file, aside = at.folder / "pbem.db", at.folder / "aside.db"
    at.once()
    if put == "a backup":
        shutil.copy(file, at.folder / "backup.db")
    file.rename(aside)
    if put == "a backup":
        (at.folder / "backup.db").rename(file)
    at.write("A", "SPECIAL AGR")
    for _ in range(2):
        with pytest.raises(DatabaseError, match=r"is not the file any more .* then `pbem restore`"):
            at.once()
    aside.rename(file)
    at.once()
    assert at.standing("A") == ["SPECIAL AGR"]
