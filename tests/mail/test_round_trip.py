"""`pbem doctor --send`: out by SMTP, back by IMAP, and no running daemon is disturbed."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from pbem.post.imap import Mailbox
from pbem.store.engine.database import exclusive_transaction
from pbem.store.games import periods
from tests.installation import REFEREE, Installation, flat
from tests.mail.test_serving import serving, until
from tests.real import EVERYWHERE
from tests.servers import free_ports
from tests.shell import Shell


@contextmanager
def carrier(take: Callable[[Envelope], None]) -> Iterator[int]:
    """An SMTP server that does as it likes with what it takes; its port."""

    class Handler:
        async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
            take(envelope)
            return "250 taken"

    (port,) = free_ports(1)
    found = Controller(Handler(), hostname="127.0.0.1", port=port)
    found.start()
    try:
        yield port
    finally:
        found.stop()


@pytest.fixture
def doctor(at: Installation) -> Callable[..., tuple[int, str]]:
    """The doctor with a letter that ``take`` carries; what he says."""
    at.clock = datetime.now(UTC)
    at.office.now = lambda: datetime.now(UTC)
    later = at.clock + timedelta(days=3)
    with exclusive_transaction(at.daemon.engine) as conn:
        periods.set_period(conn, "g", 1, base=later, due=later, next_look=later)
    at.once()
    shell = Shell(at, at.folder / "config.toml")
    good = shell.file.read_text()

    def told(
        take: Callable[[Envelope], None] | None = None, code: int = 0, **changed: str
    ) -> tuple[int, str]:
        text = good
        for old, new in changed.items():
            text = text.replace(f"{old} = ", f"{old} = {new} #")
        if take is None:
            shell.write(text)
            return code, flat(shell.run("doctor", "--send", code=code).stdout)
        with carrier(take) as port:
            shell.write(text.replace(f"port = {at.office.smtp_port}", f"port = {port}"))
            done = shell.run("doctor", "--send", "--wait", "1", code=code)
            return code, flat(done.stdout)

    return told


@EVERYWHERE
def test_a_letter_goes_round(at: Installation, doctor: Callable[..., tuple[int, str]]) -> None:
    _, said = doctor()
    assert "ok a letter to referee+doctor" in said and "arrived in INBOX after" in said
    assert "ok its plus part, in To" in said and "BAD" not in said
    assert "Authentication-Results: none on a letter from ourselves" in said
    before = at.outbox()
    at.once()
    assert at.outcomes() == [("ignored", "it comes from the referee's own address")]
    assert at.outbox() == before and len(at.office.messages(REFEREE, "Processed")) == 1


def test_a_running_daemon_files_it_and_answers_nothing(
    at: Installation, doctor: Callable[..., tuple[int, str]]
) -> None:
    with serving(at, "[daemon]\npoll_seconds = 1"):
        before = at.outbox()
        for _ in range(3):
            _, said = doctor()
            assert "BAD" not in said and "ok its plus part, in To" in said
        until(lambda: len(at.office.messages(REFEREE, "Processed")) == 3)
        assert at.outcomes() == [("ignored", "it comes from the referee's own address")] * 3
        assert at.outbox() == before


def test_where_it_does_not_arrive_the_mend_is_told(
    at: Installation, doctor: Callable[..., tuple[int, str]]
) -> None:
    _, said = doctor(lambda envelope: None, code=3)
    assert "did not arrive within 1 s" in said and "recipient_delimiter = +" in said

    def bounce(envelope: Envelope) -> None:
        mail = EmailMessage()
        mail["From"], mail["To"] = "MAILER-DAEMON@game.example", REFEREE
        mail["Subject"] = "Undelivered Mail Returned to Sender"
        mail.set_content(f"<{envelope.rcpt_tos[0]}>: user unknown")
        at.office.deliver(REFEREE, mail.as_bytes())

    _, said = doctor(bounce, code=3)
    assert 'it came back ("Undelivered Mail Returned to Sender", in INBOX)' in said
    at.office.reject_next(550)
    _, said = doctor(code=3)
    assert "the server did not take it from referee+b-doctor" in said and "550" in said


def test_junk_is_looked_into(at: Installation, doctor: Callable[..., tuple[int, str]]) -> None:
    with Mailbox(at.config().imap) as mailbox:
        mailbox.ensure("Junk")

        def junk(envelope: Envelope) -> None:
            mailbox.append("Junk", bytes(envelope.content or b""))  # type: ignore[arg-type]

        _, said = doctor(junk, code=3, folders='["INBOX"]\njunk = ["Junk"]')
    assert "arrived in Junk after" in said and "BAD the way to INBOX: it was taken for junk" in said


@pytest.mark.parametrize(
    ("ours", "field", "words", "code"),
    [
        ("mx.game.example", "mx.game.example; spf=pass", "ok Authentication-Results of mx.ga", 0),
        ("mx.game.example", "mx.other.example 1; none", 'set authserv_id = "mx.other.example"', 1),
        (
            "",
            "mx.game.example; spf=pass",
            "authserv_id is empty, so no letter is proven by DMARC",
            0,
        ),
    ],
)
def test_what_the_server_says_of_senders_is_compared(
    at: Installation, doctor: Any, ours: str, field: str, words: str, code: int
) -> None:
    def stamped(envelope: Envelope) -> None:
        head = f"Authentication-Results: {field}\r\n".encode()
        at.office.deliver(REFEREE, head + bytes(envelope.content or b""))  # type: ignore[arg-type]

    _, said = doctor(stamped, code=code, authserv_id=f'"{ours}"')
    assert words in said


def test_an_address_that_is_rewritten_is_told(at: Installation, doctor: Any) -> None:
    def rewritten(envelope: Envelope) -> None:
        raw = bytes(envelope.content or b"")  # type: ignore[arg-type]
        at.office.deliver(REFEREE, raw.replace(envelope.rcpt_tos[0].encode(), REFEREE.encode()))

    _, said = doctor(rewritten, code=3)
    assert "BAD its plus part: no header has it any more" in said


def test_it_is_not_sent_where_it_cannot_go(at: Installation, doctor: Any) -> None:
    _, said = doctor(code=3, port="1")
    assert "BAD a letter to ourselves: not sent; mend what is above first" in said
    assert at.office.messages(REFEREE) == []
    assert "leaves them out" in Shell(at, at.folder / "config.toml").fails(
        "doctor", "--send", "--offline", code=2
    )
