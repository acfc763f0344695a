"""The links in private mails: each opens a letter, and its address says game, seat and period; it
proves no more than the game asks, and to nobody else."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select

from pbem.daemon import logs
from pbem.letters import addresses
from pbem.letters.reading import markup
from pbem.pages.html import FROM
from pbem.periods import opening, persons
from pbem.post.seats import LINKED
from pbem.referee.acts import seat_acts
from pbem.store.engine.database import exclusive_transaction
from pbem.store.games import games
from pbem.store.schema.tables import Outgoing
from tests.installation import (
    GAMESMASTER,
    REFEREE,
    SEATS,
    SLATE,
    Installation,
    address,
    desk,
    surely,
    text_of,
)
from tests.linking import Opened, html_of, link, links, newest, outcome
from tests.mail.proof import PROOF, STRANGER, Place, playing, secret
from tests.rewinds import rewind

NEW = "new@else.example"
pytestmark = pytest.mark.game("coalition", trust="proven", strangers=(STRANGER, NEW))
# --- a player's own letters -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("trust", "proof", "counts"),
    [("open", "", True), ("proven", "", False), ("proven", PROOF, True)],
)
def test_its_letter_needs_what_the_game_asks_for(
    tmp_path: Path, place: Place, trust: str, proof: str, counts: bool
) -> None:
    with playing(place, tmp_path, trust) as at:
        proofs = {"Authentication_Results": proof} if proof else {}
        link(at, "A", "SPECIAL").send(at, "A", "AGR", **proofs)
        assert outcome(at) == ("orders" if counts else "unverified")
        assert at.standing("A") == (["SPECIAL AGR"] if counts else [])
        if not counts:
            assert at.mails("A")[-1]["Subject"] == "[g] Is this letter yours?"


def test_below_links_alone_stands_from_where_to_write(at: Installation) -> None:
    at.write("A", "AGAIN\nRESIGN\nPRESS TO B\nHear me\nEND PRESS")
    at.write("B", "INVITE new@else.example\nDEPUTY new@else.example FROM 2026-03-03 TO 2026-03-09")
    at.to_deadline()
    mails = [mail for who in (*SEATS, NEW) for mail in at.mails(who)]
    assert {FROM in html_of(one) for one in mails} == {True, False}
    for mail in mails:
        assert (FROM in html_of(mail)) == ('href="mailto:' in html_of(mail)), mail["Subject"]


def test_a_reminder_has_a_link_for_what_is_owed_alone(at: Installation) -> None:
    proposes = replace(link(at, "A", "SPECIAL"), body=f"PROPOSE {SLATE}\r\n")
    proposes.send(at, "A", Authentication_Results=PROOF)
    assert outcome(at) == "orders"
    at.to_deadline()
    at.clock = at.table().period.due - timedelta(hours=20)
    at.once()
    bodies = [one.body for one in newest(at, "B")]
    assert bodies[:3] == [f"VOTE {word} ON V1\r\n" for word in ("AYE", "NAY", "ABSTAIN")]
    assert not [one for one in bodies if "STANDING" in one.partition("CHECK")[0]]


def test_trial_orders_and_ready(at: Installation) -> None:
    trial = link(at, "A", "CHECK")
    trial.send(at, "A", "AGR", Authentication_Results=PROOF)
    assert outcome(at) == "command" and at.standing("A") == []
    assert "SPECIAL AGR" in at.newest("A")
    link(at, "A", "ORDERS").send(at, "A")
    assert outcome(at) == "command"
    link(at, "A", "READY").send(at, "A", Authentication_Results=PROOF)
    assert outcome(at) == "command" and "READY" in at.newest("A")


def test_an_address_in_capitals_is_the_same(at: Installation) -> None:
    opened = link(at, "A", "SPECIAL")
    replace(opened, to=opened.to.upper()).send(at, "A", "AGR", Authentication_Results=PROOF)
    assert outcome(at) == "orders"


def test_another_address_of_the_player_is_no_stranger(at: Installation) -> None:
    at.act(persons.change_address, address("A"), NEW)
    opened = link(at, "A", "SPECIAL")
    opened.send(at, NEW, "ENV", Authentication_Results=PROOF.replace("legit", "else"))
    assert outcome(at) == "orders"
    opened.send(at, "A", "AGR", Authentication_Results=PROOF)
    assert outcome(at) == "orders" and at.standing("A") == ["SPECIAL AGR"]


# --- another period, another game -----------------------------------------------------------------


@pytest.mark.parametrize("trust", ["open", "proven"])
def test_it_counts_for_its_period_or_for_nothing(tmp_path: Path, place: Place, trust: str) -> None:
    with playing(place, tmp_path, trust) as at:
        old = link(at, "A", "STANDING")
        at.to_deadline()
        at.clock += (at.table().period.due - at.clock) / 2  # type: ignore[operator]
        old.send(at, "A", "AYE", Authentication_Results=PROOF)
        assert outcome(at) == "late" and at.standing("A") == []
        told = " ".join(at.newest("A").split())
        assert "PERIOD 1, which is closed; the open period is 2" in told
        link(at, "A", "ORDERS").send(at, "A", Authentication_Results=PROOF)
        assert outcome(at) == "command", "the receipt's own link is of the open period"


@pytest.mark.parametrize("line", ["PERIOD 2", "PERIOD 0", "GAME h"])
def test_its_letter_names_no_other_period_or_game(at: Installation, line: str) -> None:
    opened = link(at, "A", "SPECIAL")
    opened = replace(opened, body=f"{line}\r\nSPECIAL AGR\r\n")
    opened.send(at, "A", Authentication_Results=PROOF)
    assert outcome(at) == "held" and at.standing("A") == []
    assert "which is it for" in at.newest("A")


def test_it_names_the_game_where_its_player_has_several(at: Installation) -> None:
    plan = opening.Plan(
        "h",
        "coalition",
        [
            (seat, address(other), f"Player {other}")
            for seat, other in zip("ABCDE", "EABCD", strict=True)
        ],
        "Europe/Paris",
        "proven",
        seed="8",
    )
    opened = link(at, "A", "SPECIAL")
    with desk(at) as work:
        opening.new(work, plan)
        opening.start(work, "h")
    at.once()
    other = link(at, "A", "SPECIAL")
    assert (other.part[:4], opened.part[:4]) == ("h.b.", "g.a.")
    opened.send(at, "A", "AGR", Subject="[h] orders", Authentication_Results=PROOF)
    assert outcome(at) == "orders" and at.standing("A") == ["SPECIAL AGR"]
    other.send(at, "A", "ENV", Authentication_Results=PROOF)
    assert outcome(at) == "orders"
    at.game = "h"
    assert (at.standing("A"), at.standing("B")) == ([], ["SPECIAL ENV"])
    both = f"{opened.to}, {other.to}"
    opened.send(at, "A", "JUS", To=both, Authentication_Results=PROOF)
    assert outcome(at) == "held", "two links of two games"


def test_a_link_from_before_the_game_went_back_counts_for_nothing(at: Installation) -> None:
    at.to_deadline()
    old = link(at, "A", "STANDING")
    rewind(at, 1)
    at.once()
    assert at.table().period.number == 2
    new = link(at, "A", "STANDING")
    assert (old.part[:8], new.part[:8]) == ("g.a.2.1.", "g.a.2.2.")
    at.clock += (at.table().period.due - at.clock) / 2  # type: ignore[operator]
    old.send(at, "A", "AYE", Authentication_Results=PROOF)
    assert outcome(at) == "late" and at.standing("A") == []
    assert "from before the game went back" in " ".join(at.newest("A").split())
    new.send(at, "A", "AYE", Authentication_Results=PROOF)
    assert outcome(at) == "orders"


# --- where they stand -----------------------------------------------------------------------------


def test_links_stand_in_private_mails_only(at: Installation) -> None:
    at.write("A", "PRESS TO B\nHear me\nEND PRESS\nHISTORY 0\nSPECIAL AGR", To=secret(at, "A"))
    at.send("B", "SPECIAL AGR")
    at.to_deadline()
    kinds = dict[str, set[bool]]()
    with exclusive_transaction(at.daemon.engine) as conn:
        kind_of = {
            row.message_id: row.kind
            for row in conn.execute(select(Outgoing.message_id, Outgoing.kind))
        }
    for seat in SEATS:
        for mail in at.mails(seat):
            has = bool(links(mail))
            kinds.setdefault(kind_of[str(mail["Message-ID"])], set()).add(has)
            parts = {one.part for one in links(mail)}
            assert all(part.startswith(f"g.{seat.lower()}.") for part in parts)
            assert not any(part in text_of(mail) for part in parts)
            assert not any(part in str(mail.items()) for part in parts)
    assert {"bulletin", "press", "start", "notice"} <= kinds.keys()
    assert all(found == {kind in LINKED} for kind, found in kinds.items()), kinds


def test_a_form_copied_from_the_html_is_still_a_form(at: Installation) -> None:
    notice = next(mail for mail in reversed(at.mails("A")) if links(mail))
    said = markup.shown(html_of(notice)).text
    filled = said.partition("above this line")[2].partition("\n")[2]
    filled = filled.replace("SPECIAL ...", "SPECIAL AGR")
    at.write("A", filled, To=secret(at, "A"))
    assert outcome(at) == "orders" and at.standing("A") == ["SPECIAL AGR"]


def test_a_name_too_long_for_an_address_has_no_links(tmp_path: Path, place: Place) -> None:
    for name, there in (("a" * 29, True), ("a" * 39, False)):
        folder = tmp_path / str(len(name))
        folder.mkdir()
        with place(folder, "coalition", seats=SEATS) as at:
            at.start(name)
            found = [one for mail in at.mails("A") for one in links(mail)]
            assert bool(found) is there
            assert all(len(one.to.partition("@")[0]) <= 64 for one in found)


def test_a_game_that_is_over_has_none(tmp_path: Path, place: Place) -> None:
    with playing(place, tmp_path, "open") as at:
        opened = link(at, "A", "SPECIAL")
        for seat in SEATS:
            surely(at, seat, "AGREE WIN C")
        at.once()
        assert at.table().row.status == "over"
        opened.send(at, "A", "AGR")
        assert outcome(at) == "late" and "The game is over" in at.newest("A")
        assert html_of(at.mails("A")[-1]) and links(at.mails("A")[-1]) == []


def test_no_log_has_the_secret_of_a_link(at: Installation) -> None:
    opened = link(at, "A", "SPECIAL")
    shown = logs.mask(None, "", {"event": f"to {opened.to}", "where": opened.to.upper()})
    secret_part = opened.part.rpartition(".")[2]
    assert secret_part not in str(shown).lower() and "g.a.1.1.***" in str(shown)


# --- links in other hands -------------------------------------------------------------------------


NO_PROOF = (
    "",
    PROOF.replace("pass", "fail"),
    PROOF.replace("mx.game.example", "mx.else.example"),
    PROOF.replace("legit.example", "else.example"),
)
"""What stands in the letters of somebody who writes another's From."""
LEVELS = ("open", "proven")


def with_secret(opened: Opened, **said: object) -> Opened:
    """The link with other words before its secret."""
    read = addresses.read(opened.part)
    assert read
    return replace(opened, to=f"referee+{replace(read, **said)}@game.example")  # type: ignore[arg-type]


# --- a forwarded notice ---------------------------------------------------------------------------


def test_a_link_in_other_hands_does_nothing_and_lapses_alone(at: Installation) -> None:
    own, opened, others = secret(at, "A"), link(at, "A", "SPECIAL"), link(at, "B", "SPECIAL")
    opened.send(at, STRANGER, "ENV", Authentication_Results=PROOF.replace("legit", "else"))
    assert outcome(at) == "unknown-sender" and at.standing("A") == []
    opened.send(at, "A", "JUS", Authentication_Results=PROOF)  # a stranger who has it uses it
    assert outcome(at) == "unverified" and at.standing("A") == []
    at.write("A", "SPECIAL AGR", To=own)
    assert outcome(at) == "orders" and at.standing("A") == ["SPECIAL AGR"]
    fresh = link(at, "A", "READY")
    assert fresh.part != opened.part
    fresh.send(at, "A", Authentication_Results=PROOF)
    assert outcome(at) == "command"
    others.send(at, "B", "ENV", Authentication_Results=PROOF)
    assert outcome(at) == "orders" and at.standing("B") == ["SPECIAL ENV"]


@pytest.mark.parametrize("trust", LEVELS)
@pytest.mark.parametrize("begins", ["SPECIAL", "READY", "CHECK", "ORDERS"])
def test_another_players_letter_by_it_counts_for_neither(
    tmp_path: Path, place: Place, trust: str, begins: str
) -> None:
    with playing(place, tmp_path, trust) as at:
        opened, mailed = link(at, "A", begins), len(at.mails("A"))
        opened.send(at, "B", "ENV", Authentication_Results=PROOF)
        assert outcome(at) == "held"
        assert (at.standing("A"), at.standing("B")) == ([], [])
        assert len(at.mails("A")) == mailed
        assert "a seat that you do not play" in " ".join(at.newest("B").split())
        with exclusive_transaction(at.daemon.engine) as conn:
            numbers = {seat: one.link_no for seat, one in games.holders(conn, "g").items()}
        assert numbers == dict.fromkeys(SEATS, 1) | {"A": 2}


def test_another_players_confirmation_by_it_confirms_nothing(at: Installation) -> None:
    at.send("A", "SPECIAL AGR")
    link(at, "A", "CONFIRM").send(at, "B", Authentication_Results=PROOF)
    assert outcome(at) == "held"
    at.once()
    assert at.standing("A") == []


def test_the_gamesmaster_commands_nothing_by_a_players_link(at: Installation) -> None:
    opened = replace(link(at, "A", "SPECIAL"), body="HOLD g\r\nDEADLINE g 2027-01-01\r\n")
    opened.send(at, GAMESMASTER)
    at.once()
    assert at.outcomes()[-1][0] == "held" and at.table().row.status == "running"


def test_a_link_of_a_past_period_takes_no_other_with_it(at: Installation) -> None:
    old = link(at, "A", "SPECIAL")
    at.to_deadline()
    new = link(at, "A", "STANDING")
    assert new.part != old.part
    old.send(at, STRANGER, "ENV")
    assert outcome(at) == "unknown-sender"
    new.send(at, "A", "AYE", Authentication_Results=PROOF)
    assert outcome(at) == "orders"


# --- a forger -------------------------------------------------------------------------------------


def test_a_forged_from_with_a_true_link_is_asked_about(at: Installation) -> None:
    for proof in NO_PROOF:
        proofs = {"Authentication_Results": proof} if proof else {}
        link(at, "A", "SPECIAL").send(at, "A", "ENV", **proofs)
        assert outcome(at) == "unverified", proof
    assert at.standing("A") == []


@pytest.mark.parametrize(
    "said", [{"period": 2}, {"edition": 2}, {"seat": "b"}, {"game": "h"}, {"secret": "a" * 16}]
)
def test_a_secret_is_for_what_its_address_says(at: Installation, said: dict[str, object]) -> None:
    """Nobody can make another link of one."""
    opened = with_secret(link(at, "A", "SPECIAL"), **said)
    for seat in "AB":
        opened.send(at, seat, "ENV", Authentication_Results=PROOF)
        assert outcome(at) in ("unverified", "held")
    assert (at.standing("A"), at.standing("B")) == ([], [])
    with exclusive_transaction(at.daemon.engine) as conn:
        assert {one.link_no for one in games.holders(conn, "g").values()} == {1}


@pytest.mark.parametrize(
    "headers",
    [
        {"To": REFEREE, "Delivered_To": "LINK"},
        {"To": REFEREE, "Cc": "LINK"},
        {"To": STRANGER, "Cc": "LINK"},
    ],
)
def test_a_signed_letter_is_not_sent_on_to_a_link(
    at: Installation, headers: dict[str, str]
) -> None:
    """A letter of the player's own with his provider's signature, to which another has added the
    link."""
    opened = link(at, "A", "SPECIAL")
    added = {name: value.replace("LINK", opened.to) for name, value in headers.items()}
    signature = "v=1; d=legit.example; h=from:to:date:subject; bh=x; b=x"
    proof = {"Authentication_Results": PROOF, "DKIM_Signature": signature}
    replace(opened, body="SPECIAL ENV\r\n").send(at, "A", **proof, **added)
    assert outcome(at) == "unverified" and at.standing("A") == []
    opened.send(at, "A", "ENV", **proof)
    assert outcome(at) == "orders"


def test_a_secret_address_does_not_help_anothers_link(at: Installation) -> None:
    opened = link(at, "A", "SPECIAL")
    both = f"{opened.to}, {secret(at, 'B')}"
    opened.send(at, "B", "ENV", To=both, Authentication_Results=PROOF)
    assert outcome(at) == "held"
    assert (at.standing("A"), at.standing("B")) == ([], [])


def test_an_old_letter_by_a_link_is_not_sent_again(at: Installation) -> None:
    opened = link(at, "A", "SPECIAL")
    late = {"Authentication_Results": PROOF, "Date": "Mon, 02 Feb 2026 09:00:00 +0000"}
    opened.send(at, "A", "ENV", **late)
    assert outcome(at) == "unverified"


def test_a_ballot_by_a_link_needs_proof_in_any_game(tmp_path: Path, place: Place) -> None:
    with playing(place, tmp_path, "open") as at:
        replace(link(at, "A", "READY"), body="AGREE DRAW\r\n").send(at, "A")
        assert outcome(at) == "unverified"


@pytest.mark.parametrize("level", ["open", "proven"])
def test_a_link_is_no_secret_address_for_a_ballot(tmp_path: Path, place: Place, level: str) -> None:
    """It needs a code, whatever the proof."""
    with playing(place, tmp_path, level) as at:
        ballot = replace(link(at, "A", "READY"), body="AGREE DRAW A, B\r\n")
        ballot.send(at, "A", Authentication_Results=PROOF)
        assert outcome(at) == "unverified"


def test_no_link_outlives_the_seats_secret_address(at: Installation) -> None:
    opened = link(at, "A", "SPECIAL")
    at.act(seat_acts.rotate, "g", "A")
    opened.send(at, "A", "AGR", Authentication_Results=PROOF)
    assert outcome(at) == "unverified"


def test_an_automatic_answer_to_a_link_orders_nothing(at: Installation) -> None:
    opened = link(at, "A", "SPECIAL")
    marks = {"Auto_Submitted": "auto-replied", "Authentication_Results": PROOF}
    opened.send(at, "A", **marks)
    assert outcome(at) == "unanswered" and at.standing("A") == []
