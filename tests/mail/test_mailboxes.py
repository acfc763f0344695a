"""Several mailboxes in one installation, one a club: each is read, and what is due waits for all."""

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select

from pbem.house.config import Config
from pbem.post.clock import Reading
from pbem.post.imap import Mailbox
from pbem.referee.acts import letter_acts
from pbem.store.engine.database import reading
from pbem.store.journal import notes
from pbem.store.schema.tables import Letter
from tests.installation import GAMESMASTER, PASSWORD, REFEREE, SEATS, Installation, absent
from tests.subjects import subjects

CLUB = "club@game.example"


class Clubs(Installation):
    def config(self) -> Config:
        found = super().config()
        return found.with_mailboxes(found.imap, found.imap.model_copy(update={"user": CLUB}))

    def to_club(self, seat: str, text: str) -> bytes:
        raw = self.letter(seat, text, To=CLUB)
        self.office.deliver(CLUB, raw, self.clock)
        return raw


@pytest.fixture
def at(tmp_path: Path) -> Iterator[Clubs]:
    with Clubs(tmp_path, "coalition", seats=SEATS, strangers=(CLUB,)) as made:
        made.start()
        yield made


def filed(at: Installation) -> Counter[tuple[str, str]]:
    with reading(at.daemon.engine) as conn:
        return Counter(
            (row.account, row.outcome)
            for row in conn.execute(select(Letter.account, Letter.outcome))
        )


FIRST, SECOND = f"{REFEREE}@127.0.0.1", f"{CLUB}@127.0.0.1"


def test_each_is_read_and_its_letters_put_away_there(at: Clubs) -> None:
    assert PASSWORD and at.once().letters == 0
    at.write("A", "SPECIAL AGR")
    copied = at.to_club("B", "SPECIAL AGR")
    at.office.deliver(REFEREE, copied, at.clock)
    assert at.once().letters == 3
    assert at.standing("A") == at.standing("B") == ["SPECIAL AGR"]
    assert filed(at) == {(FIRST, "orders"): 2, (SECOND, "duplicate"): 1}
    for box, number in ((REFEREE, 2), (CLUB, 1)):
        assert at.office.messages(box) == []
        assert len(at.office.messages(box, "Processed")) == number


def test_one_that_takes_long_to_read_makes_no_letter_of_another_come_from_the_future(
    at: Clubs,
) -> None:
    steady = [0.0]
    at.daemon.read = lambda: Reading(at.clock, steady[0])

    def slow(point: str) -> None:
        if point == "inbox.stored":
            steady[0] += 200.0

    at.daemon.crash = at.daemon.referee.crash = slow
    at.write("A", "SPECIAL AGR")
    at.office.deliver(
        CLUB, at.letter("B", "SPECIAL AGR", To=CLUB), at.clock + timedelta(seconds=190)
    )
    assert at.once().decided == 2
    at.later(minutes=10)
    assert not [one for one in subjects(at, GAMESMASTER) if "clocks" in one]


def test_nothing_closes_while_one_of_them_is_away(at: Clubs) -> None:
    club = at.daemon.readers[1]
    there, club.mailbox = club.mailbox, Mailbox(absent(club.mailbox.account))
    at.to_club("A", "SPECIAL AGR")
    at.clock = at.table().period.due
    assert at.once().closed == 0
    at.write("B", "STATUS")
    assert at.once().decided == 1  # the other one is read meanwhile
    assert at.table().period.number == 1
    assert any("imap does not answer" in one for one in subjects(at, GAMESMASTER))
    club.mailbox = there
    at.once()
    assert at.table().period.number == 2
    assert at.view("A")["specials"] == ["AGR"]


@pytest.mark.needs("postgresql")
def test_two_daemons_that_each_read_one_keep_deadlines_after_a_quiet_time(
    tmp_path: Path, postgresql_url: str
) -> None:
    """Each closes nothing without word of what the other has read, and gives no word before it has
    seen that its clock is right; which it looks at for the other's sake too."""
    with Clubs(tmp_path, "coalition", seats=SEATS, strangers=(CLUB,), url=postgresql_url) as at:
        at.start()
        at.daemon.close()
        at.daemon = at.new_daemon()
        both = [at.daemon, at.new_daemon()]
        for n, daemon in enumerate(both):
            daemon._stays, daemon.patience = True, 0.0
            daemon.read = lambda: Reading(at.clock, at.clock.timestamp())
            daemon.server = lambda _: at.clock
            assert daemon.readers[n].turn.mine()
        try:
            for _ in range(15):
                at.clock += timedelta(minutes=1)
                assert [daemon.pass_now().closed for daemon in both] == [0, 0]
            at.clock = at.table().period.due
            done = [daemon.pass_now().closed for daemon in both + both]
            assert sum(done) == 1 and at.table().period.number == 2
        finally:
            both[1].close()


@pytest.mark.needs("postgresql")
def test_deadlines_do_not_wait_for_another_daemon_in_silence(
    tmp_path: Path, postgresql_url: str
) -> None:
    """It has a mailbox, and does nothing."""
    with Clubs(tmp_path, "coalition", seats=SEATS, strangers=(CLUB,), url=postgresql_url) as at:
        at.start()
        at.daemon.patience, other = 0.0, at.new_daemon()
        try:
            assert other.readers[1].turn.mine()
            assert at.once().trouble == []
            at.clock = at.table().period.due
            done = at.once()
            assert done.closed == 0
            assert done.trouble == [f"what is due waits: nobody says that {SECOND} was read"]
            at.once()
            assert subjects(at, GAMESMASTER).count("[pbem] what is due waits") == 1
            told = " ".join(at.newest(GAMESMASTER).split())
            assert f"another daemon reads {SECOND}" in told
        finally:
            other.close()
        at.clock += timedelta(minutes=1)
        assert at.once().closed == 1


def test_after_a_restore_the_processed_letters_of_each_are_read(at: Clubs) -> None:
    backup = at._settled()
    at.write("A", "SPECIAL AGR")
    at.to_club("B", "SPECIAL AGR")
    at.once()
    at._settled()
    at.daemon.close()
    assert at.file
    at.file.write_bytes(backup)
    at.daemon = at.new_daemon()
    at.act(letter_acts.restore)
    club = at.daemon.readers[1]
    there, club.mailbox = club.mailbox, Mailbox(absent(club.mailbox.account))
    assert at.once().letters == 1
    with reading(at.daemon.engine) as conn:
        assert notes.memo(conn, notes.UNREAD)["read"] == [FIRST]
    club.mailbox = there
    assert at.once().letters == 1
    with reading(at.daemon.engine) as conn:
        assert notes.memo(conn, notes.UNREAD) == {}
    assert at.once().letters == 0
