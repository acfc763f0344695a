"""Mail that comes back: counted at the right address, shown, and nothing is dropped for it."""

from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import select

from pbem.errors import OperatorError
from pbem.house.config import Smtp
from pbem.letters.bounces import verp_ident
from pbem.periods import persons
from pbem.post.smtp import Transport
from pbem.referee.acts import letter_acts
from pbem.referee.gamesmaster import queue
from pbem.referee.gamesmaster.queue import Face
from pbem.store.engine.database import exclusive_transaction
from pbem.store.schema.tables import Address, Outgoing
from tests.installation import GAMESMASTER, REFEREE, SEATS, Installation, address, text_of
from tests.post.scripted import Scripted
from tests.shell import Shell

STATUS = """\
From: MAILER-DAEMON@mx.legit.example
To: {to}
Subject: Undelivered Mail Returned to Sender
Message-ID: <{id}@mx.legit.example>
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="b"

--b
Content-Type: text/plain

I am sorry to have to inform you.

--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.legit.example

Final-Recipient: rfc822; {recipient}
Action: {action}
Status: {status}
Diagnostic-Code: smtp; {status} {words}

--b--
"""


pytestmark = pytest.mark.game("coalition", strangers=("b-new@legit.example",))


def report(at: Installation, to: str, recipient: str, hard: bool = True) -> None:
    """A mail server's report, delivered with an empty envelope sender."""
    words = {"action": "failed", "status": "5.1.1", "words": "no such user"}
    if not hard:
        words = {"action": "failed", "status": "4.2.2", "words": "mailbox full"}
    raw = (
        STATUS.format(to=to, recipient=recipient, id=next(at.ids), **words)
        .replace("\n", "\r\n")
        .encode()
    )
    assert at.carrier.send("", REFEREE, raw).outcome.name == "SENT"
    at.once()


def envelopes(at: Installation) -> dict[str, str]:
    with exclusive_transaction(at.daemon.engine) as conn:
        return {
            row.key: row.envelope_from
            for row in conn.execute(select(Outgoing.key, Outgoing.envelope_from))
        }


def counted(at: Installation, seat: str) -> tuple[int, int]:
    with exclusive_transaction(at.daemon.engine) as conn:
        row = conn.execute(
            select(Address.soft_bounces, Address.hard_bounces).where(
                Address.address == address(seat)
            )
        ).one()
    return row.soft_bounces, row.hard_bounces


def test_every_mail_has_an_envelope_address_of_its_own(at: Installation) -> None:
    at.send("A", "SPECIAL AGR\nPRESS TO ALL\nHello")
    found = envelopes(at)
    assert len(set(found.values())) == len(found) > 10
    key = at.daemon.installation.mark.key
    assert all(verp_ident([one], [REFEREE], key) for one in found.values())
    assert not verp_ident([next(iter(found.values()))], [REFEREE], b"another key")


def test_the_envelope_says_whose_mail_came_back(at: Installation) -> None:
    mine = next(sender for key, sender in envelopes(at).items() if key.startswith("start:g:B:"))
    report(at, mine, "somebody.else@forwarded.example")
    assert counted(at, "B") == (0, 1)
    report(at, mine, "somebody.else@forwarded.example", hard=False)
    assert counted(at, "B") == (1, 1)
    assert [outcome for outcome, _ in at.outcomes()] == ["bounce", "bounce"]


def test_without_it_the_report_says(at: Installation) -> None:
    report(at, REFEREE, address("C"))
    assert counted(at, "C") == (0, 1)
    report(at, REFEREE, "nobody@nowhere.example")
    assert all(counted(at, seat) == (0, seat == "C") for seat in SEATS)


def test_the_same_report_twice_counts_once(at: Installation) -> None:
    raw = STATUS.format(
        to=REFEREE,
        recipient=address("C"),
        id=1,
        action="failed",
        status="5.1.1",
        words="no such user",
    )
    for _ in range(2):
        at.carrier.send("", REFEREE, raw.replace("\n", "\r\n").encode())
    at.once()
    assert counted(at, "C") == (0, 1)


def test_a_forged_mark_is_not_believed(at: Installation) -> None:
    mine = next(sender for key, sender in envelopes(at).items() if key.startswith("start:g:B:"))
    forged = mine.replace("@", "x@")
    report(at, forged, address("D"))
    assert (counted(at, "B"), counted(at, "D")) == ((0, 0), (0, 1))


def test_a_bounce_is_never_answered_and_nothing_is_dropped(at: Installation) -> None:
    at.send("B", "SPECIAL AGR")
    mails = len(at.mails("B"))
    for _ in range(4):
        report(at, REFEREE, address("B"))
    assert len(at.mails("B")) == mails
    assert at.standing("B") == ["SPECIAL AGR"]
    assert at.table().holders["B"].address == address("B")
    at.to_deadline()
    assert at.view("B")["specials"] == ["AGR"] and len(at.mails("B")) > mails


def test_trouble_shows_in_the_queue_and_in_the_digest(at: Installation) -> None:
    report(at, REFEREE, address("B"))
    told = at.act(queue.queue)
    (trouble,) = told["delivery_trouble"]
    assert (trouble["address"], trouble["soft"], trouble["hard"]) == (address("B"), 0, 1)
    assert "no such user" in trouble["last"] and f"delivery trouble: {address('B')}" in queue.text(
        told, Face.SHELL
    )
    at.to_deadline()
    at.later(hours=12)
    digest = " ".join(text_of(at.mails(GAMESMASTER)[-1]).split())
    assert f"delivery trouble: {address('B')} (Player B): 0 soft, 1 hard" in digest
    assert "DELIVERY" not in text_of(at.mails("B")[-1]) + text_of(at.mails("B")[-2])


def both(at: Installation, seat: str) -> None:
    """A report of each kind about a seat's address."""
    report(at, REFEREE, address(seat), hard=False)
    report(at, REFEREE, address(seat))


def test_a_letter_that_is_heard_ends_what_was_for_now(at: Installation) -> None:
    """He can write, so he looks at his mailbox again; whether mail reaches one that did not exist,
    it does not say."""
    both(at, "B")
    report(at, REFEREE, address("C"), hard=False)
    report(at, REFEREE, address("D"), hard=False)
    at.write("B", "SPECIAL AGR")
    at.send("C", "STATUS")
    assert {seat: counted(at, seat) for seat in "BCD"} == {"B": (0, 1), "C": (0, 0), "D": (1, 0)}
    with exclusive_transaction(at.daemon.engine) as conn:
        shown = {
            one["address"]: one["last"] for one in queue.queue(at.work(conn))["delivery_trouble"]
        }
    assert set(shown) == {address("B"), address("D")} and "no such user" in shown[address("B")]


@pytest.mark.game("coalition", trust="proven")
def test_a_letter_that_is_not_believed_ends_nothing(at: Installation) -> None:
    report(at, REFEREE, address("B"), hard=False)
    at.write("B", "SPECIAL AGR")
    at.send("B", "STATUS")  # reading asks for no proof, and gives none
    assert [outcome for outcome, _ in at.outcomes()][1:] == ["unverified", "command"]
    assert counted(at, "B") == (1, 0)
    at.act(letter_acts.accept, 2)
    at.once()
    assert counted(at, "B") == (0, 0)
    report(at, REFEREE, address("B"), hard=False)
    at.send("B", "SPECIAL ENV", To=str(at.mails("B")[-1]["Reply-To"]))
    assert counted(at, "B") == (0, 0)


def test_the_gamesmaster_says_that_mail_arrives_again(at: Installation) -> None:
    both(at, "B")
    with exclusive_transaction(at.daemon.engine) as conn:
        (trouble,) = queue.queue(at.work(conn))["delivery_trouble"]
        assert (
            trouble["release"]
            == f"pbem address {address('B')} NEW   or  pbem address {address('B')} --works"
        )
        persons.address_works(at.work(conn), f" {address('B').upper()} ")
        assert queue.queue(at.work(conn))["delivery_trouble"] == []
        with pytest.raises(OperatorError, match="nobody is registered under x@y"):
            persons.address_works(at.work(conn), "x@y.example")
    assert counted(at, "B") == (0, 0)
    report(at, REFEREE, address("B"))
    assert counted(at, "B") == (0, 1)


def test_an_address_that_was_replaced_is_no_trouble(at: Installation) -> None:
    """Nor is one to which its player comes back; what its mail server still says of the old one is
    counted there."""
    both(at, "B")
    at.act(persons.change_address, address("B"), "b-new@legit.example")
    report(at, REFEREE, address("B"))
    with exclusive_transaction(at.daemon.engine) as conn:
        assert queue.queue(at.work(conn))["delivery_trouble"] == []
        persons.change_address(at.work(conn), "b-new@legit.example", address("B"))
        assert queue.queue(at.work(conn))["delivery_trouble"] == []


def test_a_mail_is_sent_again_to_the_address_of_record_as_it_is_now(at: Installation) -> None:
    at.write("A", "SPECIAL AGR")
    at.office.reject_next(550)
    at.once()
    with exclusive_transaction(at.daemon.engine) as conn:
        (mail,) = queue.queue(at.work(conn))["mails"]
        persons.change_address(at.work(conn), address("A"), "new@else.example")
        assert "new@else.example" in letter_acts.resend(at.work(conn), mail["id"]).said
        goes = Outgoing.one(conn, id=mail["id"])
        assert goes and (goes.state, goes.recipient) == ("ready", "new@else.example")


def test_an_address_that_is_refused_for_good_is_trouble(at: Installation) -> None:
    """Whoever takes our mail says it at once; no report comes."""
    at.act(persons.change_address, address("B"), "gone@legit.example")
    at.send("A", "PRESS TO B\nHello")
    told = at.act(queue.queue)
    (trouble,), (mail,) = told["delivery_trouble"], told["mails"]
    assert (trouble["address"], trouble["soft"], trouble["hard"]) == ("gone@legit.example", 0, 1)
    assert "No mailbox gone@legit.example here" in trouble["last"]
    assert mail["release"] == f"pbem address gone@legit.example NEW   or  pbem resend {mail['id']}"


def test_all_that_was_refused_is_sent_again(at: Installation) -> None:
    """None of them twice, and none that was refused before."""
    shell = Shell(at, at.folder / "config.toml")
    at.write("A", "SPECIAL AGR")
    at.office.reject_next(550)
    at.once()
    at.clock += timedelta(hours=2)
    since = at.clock.astimezone(ZoneInfo("Europe/Paris")).strftime("%Y-%m-%d %H:%M")
    for seat in "BC":
        at.write(seat, "SPECIAL ENV")
        at.office.reject_next(550)
        at.once()
    before = {seat: len(at.mails(seat)) for seat in "ABC"}
    assert "give a mail, or since when" in shell.fails("resend", code=2)
    assert "sends 2 mails again" in shell("resend", "--all-refused", since)
    at.once()
    assert {seat: len(at.mails(seat)) - before[seat] for seat in "ABC"} == {"A": 0, "B": 1, "C": 1}
    assert "sends 0 mails again" in shell("resend", "--all-refused", since)


def test_that_our_mail_is_refused_is_said_at_once_and_mailed_when_it_is_over(
    at: Installation,
) -> None:
    login = at.daemon.carrier
    at.write("A", "SPECIAL AGR")
    with Scripted({"MAIL": "550 5.7.1 Your account is suspended"}) as server:
        at.daemon.carrier = Transport(Smtp(host="127.0.0.1", port=server.port, security="none"))
        done = at.once()
        at.daemon.carrier.close()
    assert any("Your account is suspended" in said for said in done.trouble)
    shell = Shell(at, at.folder / "config.toml")
    assert "the server refuses our mail" in " ".join(shell("queue").split())
    at.daemon.carrier = login
    before = len(at.mails("A"))
    for _ in range(3):
        at.later(minutes=1)
    assert len(at.mails("A")) == before + 1
    assert "[pbem] smtp refused our mail" in [str(m["Subject"]) for m in at.mails(GAMESMASTER)]
    assert at.once().trouble == []
