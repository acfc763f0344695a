"""Handing in mail: what each outcome means, and what arrives."""

import pytest

from pbem.errors import LoginRefused, OutsideError
from pbem.post.smtp import Delivery, Transport
from tests.clumsy import ClumsyPostOffice
from tests.post.conftest import Peer
from tests.servers import dovecot, postfix
from tests.wire import Wire

LETTER = (
    b"From: referee@example.org\r\nMessage-ID: <1@example.org>\r\nDate: Thu, 1 Jan 2026 00:00:00"
    b" +0000\r\n"
)
LETTER += b"Subject: Bulletin 1\r\n\r\nThe House met.\r\n"


def body(raw: bytes) -> bytes:
    return raw.partition(b"\r\n\r\n")[2]


def test_many_mails_on_one_connection(peer: Peer) -> None:
    with Transport(peer.smtp()) as transport:
        for n in range(5):
            sent = transport.send("referee@example.org", peer.address, LETTER + b"%d\r\n" % n)
            assert sent.outcome is Delivery.SENT
            assert sent.reply.startswith("250")
        assert {body(raw) for raw in peer.arrived(5)} == {
            b"The House met.\r\n%d\r\n" % n for n in range(5)
        }


def test_a_letter_to_a_plus_address_comes_to_its_mailbox(peer: Peer) -> None:
    with Transport(peer.smtp()) as transport:
        assert (
            transport.send("", peer.address.replace("@", "+t0ken@"), LETTER).outcome
            is Delivery.SENT
        )
    assert body(peer.arrived(1)[0]) == b"The House met.\r\n"


def test_an_unknown_recipient_is_refused_and_the_next_mail_goes(peer: Peer) -> None:
    with Transport(peer.smtp()) as transport:
        sent = transport.send("referee@example.org", "nobody@example.org", LETTER)
        assert sent.outcome is Delivery.REFUSED
        assert sent.reply.startswith("550")
        assert transport.send("referee@example.org", peer.address, LETTER).outcome is Delivery.SENT
    peer.arrived(1)


@pytest.mark.parametrize(
    ("text", "arrives"),
    [
        (b".\r\n", b".\r\n"),
        (b"..\r\n.a\r\n", b"..\r\n.a\r\n"),
        (b"bare\n.newline\n", b"bare\r\n.newline\r\n"),
        (b"no end", b"no end\r\n"),
        (
            b"end\r\n.\r\nMAIL FROM:<x@example.org>\r\n",
            b"end\r\n.\r\nMAIL FROM:<x@example.org>\r\n",
        ),
        (b"end\n.\nMAIL FROM:<x@example.org>\n", b"end\r\n.\r\nMAIL FROM:<x@example.org>\r\n"),
        (b"end\r.\rMAIL FROM:<x@example.org>\r", b"end\r\n.\r\nMAIL FROM:<x@example.org>\r\n"),
        ("Der Präsident dankt.\r\n".encode(), "Der Präsident dankt.\r\n".encode()),
    ],
)
def test_what_is_sent_arrives(peer: Peer, text: bytes, arrives: bytes) -> None:
    with Transport(peer.smtp()) as transport:
        assert transport.send(
            "referee@example.org", peer.address, LETTER.replace(b"The House met.\r\n", text)
        )
    assert body(peer.arrived(1)[0]) == arrives


def test_an_address_that_would_be_a_command_is_refused(peer: Peer) -> None:
    with Transport(peer.smtp()) as transport:
        for bad in (
            "x@example.org>\r\nRCPT TO:<y@example.org",
            "a b@example.org",
            "x\0@example.org",
        ):
            assert transport.send("referee@example.org", bad, LETTER).outcome is Delivery.REFUSED
            assert transport.send(bad, peer.address, LETTER).outcome is Delivery.REFUSED


def test_a_server_that_is_away_is_for_later(peer: Peer) -> None:
    with Wire(peer.smtp_port) as wire:
        away = peer.smtp(port=wire.port)
    transport = Transport(away)
    sent = transport.send("referee@example.org", peer.address, LETTER)
    assert sent.outcome is Delivery.LATER
    assert str(away.port) in sent.reply
    with pytest.raises(OutsideError):
        transport.connect()


def test_a_connection_that_was_closed_meanwhile_is_made_anew(peer: Peer) -> None:
    with Wire(peer.smtp_port) as wire, Transport(peer.smtp(port=wire.port)) as transport:
        assert transport.send("referee@example.org", peer.address, LETTER).outcome is Delivery.SENT
        wire.cut()
        assert transport.send("referee@example.org", peer.address, LETTER).outcome is Delivery.SENT
        peer.arrived(2)


@pytest.mark.parametrize(
    ("word", "outcome", "arrive"),
    [(b"DATA\r\n", Delivery.LATER, 1), (b"\r\n.\r\n", Delivery.UNKNOWN, 2)],
)
def test_a_connection_lost_before_and_after_the_final_dot(
    peer: Peer, word: bytes, outcome: Delivery, arrive: int
) -> None:
    """Before it, sending again doubles nothing; after it the mail may have arrived (here it
    has)."""
    with Wire(peer.smtp_port) as wire, Transport(peer.smtp(port=wire.port)) as transport:
        wire.tear_after(word)
        sent = transport.send("referee@example.org", peer.address, LETTER)
        assert sent.outcome is outcome
        assert transport.send("referee@example.org", peer.address, LETTER).outcome is Delivery.SENT
        peer.arrived(arrive)


def test_a_server_that_falls_silent_after_the_data_leaves_it_unknown(
    peer: Peer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.post.smtp.LAST_DOT", 1.0)
    with (
        Wire(peer.smtp_port) as wire,
        Transport(peer.smtp(port=wire.port, timeout=1.0)) as transport,
    ):
        wire.tear_after(b"\r\n.\r\n", silently=True)
        assert (
            transport.send("referee@example.org", peer.address, LETTER).outcome is Delivery.UNKNOWN
        )
    peer.arrived(1)


def test_a_server_that_falls_silent_before_the_data_is_for_later(peer: Peer) -> None:
    with Wire(peer.smtp_port) as wire, Transport(peer.smtp(port=wire.port)) as transport:
        transport.connect()
        transport.account = peer.smtp(
            port=wire.port, timeout=0.2
        )  # not before: a slow machine may take longer to connect
        transport._smtp.sock.settimeout(0.2)
        wire.freeze()
        assert transport.send("referee@example.org", peer.address, LETTER).outcome is Delivery.LATER


def test_the_post_office_refuses_and_drops_as_asked() -> None:
    with ClumsyPostOffice({"a@example.org": "x"}) as office:
        peer = Peer("office", "a@example.org", office, office.smtp_port)
        with Transport(peer.smtp()) as transport:
            office.reject_next(451, 2)
            office.reject_next(554, 1)
            office.drop_after_data(1)
            outcomes = [transport.send("", peer.address, LETTER).outcome for _ in range(5)]
        assert outcomes == [
            Delivery.LATER,
            Delivery.LATER,
            Delivery.REFUSED,
            Delivery.UNKNOWN,
            Delivery.SENT,
        ]
        assert len(peer.arrived(2)) == 2


def test_starttls_is_never_skipped(peer: Peer) -> None:
    transport = Transport(peer.smtp(security="starttls"))
    with pytest.raises(
        OutsideError, match="offers no STARTTLS" if peer.name == "office" else "certificate"
    ):
        transport.connect()
    assert transport.send("", peer.address, LETTER).outcome is Delivery.LATER


@pytest.mark.needs("dovecot", "postfix")
def test_starttls_and_login() -> None:
    with dovecot({"a@example.org": "secret"}) as server, postfix(server) as out:
        peer = Peer("postfix", "a@example.org", server, out.smtp_port)
        trusted = peer.smtp(
            host="localhost", security="starttls", ca_file=str(server.certificate.certificate)
        )
        with Transport(trusted) as transport:
            assert transport.send("", peer.address, LETTER).outcome is Delivery.SENT
        with Transport(peer.smtp(user=peer.address, password="secret")) as transport:
            assert transport.send("", peer.address, LETTER).outcome is Delivery.SENT
        token = server.token(peer.address)
        with Transport(peer.smtp(user=peer.address, password=token, auth="xoauth2")) as transport:
            assert transport.send("", peer.address, LETTER).outcome is Delivery.SENT
        for auth in ("password", "xoauth2"):
            with Transport(peer.smtp(user=peer.address, password="wrong", auth=auth)) as transport:
                sent = transport.send("", peer.address, LETTER)
                assert sent.outcome is Delivery.BLOCKED
                assert isinstance(transport.trouble, LoginRefused)
                mend = (
                    "need an application password"
                    if auth == "password"
                    else "access token was refused"
                )
                assert mend in str(transport.trouble)
        peer.arrived(3)
