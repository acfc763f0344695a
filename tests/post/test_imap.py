"""Reading and moving letters, with all that a server may do meanwhile."""

import threading
import time
from datetime import UTC, datetime, timedelta

import pytest
from imapclient.exceptions import IMAPClientError

from pbem.cli.demo.postoffice import PostOffice
from pbem.errors import FolderMissing, LoginRefused, OutsideError
from pbem.post.imap import BATCH, Folder, Mailbox
from tests.post.conftest import PASSWORD, Peer, letter
from tests.servers import PATIENCE, dovecot
from tests.wire import Wire

IDLE = b" IDLE\r\n"
FOREVER = 3600.0
"""Seconds that a test does not wait: what it waits for comes."""
NOON = datetime(2026, 3, 29, 12, 0, 0, tzinfo=UTC)


def test_letters_come_whole_with_the_time_of_their_arrival(peer: Peer) -> None:
    for n in range(3):
        peer.deliver(letter(n), NOON + timedelta(hours=n))
    with Mailbox(peer.imap()) as mailbox:
        folder = mailbox.select("INBOX")
        uids = mailbox.uids(0)
        assert folder.messages == len(uids) == 3
        assert folder.uidnext == uids[-1] + 1
        found = list(mailbox.fetch(uids))
        assert [one.raw for one in found] == [letter(n) for n in range(3)]
        assert [one.received for one in found] == [NOON + timedelta(hours=n) for n in range(3)]
        assert all(one.received.tzinfo is UTC for one in found)
        assert mailbox.sizes([*uids, 99_999]) == {uid: len(letter(n)) for n, uid in enumerate(uids)}


def test_nothing_new_is_nothing(peer: Peer) -> None:
    """`UID n:*` names the last letter even where its UID is below n."""
    peer.deliver(letter(1))
    with Mailbox(peer.imap()) as mailbox:
        mailbox.select("INBOX")
        (uid,) = mailbox.uids(0)
        assert mailbox.uids(uid) == []
        assert mailbox.uids(uid + 1000) == []
        peer.deliver(letter(2))
        (new,) = mailbox.uids(uid)
        assert new > uid


def test_an_empty_folder(peer: Peer) -> None:
    with Mailbox(peer.imap()) as mailbox:
        assert mailbox.select("INBOX").messages == 0
        assert mailbox.uids(0) == []
        assert mailbox.sizes([]) == {}
        assert list(mailbox.fetch([])) == []
        mailbox.move([], "INBOX")


def test_a_folder_that_is_not_there_is_told_from_all_else(peer: Peer) -> None:
    with Mailbox(peer.imap()) as mailbox:
        with pytest.raises(FolderMissing, match="there is no folder 'Junk/2025'"):
            mailbox.select("Junk/2025")
        assert mailbox.select("INBOX").messages == 0, "the connection is as good as before"
        mailbox.ensure("Junk/2025")
        assert mailbox.select("Junk/2025").messages == 0


@pytest.mark.parametrize(
    ("folder", "words"),
    [
        ("Junk", "[NOPERM] you may not"),
        ("Junk", "[UNAVAILABLE] the store is away"),
        ("INBOX", "Internal error occurred."),
    ],
)
def test_a_folder_that_cannot_be_opened_is_not_taken_for_missing(
    peer: Peer, folder: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not where the server gives another reason, and not where it lists the folder all the same."""

    def refuse(*_: object) -> None:
        raise IMAPClientError(f"select failed: {words}")

    monkeypatch.setattr("imapclient.IMAPClient.select_folder", refuse)
    with Mailbox(peer.imap()) as mailbox:
        with pytest.raises(OutsideError) as told:
            mailbox.select(folder)
        assert not isinstance(told.value, FolderMissing)


def test_more_letters_than_one_batch(peer: Peer) -> None:
    with Mailbox(peer.imap()) as mailbox:
        for n in range(BATCH + 5):
            mailbox.append("INBOX", letter(n), NOON)
        mailbox.ensure("Done")
        mailbox.select("INBOX")
        uids = mailbox.uids(0)
        assert [one.raw for one in mailbox.fetch(uids)] == [letter(n) for n in range(BATCH + 5)]
        mailbox.move(uids, "Done")
        assert mailbox.uids(0) == []
        assert mailbox.select("Done").messages == BATCH + 5


def test_uids_far_apart_are_searched_in_windows(
    peer: Peer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.post.imap.WINDOW", 2)
    for n in range(7):
        peer.deliver(letter(n))
    with Mailbox(peer.imap()) as mailbox:
        mailbox.select("INBOX")
        uids = mailbox.uids(0)
        assert len(uids) == 7
        assert mailbox.uids(uids[2]) == uids[3:]


def test_of_a_huge_letter_only_the_beginning_is_fetched(peer: Peer) -> None:
    huge = letter(1, size=10_000_000)
    peer.deliver(huge)
    peer.deliver(letter(2))
    with Wire(peer.server.imap_port) as wire, Mailbox(peer.imap(port=wire.port)) as mailbox:
        mailbox.select("INBOX")
        uids = mailbox.uids(0)
        assert mailbox.sizes(uids)[uids[0]] == len(huge)
        assert [one.raw for one in mailbox.fetch(uids, most=1000)] == [huge[:1000], letter(2)]
        assert wire.answered < 100_000
        assert next(mailbox.fetch(uids[:1])).raw == huge


def test_a_uid_that_is_gone_is_left_out(peer: Peer) -> None:
    for n in range(3):
        peer.deliver(letter(n))
    with Mailbox(peer.imap()) as mailbox, Mailbox(peer.imap()) as other:
        mailbox.ensure("Done")
        mailbox.select("INBOX")
        uids = mailbox.uids(0)
        other.select("INBOX")
        other.move(uids[:1], "Done")
        assert [one.uid for one in mailbox.fetch([*uids, uids[-1] + 50])] == uids[1:]


def test_moving_twice_moves_once(peer: Peer) -> None:
    for n in range(3):
        peer.deliver(letter(n))
    with Mailbox(peer.imap()) as mailbox:
        mailbox.ensure("Referee/Done")
        mailbox.ensure("Referee/Done")
        mailbox.select("INBOX")
        uids = mailbox.uids(0)
        mailbox.move(uids[:2], "Referee/Done")
        mailbox.move(uids[:2], "Referee/Done")
        assert mailbox.uids(0) == uids[2:]
        name = next(
            name
            for name in mailbox.folders()
            if name.startswith("Referee") and name.endswith("Done")
        )
        mailbox.select(name)
        assert [one.raw for one in mailbox.fetch(mailbox.uids(0))] == [letter(0), letter(1)]


def test_a_letter_moved_keeps_the_time_of_its_arrival(peer: Peer) -> None:
    peer.deliver(letter(1), NOON)
    with Mailbox(peer.imap()) as mailbox:
        mailbox.ensure("Done")
        mailbox.select("INBOX")
        mailbox.move(mailbox.uids(0), "Done")
        mailbox.select("Done")
        assert [one.received for one in mailbox.fetch(mailbox.uids(0))] == [NOON]


def test_reading_leaves_no_mark(peer: Peer) -> None:
    """Another session still finds the letter unread: no flag of the server is ours."""
    peer.deliver(letter(1))
    with Mailbox(peer.imap()) as mailbox:
        mailbox.select("INBOX")
        list(mailbox.fetch(mailbox.uids(0)))
        list(mailbox.fetch(mailbox.uids(0), most=10))
        assert mailbox._client.search("UNSEEN") == mailbox.uids(0)


def test_a_refused_login_is_told_from_a_server_that_is_away(peer: Peer) -> None:
    with pytest.raises(LoginRefused, match=f"{peer.address}.*login refused"):
        Mailbox(peer.imap(password="wrong")).connect()
    with Wire(peer.server.imap_port) as wire:
        away = peer.imap(port=wire.port)
    with pytest.raises(OutsideError, match="whether the server is up") as caught:
        Mailbox(away).connect()
    assert not isinstance(caught.value, LoginRefused)


def test_a_connection_lost_while_logging_in_is_no_refusal(peer: Peer) -> None:
    with Wire(peer.server.imap_port) as wire:
        wire.tear_after(b"\r\n")
        with pytest.raises(OutsideError) as caught:
            Mailbox(peer.imap(port=wire.port)).connect()
        assert not isinstance(caught.value, LoginRefused)


def test_starttls_is_never_skipped(peer: Peer) -> None:
    mend = "offers no STARTTLS" if peer.name == "office" else "certificate"
    with pytest.raises(OutsideError, match=mend):
        Mailbox(peer.imap(security="starttls")).connect()


def test_the_post_office_forgets_and_says_so() -> None:
    """A new office is a new UIDVALIDITY, though the same letters may have the same UIDs."""
    seen = []
    for _ in range(2):
        with PostOffice({"a@example.org": PASSWORD}) as office:
            office.deliver("a@example.org", letter(1))
            peer = Peer("office", "a@example.org", office, office.smtp_port)
            with Mailbox(peer.imap()) as mailbox:
                seen.append(mailbox.select("INBOX"))
    assert seen[0].uidvalidity != seen[1].uidvalidity
    assert seen[0].uidnext == seen[1].uidnext


def reopened(mailbox: Mailbox, folder: str) -> Folder:
    """A folder that changed under our feet: some servers end the session, some tell."""
    try:
        return mailbox.select(folder)
    except OutsideError:
        mailbox.connect()
        return mailbox.select(folder)


def test_a_folder_made_anew_has_another_uidvalidity(peer: Peer) -> None:
    with Mailbox(peer.imap()) as mailbox, Mailbox(peer.imap()) as other:
        mailbox.ensure("Games")
        mailbox.append("Games", letter(1), NOON)
        before = mailbox.select("Games")
        assert len(mailbox.uids(0)) == 1
        other._client.delete_folder("Games")
        time.sleep(1.1)  # Dovecot takes the time in seconds for a UIDVALIDITY
        other.ensure("Games")
        other.append("Games", letter(2), NOON)
        until = time.monotonic() + PATIENCE
        while (
            reopened(mailbox, "Games").uidvalidity == before.uidvalidity
        ):  # Dovecot notices at the second look
            assert time.monotonic() < until
            time.sleep(0.1)
        assert [one.raw for one in mailbox.fetch(mailbox.uids(0))] == [letter(2)]


@pytest.mark.needs("dovecot")
def test_a_changed_uidvalidity_shows_at_the_next_select() -> None:
    with dovecot({"a@example.org": PASSWORD}) as server:
        peer = Peer("dovecot", "a@example.org", server, 0)
        peer.deliver(letter(1))
        with Mailbox(peer.imap()) as mailbox:
            before = mailbox.select("INBOX")
            server.renumber("a@example.org", before.uidvalidity + 7)
            assert reopened(mailbox, "INBOX").uidvalidity == before.uidvalidity + 7
            assert [one.raw for one in mailbox.fetch(mailbox.uids(0))] == [letter(1)]


def test_opening_again_tells_what_came_meanwhile(peer: Peer) -> None:
    with Mailbox(peer.imap()) as mailbox:
        before = mailbox.select("INBOX")
        peer.deliver(letter(1))
        peer.deliver(letter(2))
        after = mailbox.select("INBOX")
        assert (after.uidvalidity, after.messages) == (before.uidvalidity, before.messages + 2)
        assert after.uidnext == mailbox.uids(0)[-1] + 1


@pytest.mark.needs("dovecot")
@pytest.mark.parametrize("capability", ["IMAP4rev1", "IMAP4rev1 UIDPLUS"])
def test_a_server_without_move_and_idle(capability: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.post.imap.POLL", 0.2)
    with dovecot({"a@example.org": PASSWORD}, capability=capability) as server:
        peer = Peer("dovecot", "a@example.org", server, 0)
        for n in range(3):
            peer.deliver(letter(n))
        with Mailbox(peer.imap()) as mailbox:
            assert not mailbox._client.has_capability("MOVE")
            mailbox.ensure("Done")
            mailbox.select("INBOX")
            uids = mailbox.uids(0)
            mailbox.move(uids[:2], "Done")
            mailbox.move(uids[:2], "Done")
            assert mailbox.uids(0) == uids[2:]
            assert peer.messages("Done") == [letter(0), letter(1)]
            assert not mailbox.idle(0.5)
            threading.Timer(0.3, peer.deliver, [letter(3)]).start()
            assert mailbox.idle(FOREVER)


@pytest.mark.needs("dovecot")
def test_others_deleted_letters_are_not_expunged_with_ours() -> None:
    with dovecot({"a@example.org": PASSWORD}, capability="IMAP4rev1") as server:
        peer = Peer("dovecot", "a@example.org", server, 0)
        for n in range(2):
            peer.deliver(letter(n))
        with Mailbox(peer.imap()) as mailbox:
            mailbox.ensure("Done")
            mailbox.select("INBOX")
            mine, others = mailbox.uids(0)
            mailbox._client.add_flags([others], [b"\\Deleted"])
            mailbox.move([mine], "Done")
            mailbox.move([mine], "Done")
            assert others in mailbox.uids(0)
            assert peer.messages("Done") == [letter(0)]


@pytest.mark.needs("dovecot")
def test_tls_is_verified() -> None:
    with dovecot({"a@example.org": PASSWORD}) as server:
        peer = Peer("dovecot", "a@example.org", server, 0)
        with pytest.raises(OutsideError, match="certificate is not to be trusted"):
            Mailbox(peer.imap(port=server.imaps_port, security="tls")).connect()
        trusted = str(server.certificate.certificate)
        for port, security in ((server.imaps_port, "tls"), (server.imap_port, "starttls")):
            account = peer.imap(host="localhost", port=port, security=security, ca_file=trusted)
            peer.deliver(letter(1))
            with Mailbox(account) as mailbox:
                mailbox.select("INBOX")
                last = max(mailbox.uids(0))
                assert not mailbox.idle(0.6)
                threading.Timer(0.2, peer.deliver, [letter(2)]).start()
                assert mailbox.idle(10)
                assert [one.raw for one in mailbox.fetch(mailbox.uids(last))] == [letter(2)]


@pytest.mark.needs("dovecot")
def test_an_access_token_instead_of_a_password() -> None:
    with dovecot({"a@example.org": PASSWORD}) as server:
        peer = Peer("dovecot", "a@example.org", server, 0)
        peer.deliver(letter(1))
        with Mailbox(peer.imap(auth="xoauth2", password=server.token("a@example.org"))) as mailbox:
            assert mailbox.select("INBOX").messages == 1
        stale = server.token("a@example.org", lifetime=-60)
        for token in (stale, "no token", server.token("b@example.org")):
            with pytest.raises(LoginRefused, match="access token was refused; it may have expired"):
                Mailbox(peer.imap(auth="xoauth2", password=token)).connect()


@pytest.mark.needs("dovecot")
@pytest.mark.parametrize("prefix", ["", "INBOX."])
def test_folders_on_a_server_with_another_separator_and_a_prefix(prefix: str) -> None:
    settings = f"namespace inbox {{\n  prefix = {prefix}\n  separator = .\n}}"
    with dovecot({"a@example.org": PASSWORD}, settings=settings) as server:
        peer = Peer("dovecot", "a@example.org", server, 0)
        peer.deliver(letter(1))
        with Mailbox(peer.imap()) as mailbox:
            mailbox.ensure("Referee/Done")
            assert f"{prefix}Referee.Done" in mailbox.folders()
            mailbox.select("INBOX")
            mailbox.move(mailbox.uids(0), "Referee/Done")
            assert mailbox.select("Referee/Done").messages == 1
            assert mailbox.select(f"{prefix}Referee.Done").messages == 1
            with pytest.raises(FolderMissing):
                mailbox.select("Junk")


def test_what_arrives_while_letters_are_decided_or_another_folder_is_open_is_news(
    peer: Peer,
) -> None:
    with Mailbox(peer.imap()) as mailbox:
        mailbox.ensure("Junk")
        mailbox.select("INBOX")
        mailbox.uids(0)
        peer.deliver(letter(1))
        mailbox.select("INBOX")
        assert mailbox.idle(1)
        mailbox.select("Junk")
        mailbox.uids(0)
        peer.deliver(letter(2))
        mailbox.select("INBOX")
        assert mailbox.idle(1)
        assert not mailbox.idle(0.5)
