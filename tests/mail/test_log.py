"""The log has a line for each letter, and nothing in it is anybody's secret."""

import json
import logging
import re
from typing import Any

import pytest
from sqlalchemy import select

from pbem.daemon import logs
from pbem.errors import OverBudget
from pbem.letters.verdict import Decision
from pbem.referee.deciding import handling, sandbox
from pbem.store.engine.database import exclusive_transaction
from pbem.store.schema.tables import Letter
from tests.installation import GAMESMASTER, REFEREE, SEATS, Installation, address, proven, text_of

STRANGER = "stranger@else.example"
FIELDS = {"id", "game", "seat", "verdict", "outcome", "milliseconds", "receipt"}
BOUNCE = """From: MAILER-DAEMON@mx.legit.example
To: {to}
Subject: Undelivered Mail Returned to Sender
Message-ID: <bounce@mx.legit.example>
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="b"

--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.legit.example

Final-Recipient: rfc822; {recipient}
Action: failed
Status: 5.1.1
Diagnostic-Code: smtp; 5.1.1 no such user

--b--
"""


LIMITS = {"letters_an_hour": 4, "letter_bytes": 9000, "receipts_an_hour": 99}
pytestmark = pytest.mark.game(
    "coalition", trust="proven", late="deadline", limits=LIMITS, strangers=(STRANGER,)
)


def lines(said: str) -> list[dict[str, Any]]:
    """The log's lines about letters."""
    found = [json.loads(line) for line in said.splitlines()]
    return [one for one in found if one["event"] == "letter"]


def a_day(at: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    """Letters of each verdict and outcome, some of which change theirs on the way."""
    one = proven(at, "A", "SPECIAL AGR", Subject="my orders of the day")
    proven(at, "A", "STATUS")
    at.write("B", "SPECIAL ENV")
    at.write(STRANGER, "the parcel is with the neighbour", Subject="your parcel")
    proven(at, "C", "away", Subject="away from my desk", Auto_Submitted="auto-replied")
    at.write(STRANGER, "away", Subject="away too", Auto_Submitted="auto-replied")
    odd = at.letter("C", "SPECIAL SEC").replace(b"From: ", b"From: x@y.example, ", 1)
    at.office.deliver(REFEREE, odd, at.clock)
    proven(at, "C", "GAME nosuch\nSPECIAL SEC", Subject="which game")
    proven(at, "D", "SPECIAL JUS\n" + "# a very long letter\n" * 900)
    back = BOUNCE.format(to=REFEREE, recipient=address("E")).replace("\n", "\r\n")
    at.carrier.send("", REFEREE, back.encode())
    at.send(GAMESMASTER, "QUEUE", Authentication_Results="")
    at.post(one)  # again
    asked = next(text_of(mail) for mail in at.mails("B") if "CONFIRM" in text_of(mail))
    (code, *_) = re.findall(r"CONFIRM (\S+)", asked)
    at.write("B", f"CONFIRM {code}")
    for number in range(6):  # two more than his share of an hour
        proven(at, "D", f"PRESS TO ALL\nspeech {number} of mine")
    at.once()
    at.once()
    at.clock += (at.table().period.due or at.clock) - at.clock
    at.once(minutes=180)
    proven(at, "E", "PERIOD 1\nSPECIAL FIN", Subject="better late than never")
    at.once()
    real = handling.Handling.carry_out

    def fail(self: handling.Handling, decision: Decision) -> bool:
        if "stumble" in self.letter.subject:
            raise ValueError(f"{self.letter.sender} at {at.mails('A')[0]['Reply-To']}")
        return real(self, decision)

    def heavy(raw: bytes, limits: Any, on: Any) -> Any:
        if b"too heavy" in raw:
            raise OverBudget("the work on this letter took more than 2 s")
        return read(raw, limits, on)

    read = sandbox.read_guarded
    monkeypatch.setattr(handling.Handling, "carry_out", fail)
    monkeypatch.setattr(sandbox, "read_guarded", heavy)
    proven(at, "E", "SPECIAL FOR", Subject="stumble over this")
    proven(at, "E", "SPECIAL HW", Subject="too heavy for you")
    at.once()


@pytest.mark.parametrize("as_json", [True, False])
def test_a_line_for_each_letter_of_a_day_and_no_secret_in_it(
    at: Installation,
    as_json: bool,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    logs.configure(as_json)
    a_day(at, monkeypatch)
    said = capsys.readouterr().err
    with exclusive_transaction(at.daemon.engine) as conn:
        rows = conn.execute(select(Letter.id, Letter.outcome, Letter.receipt)).all()
    assert {str(row.outcome) for row in rows} == {
        *("orders", "command", "ignored", "bounce", "duplicate", "unknown-sender", "quarantine"),
        *("held", "late", "failed", "unanswered", "unverified"),
    }
    if as_json:
        found = lines(said)
        assert all(set(one) == FIELDS | {"event", "level", "timestamp"} for one in found)
        assert all(type(one["milliseconds"]) is int for one in found)
        last = {one["id"]: (one["outcome"], one["receipt"]) for one in found}
        assert last == {row.id: (row.outcome, row.receipt) for row in rows}
        assert "waits" in {one["outcome"] for one in found}
        assert {one["verdict"] for one in found} >= {"orders", "unverified", "quarantine"}
        assert {(one["game"], one["seat"]) for one in found} >= {("g", "A"), ("g", "E"), ("", "")}
        waits = [one["id"] for one in found if one["outcome"] == "waits"]
        assert len(waits) == len(set(waits)), "said once, however long it waits"
    else:
        assert len(re.findall(r"\[info +\] letter +id=\d+ game=\S* seat=", said)) >= len(rows)
    tokens = {
        str(mail["Reply-To"]).partition("+")[2].partition("@")[0]
        for who in (*SEATS, GAMESMASTER)
        for mail in at.mails(who)
    } - {""}
    codes = {
        word
        for who in SEATS
        for mail in at.mails(who)
        for word in re.findall(r"CONFIRM ([a-z0-9-]+)", text_of(mail))
    }
    subjects = ("my orders", "a question", "away", "which game", "better late", "my desk")
    secret = [*map(address, SEATS), STRANGER, GAMESMASTER, *tokens, *codes, *subjects]
    assert len(tokens) > 5 and codes
    shown = [one for one in (*secret, "SPECIAL", "AGR", "CONFIRM", "speech") if one in said]
    assert shown == []


def test_what_a_library_logs_is_a_line_like_another(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure(as_json=True)
    logs.configure(as_json=True)  # as a service that is begun again in its process
    said = "error connecting in %r: %s"
    logging.getLogger("a.library").warning(said, "pool-1", f"no\nway \x1b[2J {'0f' * 16}")
    logging.getLogger("a.library").info("no news")
    logging.getLogger("psycopg.pool").warning("we say that ourselves, once")
    (line,) = [json.loads(one) for one in capsys.readouterr().err.splitlines()]
    assert line["level"] == "warning" and line["logger"] == "a.library"
    assert line["event"] == r"error connecting in 'pool-1': no\x0away \x1b[2J ***"
