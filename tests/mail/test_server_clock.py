"""In the first pass of a process the mail server's clock is read: a machine whose clock is days off
closes nothing."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from pbem.daemon.loop import Daemon
from pbem.daemon.passes import MailReader
from pbem.errors import OutsideError
from pbem.periods import deadline_acts
from pbem.post import server_clock
from pbem.post.clock import Reading
from pbem.post.compose import LOOP_MARK
from pbem.post.imap import Mailbox
from pbem.referee.acts import letter_acts
from pbem.store.engine.database import exclusive_transaction
from tests.installation import GAMESMASTER, REFEREE, SEATS, Installation, text_of
from tests.real import EVERYWHERE

Place = Callable[..., Installation]


@pytest.fixture
def at(tmp_path: Path, place: Place) -> Iterator[Installation]:
    """A game whose deadlines lie around the machine's real time, which is the mail server's too."""
    with place(tmp_path, "coalition", seats=SEATS) as made:
        made.clock = datetime.now(UTC)
        made.start()
        yield made


def restarted(at: Installation, off: timedelta) -> Daemon:
    """The daemon once more, on a machine whose clock is off by so much."""
    at.daemon.close()
    at.daemon = Daemon(at.config())
    at.daemon.read = lambda: Reading(datetime.now(UTC) + off, 5.0)
    return at.daemon


@EVERYWHERE
def test_a_restart_with_the_clock_days_ahead_closes_nothing(at: Installation) -> None:
    at.write("A", "SPECIAL AGR")
    due = at.table().period.due
    ahead = due - datetime.now(UTC) + timedelta(hours=2)
    daemon = restarted(at, ahead)
    assert daemon.pass_now().closed == 0
    assert at.table().period.number == 1 and at.table().period.due == due
    assert "is ahead of the mail server's" in at.table().row.held_because
    told = next(
        text_of(mail)
        for mail in at.mails(GAMESMASTER)
        if "all games are held" in str(mail["Subject"])
    )
    assert "pbem resume --all" in told
    assert at.office.messages(REFEREE, "Processed") == [] or LOOP_MARK not in str(
        at.office.messages(REFEREE, "Processed")
    )


def test_with_the_clock_right_it_closes_and_asks_once_in_a_process(at: Installation) -> None:
    at.clock = at.table().period.due
    asked: list[int] = []

    def server(_: MailReader) -> datetime:
        asked.append(1)
        return at.clock

    daemon = restarted(at, timedelta(0))
    daemon.read, daemon.server = lambda: Reading(at.clock, at.clock.timestamp()), server
    assert daemon.pass_now().closed == 1
    at.clock = at.table().period.due
    assert daemon.pass_now().closed == 1
    assert len(asked) == 1
    at.clock += timedelta(hours=1)
    daemon.read = lambda: Reading(at.clock, 5.0)
    daemon.pass_now()
    with exclusive_transaction(daemon.engine) as conn:
        deadline_acts.resume(at.work(conn), "g")
    at.clock = at.table().period.due
    daemon.read = lambda: Reading(
        at.clock, 5.0 + (at.clock - daemon.clock.last.wall).total_seconds()
    )  # type: ignore[union-attr]
    daemon.pass_now()
    assert len(asked) == 2, "the clock had jumped"


def test_it_is_asked_though_nothing_is_due(at: Installation) -> None:
    """A pass has more to do by the date than to close: it reminds, purges, lets codes lapse."""
    daemon, asked = restarted(at, timedelta(0)), []
    daemon.server = lambda _: asked.append(1) or datetime.now(UTC)  # type: ignore[func-returns-value]
    assert not daemon.pass_now().trouble and not daemon.pass_now().trouble
    assert len(asked) == 1


def test_without_an_answer_nothing_closes(at: Installation) -> None:
    def refuse(_: MailReader) -> Any:
        raise OutsideError("IMAP account: appending to 'Processed': no.")

    at.clock = at.table().period.due
    daemon = restarted(at, timedelta(0))
    daemon.read, daemon.server = lambda: Reading(at.clock, at.clock.timestamp()), refuse
    done = daemon.pass_now()
    assert done.closed == 0 and done.trouble and at.table().period.number == 1
    daemon.server = lambda _: at.clock
    at.clock += timedelta(minutes=1)
    assert daemon.pass_now().closed == 1


def test_the_gamesmasters_one_pass_from_cron_asks_too(at: Installation) -> None:
    daemon = restarted(at, at.table().period.due - datetime.now(UTC) + timedelta(hours=1))
    assert daemon.pass_once().closed == 0
    assert at.table().row.status == "held"


@EVERYWHERE
def test_the_letter_that_asks_is_gone_and_one_that_stayed_is_passed_over(at: Installation) -> None:
    """A crash between the two steps leaves it in the folder, where a restore finds it."""
    with Mailbox(at.daemon.readers[0].mailbox.account) as mailbox:
        mailbox.ensure("Processed")
        now = datetime.now(UTC)
        assert abs(server_clock.read(mailbox, "Processed", REFEREE) - now) < timedelta(minutes=1)
        assert at.office.messages(REFEREE, "Processed") == []

        def crash(*_: object) -> None:
            raise KeyboardInterrupt

        mailbox.sizes = crash  # type: ignore[method-assign]
        with pytest.raises(KeyboardInterrupt):
            server_clock.read(mailbox, "Processed", REFEREE)
        assert len(at.office.messages(REFEREE, "Processed")) == 1
    at.act(letter_acts.restore)
    at.once()
    assert [outcome for outcome, _ in at.outcomes()] == ["ignored"]


@pytest.mark.parametrize(
    ("server", "before", "after", "off"),
    [(0, 0, 0, 0), (5, 0, 10, 0), (-5, 0, 10, -5), (20, 0, 10, 10), (5, 10, 0, -5), (90, 0, 0, 90)],
)
def test_how_far_the_clocks_are_surely_apart(
    server: int, before: int, after: int, off: int
) -> None:
    noon = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
    times = [noon + timedelta(seconds=n) for n in (server, before, after)]
    assert server_clock.off(*times) == timedelta(seconds=off)
