"""Two lines: a player's proven letter waits behind no letter that proves nothing."""

import itertools
from datetime import UTC, datetime

import pytest
from sqlalchemy import select

from pbem.letters.addresses import KnownFacts, Registration
from pbem.letters.authentication import Level, token_hash
from pbem.letters.case import Case, may_be_proven
from pbem.letters.letter import Letter, read
from pbem.letters.letter import outside as header_of
from pbem.post.clock import Reading
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
def test_a_proven_letter_is_decided_before_a_crowd_without_proof(at: Place) -> None:
    for seat in "ABCDE":
        flood(at, seat, 5)
    proven(at, "A", "SPECIAL AGR")
    at.once()
    assert decided(at)[0] == ("a@legit.example", "orders")
    assert at.standing("A") == ["SPECIAL AGR"]


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


def test_a_service_looks_for_proven_letters_while_it_decides_a_crowd(at: Place) -> None:
    steady = itertools.count(step=3)
    at.daemon.read = lambda: Reading(at.clock, float(next(steady)))
    at.daemon._stays = True  # as :meth:`Daemon.run` sets it
    for seat in "BCDE":
        flood(at, seat, 15)
    at.once()
    left = sum(outcome == "stored" for outcome, _ in at.outcomes())
    assert left >= 40, "it reads the mail again before it goes on"
    assert at.daemon._unfinished, "and that at once"
    proven(at, "A", "SPECIAL AGR")
    at.once()
    assert at.standing("A") == ["SPECIAL AGR"]
    assert sum(outcome == "stored" for outcome, _ in at.outcomes()) >= 40


# --- the header says no less than the verdict -----------------------------------------------------

_WHEN = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
_TOKEN = "abcd1234"
_RESULTS = {
    "pass": "mx.game.example; dmarc=pass header.from=legit.example",
    "fail": FORGED,
    "none": "mx.game.example; dmarc=none header.from=legit.example",
    "foreign": "mx.other.example; dmarc=pass header.from=legit.example",
    "unreadable": 'mx.game.example; dmarc="pass',
}
_TO = {"plain": "referee@game.example", "secret": f"referee+{_TOKEN}@game.example"}


def _letter(results: str, to: str) -> bytes:
    return (
        f"From: a@legit.example\r\nTo: {to}\r\nDate: Mon, 2 Mar 2026 09:00:00 +0000\r\n"
        f"Authentication-Results: {results}\r\nMessage-ID: <1@x>\r\n\r\nSPECIAL AGR\r\n"
    ).encode()


@pytest.mark.parametrize("level", list(Level))
@pytest.mark.parametrize("results", _RESULTS)
@pytest.mark.parametrize("to", _TO)
def test_what_the_verdict_finds_proven_is_never_in_the_second_line(
    level: Level, results: str, to: str
) -> None:
    raw = _letter(_RESULTS[results], _TO[to])
    where = KnownFacts(
        {"referee@game.example": ""},
        frozenset({"mx.game.example"}),
        (Registration("a@legit.example", "g", "A", level, token_hash(_TOKEN)),),
        frozenset({"g"}),
    )
    seen = header_of(raw.partition(b"\r\n\r\n")[0] + b"\r\n\r\n")
    assert isinstance(seen, Letter)
    found = may_be_proven(seen, where, _WHEN)
    verdict = Case(read(raw), raw, where, False, received=_WHEN).proven
    assert found is not None and (found or not verdict)


def test_a_header_over_a_limit_proves_nothing() -> None:
    assert header_of(b"From: a@legit.example\r\nX: " + b"x" * 130_000) is None
