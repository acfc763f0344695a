"""The verdict table: which rule decides, which game and seat a letter is for, and how sure that
is."""

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pbem.letters.addresses import GAMESMASTER, KnownFacts, Registration
from pbem.letters.authentication import Level, by_server, token_hash
from pbem.letters.letter import read
from pbem.letters.verdict import Decision, report
from tests.letter.letters import PLAYER, REFEREE, decided, installation, letter, proven

TOKEN = "k3v5z7q2w4x6y3b5n7m2p4r6t3"


def _decide(raw: bytes, where: KnownFacts | None = None, known: bool = False) -> Decision:
    return decided(read(raw), raw, where, known=known)


@pytest.mark.parametrize(
    ("raw", "verdict", "rule"),
    [
        (letter("VOTE YES ON 4\n", *proven()), "orders", "orders"),
        (letter("VOTE YES ON 4\nHELP\n", *proven()), "orders", "orders"),
        (letter("WAIT\n", *proven()), "command", "commands"),
        (letter("", *proven()), "command", "commands"),
        (letter("WAIT\n"), "unverified", "unproven"),
        (letter("STATUS\n"), "command", "only-reading"),
        (letter("CHECK\nVOTE YES ON 4\n"), "unverified", "unproven"),
        (letter("STATUS\nPASS\n"), "unverified", "unproven"),
        (letter("CONFIRM abcd-efgh\n"), "command", "confirmation"),
        (letter("HELP\n", sender="<a@b.example>"), "command", "anybody"),
        (letter("hello\n", sender="<a@b.example>"), "unknown-sender", "stranger"),
        (letter("PRESS TO R\nhello\n"), "unverified", "unproven"),
        (letter("PRESS TO R\nhello\n", *proven()), "command", "commands"),
        (
            letter("Away\n", "Auto-Submitted: auto-replied (vacation)", *proven()),
            "ignored",
            "absence-note",
        ),
        (letter("PASS\n", sender=f"<{REFEREE}>"), "ignored", "own-mail"),
        (letter("PASS\n", sender="<Referee+abcd@game.example>"), "ignored", "own-mail"),
    ],
)
def test_rules(raw: bytes, verdict: str, rule: str) -> None:
    decision = _decide(raw)
    assert (decision.verdict, decision.rule) == (verdict, rule), decision.reason


@pytest.mark.parametrize(
    ("head", "allowed"),
    [
        ("Auto-Submitted: no", True),
        ("Auto-Submitted: NO (really)", True),
        ("Auto-Submitted: (typed) no", True),
        ("Auto-Submitted : auto-replied", False),
        ("Precedence : bulk", False),
        ("Precedence: bulk (a list)", False),
        ("List-Owner: <mailto:x@lists.example>", False),
        ("List-Subscribe: <mailto:x@lists.example>", False),
        ("X-Loop: referee@game.example", False),
        ("X-Auto-Reply: yes", False),
        ("X-Autoresponder: yes", False),
        ("X-Cron-Env: <HOME=/root>", False),
        ("Return-Path: <owner-x@lists.example>", False),
        ("Return-Path: <x-request@lists.example>", False),
        ("Return-Path: <> (none)", False),
        ("Auto-Submitted: no, auto-replied", False),
        ("Return-Path: <player1@legit.example>", True),
        ("Auto-Submitted: auto-generated", False),
        ("Auto-Submitted: auto-notified; owner=x", False),
        ("Auto-Submitted:", False),
        ("Precedence: list", False),
        ("Precedence: first-class", True),
        ("Precedence: JUNK", False),
        ("List-Id: <a.b.example>", False),
        ("Return-Path: <>", False),
        (f"Return-Path: <{PLAYER}>", True),
        ("X-Referee-Loop: elsewhere", False),
        ("X-Auto-Response-Suppress: All", True),
        ("X-Autoreply: yes", False),
        ("List-Unsubscribe: <mailto:a@b>", False),
    ],
)
def test_nothing_automatic_is_answered(head: str, allowed: bool) -> None:
    assert _decide(letter("VOTE YES ON 4\n", head)).reply_allowed is allowed


@pytest.mark.parametrize(
    "local",
    [
        "MAILER-DAEMON",
        "no-reply",
        "noreply",
        "postmaster",
        "owner-list",
        "list-request",
        "bounce+x",
        "post_master",
        "mailer_daemon",
        "mail-daemon",
        "mailer-daemon",
        "no.reply",
        "no_reply",
        "do.not.reply",
        "do-not-reply-12",
        "microsoftexchange329e71ec88ae4615bbc36ab6ce41109e",
        "sympa",
        "www-data",
    ],
)
def test_programs_addresses_are_not_answered(local: str) -> None:
    assert not _decide(letter("hello\n", sender=f"<{local}@b.example>")).reply_allowed


def test_duplicate() -> None:
    decision = _decide(letter("PASS\n", *proven()), known=True)
    assert (decision.verdict, decision.reply_allowed) == ("duplicate", True)
    assert not _decide(letter("PASS\n", "Precedence: bulk"), known=True).reply_allowed
    assert _decide(letter("PASS\n", sender="<a@b>, <c@d>"), known=True).verdict == "quarantine"


def test_token() -> None:
    where = installation(Level.PROVEN, token_hash=token_hash(TOKEN))
    to = f"referee+{TOKEN}@game.example"
    assert _decide(letter("PASS\n"), where).verdict == "unverified"
    assert _decide(letter("PASS\n", to=to), where).authentication == "proven"
    assert _decide(letter("PASS\n", to=to.upper()), where).verdict == "orders"
    assert _decide(letter("PASS\n", f"Delivered-To: {to}"), where).verdict == "orders"
    assert _decide(letter("PASS\n", to=to.replace("k3", "k4")), where).verdict == "unverified"
    assert (
        _decide(letter("PASS\n", to=f"other+{TOKEN}@game.example"), where).verdict == "unverified"
    )
    assert _decide(letter(f"PASS\n{TOKEN}\n"), where).verdict == "unverified"


def test_a_token_counts_with_its_own_from_only_and_is_seen_to_have_strayed() -> None:
    where = installation(Level.PROVEN, token_hash=token_hash(TOKEN))
    to = f"referee+{TOKEN}@game.example"
    decision = _decide(letter("PASS\n", to=to, sender="<stranger@b.example>"), where)
    assert (decision.verdict, decision.stray) == ("unknown-sender", where.registrations[0])
    other = replace(
        where.registrations[1], token_hash=token_hash("other"), address="player2@other.example"
    )
    where = replace(where, registrations=(where.registrations[0], other))
    assert (
        _decide(letter("PASS\n", to=to, sender="<player2@other.example>"), where).verdict
        == "unverified"
    )


def test_no_stored_token_fits_none() -> None:
    assert (
        _decide(letter("PASS\n", to="referee+@game.example"), installation(Level.PROVEN)).verdict
        == "unverified"
    )


def _several() -> KnownFacts:
    return KnownFacts(
        {REFEREE: "", "g3@game.example": "G3"},
        frozenset({"mx.game.example"}),
        tuple(
            Registration(PLAYER, game, "S", token_hash=token_hash(f"{TOKEN}{game}".lower()))
            for game in ("G1", "G2", "G3")
        ),
        frozenset({"G1", "G2", "G3", "G4"}),
    )


@pytest.mark.parametrize(
    ("text", "subject", "to", "game"),
    [
        ("GAME g1\nPASS", "[G1] x", "referee+g3@game.example", "G1"),
        ("GAME g1\nPASS", "[G2] x", "referee+g3@game.example", ""),
        ("PASS", "Re: [list] [g2] x", "referee+g3@game.example", "G2"),
        ("PASS", "x", "referee+G3@game.example", "G3"),
        ("PASS", "x", "g3@game.example", "G3"),
        ("PASS", "x", f"referee+{TOKEN}g2@game.example", "G2"),
        ("PASS", "[nonsense]", REFEREE, ""),
        ("GAME g4\nPASS", "[G2]", REFEREE, ""),
        ("GAME nonsense\nPASS", "[G2]", REFEREE, ""),
    ],
)
def test_which_game(text: str, subject: str, to: str, game: str) -> None:
    raw = letter(text, to=to).replace(b"Subject: orders", f"Subject: {subject}".encode())
    decision = _decide(raw, _several())
    assert (decision.registration.game if decision.registration else "") == game
    assert bool(decision.question) == (not game)
    asked = ("Yours: G1, G2, G3.", "Your letter names g1 and g2: send a letter for each game.")
    assert game or any(one in decision.question for one in asked)


def test_only_game_and_period() -> None:
    decision = _decide(letter("PERIOD 3\nPASS\n", *proven()))
    assert (decision.game, decision.seat, decision.period, decision.question) == ("g1", "S", 3, "")


def test_gamesmaster() -> None:
    where = installation()
    where = replace(
        where, registrations=(*where.registrations, Registration("gm@b.example", "g1", GAMESMASTER))
    )
    decision = _decide(letter("QUEUE\n", sender="<gm@b.example>"), where)
    assert (decision.verdict, decision.seat, decision.peeled.commands[0].name) == (
        "command",
        GAMESMASTER,
        "QUEUE",
    )


def test_report_has_the_contracts_keys() -> None:
    raw = letter("VOTE YES ON 4\n", *proven())
    document = report(read(raw), _decide(raw), ["VOTE YES ON 4"], [])
    contract = {
        "verdict",
        "reason",
        "sender",
        "authentication",
        "text",
        "reply_allowed",
        "orders",
        "problems",
    }
    assert contract <= set(document)
    assert (document["verdict"], document["authentication"], document["sender"]) == (
        "orders",
        "dmarc",
        PLAYER,
    )


# --- what our own mail server says about a letter, and what a forger would like it to have said ---


RESULTS = tomllib.loads(Path(__file__).with_name("authentication.toml").read_text("utf-8"))


@pytest.mark.parametrize("row", RESULTS.values(), ids=RESULTS)
def test_authentication_results(row: dict[str, Any]) -> None:
    raw = letter("VOTE YES ON 4\n", *(f"Authentication-Results: {one}" for one in row["said"]))
    decision = decided(read(raw), raw)
    assert decision.verdict == ("orders" if row["proves"] else "unverified"), decision.reason


def test_our_name_is_compared_letter_by_letter() -> None:
    said = read(
        letter(
            "x\n",
            "Authentication-Results: mx.\u212aango.example; dmarc=pass header.from=legit.example",
        )
    )
    assert by_server(said, frozenset({"mx.kango.example"})).level == Level.OPEN


def test_other_authentication_fields_count_for_nothing() -> None:
    for name in (
        "ARC-Authentication-Results: i=1",
        "X-Authentication-Results:",
        "Authentication-Results :",
    ):
        raw = letter(
            "VOTE YES ON 4\n", f"{name} mx.game.example; dmarc=pass header.from=legit.example"
        )
        assert decided(read(raw), raw).verdict == "unverified"
