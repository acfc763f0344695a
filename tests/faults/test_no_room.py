"""A mailbox that is full, and a folder of processed letters that cannot be written: alarms; letters
are read all the same."""

import shutil
import tempfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from pbem.daemon.loop import Daemon
from pbem.post.clock import Reading
from pbem.post.imap import Mailbox
from tests.clumsy import ClumsyPostOffice
from tests.installation import GAMESMASTER, PASSWORD, REFEREE, SEATS, Installation, text_of
from tests.servers import Dovecot, dovecot

QUOTA = """
mail_plugins = $mail_plugins quota
protocol imap {{
  mail_plugins = $mail_plugins imap_quota
}}
plugin {{
  quota = count:User quota
  quota_vsizes = yes
  quota_rule = *:storage={size}
  quota_grace = 0
}}
"""
NO_MOVE = "IMAP4rev1 UIDPLUS QUOTA IDLE"
NO_CREATE = """
mail_plugins = $mail_plugins acl
plugin {{
  acl = vfile:{folder}
}}
"""


class Divided(ClumsyPostOffice):
    """The referee's mailbox is Dovecot's; all others, and SMTP, the embedded post office's."""

    def __init__(self, boxes: dict[str, str], server: Dovecot) -> None:
        super().__init__(boxes)
        self.dovecot = server

    def __enter__(self) -> Any:
        super().__enter__()
        self.imap_port = self.dovecot.imap_port
        return self

    def deliver(self, address: str, raw: bytes, when: datetime | None = None) -> None:
        self.dovecot.deliver(address, raw, when or self.now())

    def messages(self, address: str, folder: str = "INBOX") -> list[bytes]:
        return (
            self.dovecot.messages(address, folder)
            if address == REFEREE
            else super().messages(address, folder)
        )


class Small(Installation):
    def post(self, raw: bytes) -> None:
        self.office.deliver(REFEREE, raw)


def opened(folder: Path, server: Dovecot) -> Small:
    made = Small(folder, "coalition", seats=SEATS)
    made.office = Divided(dict.fromkeys(made.boxes, PASSWORD), server)
    return made


@pytest.fixture(params=["MOVE", "COPY"])
def at(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Installation]:
    """A mailbox of 40 KB, on a server that moves letters, or one that copies and deletes."""
    capability = None if request.param == "MOVE" else NO_MOVE
    size = QUOTA.format(size="40K")
    with (
        dovecot({REFEREE: PASSWORD}, capability=capability, settings=size) as server,
        opened(tmp_path, server) as made,
    ):
        made.start()
        yield made


def alarms(at: Installation) -> list[str]:
    subjects = [str(mail["Subject"]) for mail in at.mails(GAMESMASTER)]
    return [one for one in subjects if one.startswith("[pbem] ") and "Digest" not in one]


def fill(at: Installation, size: int) -> None:
    """A letter of somebody's, which stays where it is."""
    with Mailbox(at.daemon.readers[0].mailbox.account) as mailbox:
        mailbox.ensure("Others")
        mailbox.append("Others", b"Subject: large\r\n\r\n" + (b"x" * 70 + b"\r\n") * (size // 72))


@pytest.mark.needs("dovecot")
def test_a_mailbox_that_fills_is_an_alarm_a_day_and_the_games_go_on(at: Installation) -> None:
    assert alarms(at) == []
    fill(at, 38_000)
    at.send("A", "SPECIAL AGR")
    at.once()
    at.once()
    assert at.standing("A") == ["SPECIAL AGR"]
    assert [one for one in alarms(at) if "full" in one] == ["[pbem] the mailbox is nearly full"]
    at.later(days=1)
    at.once()
    assert len([one for one in alarms(at) if "full" in one]) == 2


@pytest.mark.needs("dovecot")
@pytest.mark.parametrize("at", ["COPY"], indirect=True)
def test_letters_that_cannot_be_copied_away_stay_and_are_decided_once(at: Installation) -> None:
    fill(at, 30_000)
    at.write("A", "SPECIAL AGR\n" + "# nothing\n" * 700)
    done = at.once()
    assert "The mailbox is full" in done.trouble[0]
    at.once()
    assert at.standing("A") == ["SPECIAL AGR"] and [outcome for outcome, _ in at.outcomes()] == [
        "orders"
    ]
    assert [one for one in alarms(at) if "full" in one] == ["[pbem] the mailbox is full"]
    assert len(at.office.messages(REFEREE)) == 1
    assert at.to_deadline().closed == 1, "the games go on"


@pytest.mark.needs("dovecot")
@pytest.mark.parametrize("at", ["MOVE"], indirect=True)
def test_without_room_the_servers_clock_cannot_be_asked_and_nothing_closes(
    at: Installation,
) -> None:
    fill(at, 40_000 - 300)
    at.clock = at.table().period.due
    at.daemon.close()
    at.daemon = Daemon(at.config())
    at.daemon.read = lambda: Reading(at.clock, 5.0)
    assert at.daemon.pass_now().closed == 0
    at.daemon.pass_now()
    assert any("full" in one for one in alarms(at))
    assert at.table().period.number == 1


@pytest.mark.needs("dovecot")
def test_a_folder_that_cannot_be_made_is_an_alarm_and_letters_are_read(tmp_path: Path) -> None:
    rights = Path(
        tempfile.mkdtemp(prefix="pbem-acl-", dir="/tmp")
    )  # the server's user cannot enter pytest's folders
    rights.chmod(0o755)
    (rights / "INBOX").write_text("owner lrwstipeka\n")
    (rights / ".DEFAULT").write_text("owner l\n")
    with (
        dovecot({REFEREE: PASSWORD}, settings=NO_CREATE.format(folder=rights)) as server,
        opened(tmp_path, server) as at,
    ):
        at.start()
        at.write("A", "SPECIAL AGR")
        done = at.once()
        assert done.trouble and "It must be ours to write" in done.trouble[0]
        assert at.standing("A") == ["SPECIAL AGR"]
        at.once()
        assert alarms(at) == ["[pbem] Processed cannot be written"]
        assert at.to_deadline().closed == 1
        at.daemon.close()
        at.daemon = Daemon(at.config())  # which asks the server's clock, in that folder
        at.daemon.read = lambda: Reading(at.clock, 5.0)
        at.write("B", "STATUS")
        assert at.daemon.pass_now().decided == 1
    shutil.rmtree(rights)


def test_a_canary_that_finds_no_room_is_an_alarm_at_once(tmp_path: Path) -> None:
    with Installation(tmp_path, "coalition", seats=SEATS) as at:
        at.start()
        at.daemon.close()
        config = at.config()
        at.daemon = Daemon(
            config.model_copy(
                update={"daemon": config.daemon.model_copy(update={"canary_minutes": 60})}
            )
        )
        at.office.reject_next(552)
        at.once()
        at.once()
        at.once()
        assert alarms(at) == ["[pbem] the mailbox is full"]
        told = [text_of(m) for m in at.mails(GAMESMASTER) if "full" in str(m["Subject"])]
        assert "552 Refused, as asked for" in " ".join(told[0].split())
