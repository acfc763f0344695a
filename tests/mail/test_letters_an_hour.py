"""A sender's share of letters an hour: one of those with proof, and one of those without."""

import pytest
from sqlalchemy import select

from pbem.letters.letter import outside
from pbem.store.engine.database import reading
from pbem.store.schema.tables import Letter as LetterRecord
from tests.installation import Installation as Place
from tests.installation import proven
from tests.real import EVERYWHERE

FORGED = "mx.game.example; dmarc=fail header.from=legit.example"
_SHOWN = (LetterRecord.id, LetterRecord.sender, LetterRecord.outcome)


pytestmark = pytest.mark.game("coalition", trust="proven", limits={"letters_an_hour": 5})


def decided(at: Place) -> list[tuple[str, str]]:
    """Who wrote each letter, and what became of it, in the order in which they were decided."""
    order = [key for key, _ in at.outbox() if key.startswith(("receipt:", "challenge:"))]
    with reading(at.daemon.engine) as conn:
        rows = {
            str(row.id): (row.sender, str(row.outcome)) for row in conn.execute(select(*_SHOWN))
        }
    return [rows[key.split(":")[1]] for key in order]


def flood(at: Place, sender: str, count: int) -> None:
    for n in range(count):
        at.write(sender, f"SPECIAL AGR\n{n}", Authentication_Results=FORGED)


@EVERYWHERE
def test_who_forges_an_address_does_not_use_up_its_share(at: Place) -> None:
    flood(at, "A", 40)
    at.once()
    proven(at, "A", "SPECIAL AGR")
    at.once()
    assert at.standing("A") == ["SPECIAL AGR"], "forged letters have a share of their own"


def test_letters_of_a_seat_that_count_stay_in_their_order(at: Place) -> None:
    for n, order in enumerate(("CANCEL ALL", "SPECIAL AGR", "CANCEL ALL", "SPECIAL AGR")):
        flood(at, "A", 6 + n)
        proven(at, "A", order)
    at.once()
    assert [one for one in decided(at) if one[1] == "orders"] == [("a@legit.example", "orders")] * 4
    assert at.standing("A") == ["SPECIAL AGR"]


def test_before_a_deadline_everything_is_decided(at: Place) -> None:
    flood(at, "B", 30)
    at.to_deadline()
    assert {outcome for outcome, _ in at.outcomes()} == {"unverified"}


def test_a_header_over_a_limit_is_not_read() -> None:
    assert outside(b"From: a@legit.example\r\nX: " + b"x" * 130_000) is None
