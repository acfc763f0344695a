"""Waiting for letters, and connections that are lost meanwhile."""

from datetime import UTC, datetime

import pytest

from pbem.errors import OutsideError
from pbem.post.imap import Mailbox
from tests.post.conftest import Peer, letter
from tests.wire import Wire

IDLE = b" IDLE\r\n"
FOREVER = 3600.0
"""Seconds that a test does not wait: what it waits for comes."""
NOON = datetime(2026, 3, 29, 12, 0, 0, tzinfo=UTC)


def test_waiting_ends_when_a_letter_comes(peer: Peer) -> None:
    with Wire(peer.server.imap_port) as wire, Mailbox(peer.imap(port=wire.port)) as mailbox:
        mailbox.select("INBOX")
        last = max(mailbox.uids(0), default=0)
        wire.when(IDLE, lambda: peer.deliver(letter(1)))
        assert mailbox.idle(FOREVER)
        assert len(mailbox.uids(last)) == 1


def test_waiting_ends_when_the_notice_comes_with_the_answer_to_idle(peer: Peer) -> None:
    with Wire(peer.server.imap_port) as wire, Mailbox(peer.imap(port=wire.port)) as mailbox:
        mailbox.select("INBOX")
        wire.when(IDLE, lambda: peer.deliver(letter(1)), together=True)
        assert mailbox.idle(FOREVER)
        assert wire.asked.count(IDLE) == 1


def test_waiting_sees_what_came_before_it_began(peer: Peer) -> None:
    with Wire(peer.server.imap_port) as wire, Mailbox(peer.imap(port=wire.port)) as mailbox:
        mailbox.select("INBOX")
        mailbox.uids(0)
        peer.deliver(letter(1))
        assert mailbox.idle(FOREVER)
        assert IDLE not in wire.asked


def test_waiting_in_vain_ends_and_leaves_the_connection_usable(peer: Peer) -> None:
    with Wire(peer.server.imap_port) as wire, Mailbox(peer.imap(port=wire.port)) as mailbox:
        mailbox.select("INBOX")
        for waited in (1, 2):
            assert not mailbox.idle(0.7)
            assert waited <= wire.asked.count(IDLE) == wire.asked.count(b"DONE\r\n")
        peer.deliver(letter(1))
        assert len(mailbox.uids(0)) == 1


def test_a_connection_cut_while_waiting_is_an_error_at_once(peer: Peer) -> None:
    with Wire(peer.server.imap_port) as wire:
        mailbox = Mailbox(peer.imap(port=wire.port))
        mailbox.connect()
        mailbox.select("INBOX")
        wire.when(IDLE, wire.cut)
        with pytest.raises(OutsideError, match=peer.address):
            mailbox.idle(FOREVER)
        with pytest.raises(OutsideError, match="not connected"):
            mailbox.uids(0)
        peer.deliver(letter(1))
        mailbox.connect()
        mailbox.select("INBOX")
        assert len(mailbox.uids(0)) == 1
        mailbox.close()


def test_a_connection_that_died_silently_is_found_out_after_waiting(peer: Peer) -> None:
    with Wire(peer.server.imap_port) as wire:
        mailbox = Mailbox(peer.imap(port=wire.port))
        mailbox.connect()
        mailbox.select("INBOX")
        mailbox.uids(0)
        mailbox._client.socket().settimeout(
            1.0
        )  # not before: a slow machine may take longer to log in
        wire.when(IDLE, wire.freeze)
        with pytest.raises(OutsideError, match="timed out"):
            mailbox.idle(1.0)
        mailbox.close()


@pytest.mark.parametrize("word", [b"SEARCH UID 1:*\r\n", b"BODY.PEEK[])\r\n"])
def test_an_answer_that_never_comes_is_an_error(peer: Peer, word: bytes) -> None:
    peer.deliver(letter(1))
    with Wire(peer.server.imap_port) as wire:
        mailbox = Mailbox(peer.imap(port=wire.port))
        mailbox.connect()
        mailbox.select("INBOX")
        wire.tear_after(word)
        with pytest.raises(OutsideError):
            list(mailbox.fetch(mailbox.uids(0)))
        mailbox.connect()
        mailbox.select("INBOX")
        assert [one.raw for one in mailbox.fetch(mailbox.uids(0))] == [letter(1)]
        mailbox.close()


def test_a_move_whose_answer_was_lost_can_be_repeated(peer: Peer) -> None:
    for n in range(2):
        peer.deliver(letter(n))
    with Wire(peer.server.imap_port) as wire:
        mailbox = Mailbox(peer.imap(port=wire.port))
        mailbox.connect()
        mailbox.ensure("Done")
        mailbox.select("INBOX")
        uids = mailbox.uids(0)
        wire.tear_after(b'"Done"\r\n')
        with pytest.raises(OutsideError, match="moving"):
            mailbox.move(uids, "Done")
        mailbox.connect()
        mailbox.select("INBOX")
        mailbox.move(uids, "Done")
        assert mailbox.uids(0) == []
        assert mailbox.select("Done").messages == 2
        mailbox.close()
