"""Who must not have a seat that is offered: whoever got hold of a code, or knows another seat's
secrets, or comes too late."""

import pytest

from pbem.errors import Doubtful
from pbem.letters.states import LetterState
from pbem.periods.offers import enlist
from pbem.referee.acts import seat_acts
from pbem.store.joining import offers
from pbem.store.people import players
from pbem.store.schema.states import OfferState
from pbem.store.schema.tables import Privy, Standby
from tests.installation import GAMESMASTER, Installation, address, desk, text_of, told
from tests.offering import (
    FORGER,
    PAUL,
    PEOPLE,
    SECOND,
    WANDA,
    WILL,
    briefed,
    holder,
    quits,
    stand_by,
    states,
    takes,
    watch,
)
from tests.subjects import subjects

pytestmark = pytest.mark.game("coalition", strangers=PEOPLE)


def test_a_stolen_code_takes_nothing(at: Installation) -> None:
    watch(at, WANDA)
    quits(at)
    (code,) = at.codes(WANDA)
    takes(at, FORGER, code)
    takes(at, "B", code)
    takes(at, FORGER, code, Reply_To=WANDA, Sender=WANDA)
    assert holder(at).address == address("A") and not briefed(at, FORGER)
    for _ in range(3):
        assert not any("A" in one.split() for one in subjects(at, FORGER))
    takes(at, WANDA)
    assert holder(at).address == WANDA, "their noise has voided nothing"


def test_a_code_counts_from_the_address_it_was_mailed_to(at: Installation) -> None:
    """Not from another one of the same person, and from a new one not before it has its own."""
    watch(at, WANDA)
    with desk(at) as work:
        players.set_address(work.conn, players.at_address(work.conn, WANDA) or 0, SECOND)
        players.set_address(work.conn, players.at_address(work.conn, WANDA) or 0, WANDA)
    quits(at)
    (code,) = at.codes(WANDA)
    at.send(SECOND, f"CONFIRM {code}")
    assert "only from the address that it was mailed to" in told(at, WANDA)
    assert holder(at).address == address("A") and not at.mails(SECOND)
    takes(at, WANDA, code)
    assert holder(at).address == WANDA and not at.mails(SECOND)


def test_a_program_takes_nothing(at: Installation) -> None:
    watch(at, WANDA)
    quits(at)
    takes(at, WANDA, Auto_Submitted="auto-replied", Subject="Away: Will you play A?")
    assert holder(at).address == address("A")


def test_who_knows_a_seat_takes_no_other(at: Installation) -> None:
    """The former player of A is asked for no other seat, by himself; but for his own he is."""
    stand_by(at, PAUL)
    quits(at)
    takes(at, PAUL)
    with desk(at) as work:
        former = players.at_address(work.conn, address("A")) or 0
        assert list(players.privy_to(work.conn, "g", former)) == ["A"]
    why = "Player A has seen the private mails of A in g"
    with desk(at) as work, pytest.raises(Doubtful, match=why):
        enlist(work, "g", address("A"), "")
    with desk(at) as work, pytest.raises(Doubtful, match=why):
        seat_acts.replace(work, "g", "B", address("A"), "", "he came back")
    with desk(at) as work:
        Standby.add(work.conn, game_id="g", player_id=former)
    before = len(at.codes("A"))
    quits(at, "B")
    assert len(at.codes("A")) == before
    assert any(why in " ".join(text_of(mail).split()) for mail in at.mails(GAMESMASTER))
    quits_of_paul = len(at.codes(PAUL))
    at.send(PAUL, "QUIT")
    at.send(PAUL, f"CONFIRM {at.codes(PAUL)[quits_of_paul]}")
    assert "the seat A is offered to you" in told(at, "A")
    takes(at, "A")
    assert holder(at).address == address("A")


def test_who_comes_to_know_a_seat_after_he_was_asked_takes_no_other(at: Installation) -> None:
    watch(at, WANDA)
    quits(at)
    with desk(at) as work:
        Privy.try_add(
            work.conn, game_id="g", seat="B", player_id=players.at_address(work.conn, WANDA) or 0
        )
    assert "You cannot take A in game g: Wanda has seen the private mails of B" in takes(at, WANDA)
    assert holder(at).address == address("A")


def test_the_gamesmaster_is_offered_none(at: Installation) -> None:
    watch(at, GAMESMASTER)
    quits(at)
    assert not at.codes(GAMESMASTER)


def test_an_offer_is_taken_once(at: Installation) -> None:
    """By two letters of one pass."""
    watch(at, WANDA, WILL)
    quits(at)
    for who in (WILL, WANDA):
        at.write(who, f"CONFIRM {at.codes(who)[-1]}")
    at.once()
    assert holder(at).address == WILL and not briefed(at, WANDA)
    assert "has a player" in told(at, WANDA) or "Another player" in told(at, WANDA)
    with desk(at) as work:
        assert offers.open_offers(work.conn, "g") == []
    assert [one for one, _ in at.outcomes()][-2:] == [LetterState.COMMAND] * 2
    assert OfferState.OPEN not in states(at)
