"""Delivery reports: our own marks, the corpus of real bounces, and what is none."""

import base64
from collections import defaultdict
from pathlib import Path

import pytest

from pbem.letters import bounces
from pbem.letters.letter import read
from tests.letter.letters import CORPORA, KEY, PLAYER, REFEREE, decided, letter, table, written

FOLDER = CORPORA / "bounces"
NO_BOUNCE = {"feedback", "vacation", "delivered"}


def _read(path):  # type: ignore[no-untyped-def]
    raw = path.read_bytes()
    found = read(raw)
    return bounces.read(found, raw) if bounces.looks_like(found) else None


def test_corpus_agrees() -> None:
    expected: dict[str, list[dict[str, str]]] = defaultdict(list)
    for row in table(FOLDER / "expected.tsv"):
        expected[row["file"]].append(row)
    known = severity = of = 0
    for name, rows in expected.items():
        found = _read(FOLDER / "bounces" / name)
        is_bounce = rows[0]["reason"] not in NO_BOUNCE
        assert is_bounce or found is None, f"{name} is no bounce"
        known += is_bounce == bool(found and found.failures)
        if found and found.failures:
            of += 1
            severity += (found.severity == bounces.HARD) == any(
                row["hard_bounce"] == "true" for row in rows
            )
    assert len(expected) == 117
    assert known >= 112 and of >= 107, "told from other mail"
    assert severity >= 93, "hard told from soft"


def test_what_is_no_bounce() -> None:
    assert not [path.name for path in sorted((FOLDER / "not_bounces").iterdir()) if _read(path)]


def test_broken_reports_do_not_raise() -> None:
    assert len([_read(path) for path in sorted((FOLDER / "broken").iterdir())]) == 37


def test_marks() -> None:
    address = bounces.verp(REFEREE, "42", KEY)
    assert address.startswith("referee+b-42-") and len(address.split("-")[2].split("@")[0]) == 26
    assert bounces.verp_ident([PLAYER, address], [REFEREE], KEY) == "42"
    assert bounces.verp_ident([address.replace("-42-", "-43-")], [REFEREE], KEY) == ""
    assert bounces.verp_ident([address], [REFEREE], b"another key") == ""
    assert bounces.verp_ident([address], ["other@game.example"], KEY) == ""
    with pytest.raises(ValueError, match="small letters"):
        bounces.verp(REFEREE, "4-2", KEY)


REPORT = (
    "--b\nContent-Type: text/plain\n\nSorry.\n--b\nContent-Type:"
    " message/delivery-status\n\nReporting-MTA: dns; mx.example\n\nFinal-Recipient: rfc822;"
    " player1@legit.example\nAction: {}\nStatus: {}\nDiagnostic-Code: smtp; {}\n--b\nContent-Type:"
    " message/rfc822\n\nFrom: <referee@game.example>\n\nVOTE NO ON 4\n--b--\n"
)
HEAD = (
    "Return-Path: <>",
    "Content-Type: multipart/report; report-type=delivery-status; boundary=b",
)


@pytest.mark.parametrize(
    ("action", "status", "words", "severity"),
    [
        ("failed", "5.1.1", "550 5.1.1 User unknown", "hard"),
        ("failed", "5.0.0", "550 no such user here", "hard"),
        ("failed", "5.2.2", "552 mailbox full", "soft"),
        ("failed", "4.4.7", "expired", "soft"),
        ("delayed", "4.4.1", "timed out", "soft"),
        ("failed", "5.7.1", "554 blocked as spam", "soft"),
        ("failed", "5.0.0", "550", "soft"),
        ("delivered", "2.0.0", "250 ok", "none"),
    ],
)
def test_reports(action: str, status: str, words: str, severity: str) -> None:
    raw = letter(REPORT.format(action, status, words), *HEAD, sender="MAILER-DAEMON@mx.example")
    found = bounces.read(read(raw), raw)
    assert found and (found.known_by, found.severity) == ("report", severity)
    assert [one.recipient for one in found.failures] == ([PLAYER] if severity != "none" else [])
    decision = decided(read(raw), raw)
    assert (decision.verdict, decision.reply_allowed) == ("bounce", False)


OURS = (
    (
        "5.0.0",
        (
            "550-Verification failed for <referee@game.example> 550-No Such User Here 550 Sender"
            " verify failed"
        ),
    ),
    ("5.1.0", "550 5.1.0 Sender address rejected: User unknown in relay recipient table"),
    ("5.0.0", "553 5.1.8 <referee@game.example>... Domain of sender address does not exist"),
    ("5.7.1", "554 5.7.1 The server sending your mail does not have a reverse DNS entry"),
    ("5.0.0", "550 Your IP address does not have a PTR record"),
    ("5.7.1", "550 5.7.1 <game.example>: Helo command rejected: Host not found"),
    (
        "5.0.0",
        (
            "550-Requested action not taken: mailbox unavailable 550 invalid DNS MX or A/AAAA"
            " resource record"
        ),
    ),
    ("5.7.4", "550 5.7.4 TLS required; certificate not found"),
    ("5.7.20", "550 5.7.20 No passing DKIM signature found"),
    ("5.7.1", "550 5.7.1 Attachment type not allowed; file not found in whitelist"),
)


@pytest.mark.parametrize(("status", "words"), OURS)
def test_what_is_said_of_our_own_side_is_no_hard_bounce(status: str, words: str) -> None:
    raw = letter(REPORT.format("failed", status, words), *HEAD, sender="MAILER-DAEMON@mx.example")
    found = bounces.read(read(raw), raw)
    assert found and found.severity == "soft"


FIELDS = (
    f"Final-Recipient: {{}}; {PLAYER}\nAction: {{}}\nStatus: {{}}\nDiagnostic-Code: smtp; 550 5.1.1"
    " User unknown\n"
)
HARD = "Reporting-MTA: dns; mx.example\n\n" + FIELDS.format("rfc822", "failed", "5.1.1")
UTF8 = "Reporting-MTA: dns; mx.example\n\n" + FIELDS.format("utf-8", "failed", "5.1.1")
CODED = base64.encodebytes(HARD.encode()).decode()
NO_DIAGNOSTIC = (
    f"Reporting-MTA: dns; x\n\nFinal-Recipient: rfc822; {PLAYER}\nAction: failed\nStatus: 5.0.0\n"
)


@pytest.mark.parametrize(
    ("head", "fields", "words"),
    [
        ("message/delivery-status", HARD, "Sorry."),
        ("message/global-delivery-status", UTF8, "Sorry."),
        ("message/delivery-status\nContent-Transfer-Encoding: base64", CODED, "Sorry."),
        ("message/global-delivery-status\nContent-Transfer-Encoding: base64", CODED, "Sorry."),
        ("message/delivery-status", NO_DIAGNOSTIC, f"  {PLAYER}\n    Unrouteable address"),
    ],
)
def test_forms_of_reports(head: str, fields: str, words: str) -> None:
    body = (
        f"--b\nContent-Type: text/plain\n\n{words}\n--b\nContent-Type: {head}\n\n{fields}\n--b--\n"
    )
    raw = letter(body, *HEAD, sender="MAILER-DAEMON@mx.example")
    found = bounces.read(read(raw), raw)
    assert found and [(one.recipient, one.severity) for one in found.failures] == [(PLAYER, "hard")]


RECEIPT = (
    "--b\nContent-Type: text/plain\n\nIt was deleted unread; mailbox over"
    " quota.\n--b\nContent-Type: message/disposition-notification\n\nFinal-Recipient: rfc822;"
    f" {PLAYER}\nDisposition: x; deleted\n--b--\n"
)


@pytest.mark.parametrize("to", [REFEREE, bounces.verp(REFEREE, "7f", KEY)])
def test_a_receipt_of_reading_is_no_bounce(to: str) -> None:
    raw = letter(RECEIPT, "Return-Path: <>", "Content-Type: multipart/report; boundary=b", to=to)
    decision = decided(read(raw), raw)
    assert (decision.bounce, decision.reply_allowed) == (None, False)


@pytest.mark.parametrize("action", ["delivered", "relayed", "expanded"])
def test_a_report_of_success_counts_nothing_against_a_mailbox(action: str) -> None:
    to = bounces.verp(REFEREE, "7f", KEY)
    raw = letter(
        REPORT.format(action, "2.0.0", "250 ok"), *HEAD, sender="MAILER-DAEMON@mx.example", to=to
    )
    found = decided(read(raw), raw).bounce
    assert found and (found.known_by, found.ident, found.severity) == ("verp", "7f", "none")


def test_a_servers_report_is_one_even_if_marked_as_an_answer() -> None:
    text = f"The following address failed:\n\n  <{PLAYER}>\n    550 5.1.1 User unknown\n"
    raw = letter(
        text, "Return-Path: <>", "Auto-Submitted: auto-replied", sender="Mailer-Daemon@mx.example"
    )
    decision = decided(read(raw), raw)
    assert decision.verdict == "bounce" and decision.bounce and decision.bounce.severity == "hard"


def test_our_mark_comes_first() -> None:
    to = bounces.verp(REFEREE, "7f", KEY)
    raw = letter("gone\n", "Return-Path: <>", sender="Mail System <MAILER-DAEMON>", to=to)
    decision = decided(read(raw), raw)
    assert decision.verdict == "bounce" and decision.bounce and decision.bounce.ident == "7f"


def test_an_absence_note_to_our_mark_is_no_bounce() -> None:
    raw = letter(
        "I am away.\n", "Auto-Submitted: auto-replied", to=bounces.verp(REFEREE, "7f", KEY)
    )
    assert decided(read(raw), raw).verdict == "ignored"


@pytest.mark.parametrize(
    "head", [("Precedence: bulk",), ("Return-Path: <>", "X-Auto-Response-Suppress: All")]
)
def test_a_players_absence_is_no_bounce_in_whatever_words(head: tuple[str, ...]) -> None:
    text = (
        "I am no longer with ACME; my old address will not exist from May on. My mailbox is full.\n"
    )
    raw = letter(text, *head, to=bounces.verp(REFEREE, "7f", KEY))
    assert decided(read(raw), raw).bounce is None


def test_a_player_who_quotes_a_bounce_is_no_bounce() -> None:
    raw = letter(
        "My mail came back: 550 5.1.1 user unknown <player2@other.example>\nVOTE YES ON 4\n"
    )
    assert decided(read(raw), raw).verdict == "unverified"


REFUSALS = table(Path(__file__).with_name("refusals.tsv"))


@pytest.mark.parametrize("row", REFUSALS, ids=lambda row: row["reply"])
def test_a_refusal_is_about_the_recipients_mailbox_or_not(row: dict[str, str]) -> None:
    failure = bounces.refusal("b@legit.example", written(row["reply"]))
    if not row["severity"]:
        assert failure is None
        return
    assert failure and failure.recipient == "b@legit.example"
    assert (failure.severity, failure.status) == (row["severity"], row["status"])
    assert "\n" not in failure.diagnostic


@pytest.mark.parametrize(
    "words",
    ["550 5.7.1 Recipient address rejected", "554 address rejected", "550 Address rejected."],
)
def test_address_rejected_alone_is_no_dead_mailbox(words: str) -> None:
    raw = letter(REPORT.format("failed", "5.0.0", words), *HEAD, sender="MAILER-DAEMON@mx.example")
    found = bounces.read(read(raw), raw)
    assert found and found.severity == "soft"
    assert bounces.refusal("b@legit.example", words) is None
    assert bounces.refusal("b@legit.example", f"{words}: User unknown")


MIXED = "Content-Type: multipart/report; boundary=b"
NO_FAILURES = {
    "deliverable": (REPORT.format("deliverable", "2.1.5", "250 ok"), HEAD),
    "feedback in a broken part": (
        "--b\n\nabuse\n--b--\n",
        (f"{MIXED}; report-type=feedback-report",),
    ),
    "feedback": (
        "--b\nContent-Type: message/feedback-report\n\nFeedback-Type: abuse\n--b--\n",
        (MIXED,),
    ),
    "a field of it": (f"complaint about {PLAYER}\n", ("Feedback-Type: abuse",)),
    "a complaint in words": (
        f"User unknown? Complaint by {PLAYER}\n",
        ("Subject: complaint about message from 192.0.2.1",),
    ),
    "a service's complaint": (
        '{"notificationType":"Complaint","complaint":{"complainedRecipients":[]}}\n',
        (),
    ),
    "a service's complaint in another": ('{"Message" : "{\\"eventType\\":\\"Complaint\\"}"}\n', ()),
    "a service's delivery": (
        '{"eventType": "Delivery", "mail": {"destination": ["x@y.example"]}}\n',
        (),
    ),
}


@pytest.mark.parametrize(("text", "head"), NO_FAILURES.values(), ids=NO_FAILURES)
@pytest.mark.parametrize("to", [REFEREE, bounces.verp(REFEREE, "7f", KEY)])
def test_what_tells_of_no_failure(text: str, head: tuple[str, ...], to: str) -> None:
    raw = letter(text, "Return-Path: <>", *head, sender="MAILER-DAEMON@mx.example", to=to)
    found = decided(read(raw), raw)
    assert not found.bounce or not found.bounce.failures
    assert not found.reply_allowed


@pytest.mark.parametrize(
    "sender",
    [
        "complaints@eu-west-1.email-abuse.amazonses.example",
        "feedbackloop@isp.example",
        "fbl@isp.example",
    ],
)
def test_senders_of_complaints(sender: str) -> None:
    raw = letter(
        "550 user unknown\n", "Return-Path: <>", sender=sender, to=bounces.verp(REFEREE, "7f", KEY)
    )
    assert decided(read(raw), raw).bounce is None


def test_a_services_bounce_is_still_one() -> None:
    text = (
        '{"notificationType":"Bounce","bounce":{"bouncedRecipients":[{"emailAddress":"'
        + PLAYER
        + '"}]}} user unknown\n'
    )
    raw = letter(
        text,
        "Return-Path: <>",
        sender="MAILER-DAEMON@x.example",
        to=bounces.verp(REFEREE, "7f", KEY),
    )
    assert decided(read(raw), raw).bounce
