"""A rewind and the ballots of an agreed end."""

from tests.installation import SEATS, Installation, address
from tests.mail.test_agreement import agree, bulletins
from tests.rewinds import rewind
from tests.subjects import subjects


def test_a_rewind_voids_ballots_and_tells_their_players_only(at: Installation) -> None:
    at.to_deadline()
    agree(at, "A", "B")
    agree(at, "B", ballot="AGREE NONE")
    rewind(at, 1)
    at.once()
    told_of = [s for s in SEATS if "[g] Your ballot is void" in subjects(at, address(s))]
    assert told_of == ["A"] and "agreement" not in bulletins(at, "C")[-1]
