"""Links in other hands: a forwarded notice, a forged From. Nothing of it counts, for nobody; a link
lapses alone."""

from dataclasses import replace
from pathlib import Path

import pytest

from pbem.letters import addresses
from pbem.referee.acts import seat_acts
from pbem.store.engine.database import exclusive_transaction
from pbem.store.games import games
from tests.installation import GAMESMASTER, REFEREE, SEATS, Installation
from tests.linking import Opened, link, outcome
from tests.mail.proof import PROOF, STRANGER, Place, playing, secret

pytestmark = pytest.mark.game("coalition", trust="proven", strangers=(STRANGER,))
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
    opened.send(at, "A", "JUS", Authentication_Results=PROOF)  # whoever has it forges with it now
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
    """Whoever has a link makes no other of it, for himself neither."""
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
