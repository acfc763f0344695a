"""The way of a letter and of a deadline, whatever server and database."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientError
from sqlalchemy import select

from pbem.daemon.loop import Daemon
from pbem.errors import OutsideError
from pbem.house.config import Config
from pbem.periods import replay
from pbem.post import inbox
from pbem.post.imap import Fetched, Mailbox
from pbem.store.engine.database import exclusive_transaction
from pbem.store.schema.tables import Outgoing
from tests.installation import GAMESMASTER, PASSWORD, REFEREE, SEATS, SLATE, Installation, text_of
from tests.real import EmbeddedInstallation, RealInstallation
from tests.subjects import issues


def outcomes(at: Installation) -> Counter[str]:
    return Counter(outcome for outcome, _ in at.outcomes())


def sent_receipts(at: Installation) -> int:
    with exclusive_transaction(at.daemon.engine) as conn:
        return len(conn.execute(select(Outgoing.id).where(Outgoing.kind == "receipt")).all())


def folders(at: Installation, *renaming: str) -> None:
    """Make a folder in the referee's mailbox, or with two names rename one."""
    with IMAPClient("127.0.0.1", at.office.imap_port, ssl=False) as client:
        client.login(REFEREE, PASSWORD)
        client.create_folder(*renaming) if len(renaming) == 1 else client.rename_folder(*renaming)


def watching(at: Installation, **imap: Any) -> None:
    """The daemon once more, with other folders."""
    settings: Config = at.config()
    at.daemon.close()
    at.daemon = Daemon(settings.model_copy(update={"imap": settings.imap.model_copy(update=imap)}))


def test_a_game_from_its_first_mail_to_its_end(at: Installation) -> None:
    assert at.mails("A")[0]["Subject"] == "[g] Coalition: you are A"
    at.write("A", f"PROPOSE {SLATE}", Message_ID="<first@legit.example>")
    at.send("B", "NAEM x")
    receipt = at.mails("A")[-1]
    assert receipt["In-Reply-To"] == "<first@legit.example>" and "PROPOSE" in text_of(receipt)
    assert "did you mean NAME?" in at.newest("B")
    at.to_deadline()
    assert "[g] Bulletin 1" in issues(at, "C")
    at.send_each(SEATS, "VOTE AYE")
    at.to_deadline()
    assert at.table().row.status == "over"
    assert "[g] Bulletin 2" in issues(at, "E")
    assert outcomes(at) == {"orders": 7}
    with exclusive_transaction(at.daemon.engine) as conn:
        assert replay.replay(conn, "g").faults == []


def test_a_renumbered_folder_is_read_again_and_nothing_doubled(
    at: EmbeddedInstallation | RealInstallation, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(inbox, "move_decided", lambda *_: 0)
        at.write("A", "SPECIAL AGR")
        at.send("B", "SPECIAL ENV")
    assert len(at.office.messages(REFEREE)) == 2
    at.renumber()
    at.send("A", "SPECIAL JUS")
    at.once()
    assert outcomes(at) == {"orders": 3, "duplicate": 2}
    assert at.standing("A") == ["SPECIAL JUS"]
    assert sent_receipts(at) == 3
    assert at.office.messages(REFEREE) == []


def test_a_mailbox_restored_from_a_backup_gives_its_numbers_out_again(
    at: EmbeddedInstallation | RealInstallation, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(inbox, "move_decided", lambda *_: 0)
        at.send("A", "SPECIAL AGR")
        kept: Any = at.backup()
        at.write("B", "SPECIAL ENV")
        at.send("B", "SPECIAL JUS")
    at.come_back(kept)
    at.send("C", "SPECIAL TRA")
    at.once()
    assert {seat: at.standing(seat) for seat in "ABC"} == {
        "A": ["SPECIAL AGR"],
        "B": ["SPECIAL JUS"],
        "C": ["SPECIAL TRA"],
    }
    assert outcomes(at) == {"orders": 4, "duplicate": 1}
    assert sent_receipts(at) == 4
    assert at.office.messages(REFEREE) == []


def test_a_watched_folder_that_is_moved_away_stops_the_clock_until_it_is_back(
    at: Installation,
) -> None:
    folders(at, "Orders")
    watching(at, folders=["INBOX", "Orders"])
    assert not at.once().trouble
    folders(at, "Orders", "Elsewhere")
    at.write("A", "SPECIAL AGR")
    done = at.to_deadline()
    assert done.closed == 0 and "Orders" in done.trouble[0]
    assert at.standing("A") == ["SPECIAL AGR"], "what could be read is decided"
    folders(at, "Elsewhere", "Orders")
    assert at.to_deadline().closed == 1


def test_a_junk_folder_that_is_not_there_is_passed_over(at: Installation) -> None:
    """The game goes on; the gamesmaster is told once a day. Once the folder is there, its letters
    are taken."""
    watching(at, junk=["Junk", "Spam/Old"])
    before = len(at.mails(GAMESMASTER))
    at.write("A", "SPECIAL AGR")
    for _ in range(3):
        assert not at.once().trouble
    assert at.standing("A") == ["SPECIAL AGR"]
    alarms = at.mails(GAMESMASTER)[before:]
    assert sorted(str(mail["Subject"]) for mail in alarms) == [
        "[pbem] there is no folder Junk",
        "[pbem] there is no folder Spam/Old",
    ]
    assert all("pbem doctor" in text_of(mail) for mail in alarms)
    assert at.to_deadline().closed == 1
    folders(at, "Junk")
    with IMAPClient("127.0.0.1", at.office.imap_port, ssl=False) as client:
        client.login(REFEREE, PASSWORD)
        client.append("Junk", at.letter("B", 'NAME "New"'), msg_time=at.clock)
    assert not at.once().trouble
    assert at.standing("B") == ['NAME "New"']


def test_a_junk_folder_that_cannot_be_read_stops_the_clock(
    at: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    watching(at, junk=["Junk"])
    folders(at, "Junk")
    real_select = IMAPClient.select_folder

    def refuse(client: IMAPClient, folder: str, *more: object) -> object:
        if folder == "Junk":
            raise IMAPClientError("select failed: [SERVERBUG] Internal error occurred.")
        return real_select(client, folder, *more)

    monkeypatch.setattr(IMAPClient, "select_folder", refuse)
    done = at.to_deadline()
    assert done.closed == 0 and "Junk" in done.trouble[0]
    monkeypatch.undo()
    assert at.to_deadline().closed == 1


def test_a_letter_not_given_in_a_junk_folder_that_went_away_is_given_up(at: Installation) -> None:
    """As any letter that cannot be fetched it is waited for during five passes."""
    watching(at, junk=["Junk"])
    folders(at, "Junk")
    at.once()
    mailbox = at.daemon.readers[0].mailbox = Poisoned(at.daemon.readers[0].mailbox.account)
    mailbox.connect()
    mailbox.poison = mailbox.select("Junk").uidnext
    mailbox.append("Junk", at.letter("B", "SPECIAL ENV"), at.clock)
    at.once()
    assert outcomes(at) == {"unfetchable": 1}
    folders(at, "Junk", "Elsewhere")
    passes = 0
    while not at.to_deadline().closed:
        passes += 1
        assert passes < 10
    assert passes >= 3 and outcomes(at) == {"unfetchable": 1}


class Poisoned(Mailbox):
    """Breaks off when it is asked for the first letter."""

    poison = 0

    def fetch(self, uids: Sequence[int], *more: Any) -> Iterator[Fetched]:
        if self.poison in uids:
            self._drop()
            raise OutsideError("the server broke off")
        return super().fetch(uids, *more)
