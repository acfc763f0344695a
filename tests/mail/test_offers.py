"""A seat that falls free is offered: to those who stand by, one after another, then to the waiting list and to
those who watch, at once; whoever answers first with his code has it, and nobody else."""

import pytest

from pbem.errors import Doubtful
from pbem.letters.states import LetterState
from pbem.periods import deadline_acts, opening, record
from pbem.periods.claims import enlist
from pbem.referee.acts import seat_acts
from pbem.store.games import games
from pbem.store.joining import claimants, open_tables
from pbem.store.people import players
from pbem.store.schema.states import OfferState
from pbem.store.schema.tables import Privy, Standby
from tests.installation import GAMESMASTER, REFEREE, Installation, address, desk, text_of, told
from tests.offering import (
    FORGER,
    GRETA,
    PAUL,
    PEOPLE,
    SECOND,
    WANDA,
    WILL,
    briefed,
    heard,
    holder,
    passes,
    quits,
    stand_by,
    states,
    takes,
    wait,
    watch,
)
from tests.subjects import subjects

pytestmark = pytest.mark.game("coalition", strangers=PEOPLE)


# --- in their order -------------------------------------------------------------------------------


def test_those_who_stand_by_are_asked_one_after_another_then_all_others(at: Installation) -> None:
    stand_by(at, PAUL, GRETA)
    watch(at, WANDA)
    wait(at, WILL)
    quits(at)
    assert "[g] Will you play A?" in subjects(at, PAUL)
    assert not (at.mails(WANDA) or at.mails(WILL) or at.codes(GRETA))
    assert "Until that date nobody else is asked." in told(at, PAUL)
    passes(at)
    assert "Others are asked now, and you stand by no longer." in told(at, PAUL)
    assert at.codes(GRETA) and not at.mails(WANDA)
    passes(at)
    for who in (WANDA, WILL):
        said = heard(at, who, "Will you play A?")
        assert "Others are asked too: the one who answers first has it." in said
    assert holder(at).address == address("A"), "until another has taken it"
    assert not any(briefed(at, who) for who in (PAUL, GRETA, WANDA, WILL))


def test_an_offer_names_game_seat_and_what_everybody_may_know(at: Installation) -> None:
    at.write("A", 'NAME "Harbour"\nSPECIAL AGR')
    watch(at, WANDA)
    quits(at)
    said = told(at, WANDA)
    for word in ("game g, Coalition", "the seat A", "period 1", "the one line CONFIRM"):
        assert word in said, word
    assert "AGR" not in said and "Harbour" not in said and address("A") not in said
    raw = str(at.mails(WANDA)[-1])
    assert at.mails(WANDA)[-1]["Reply-To"] is None and REFEREE.replace("@", "+") not in raw


@pytest.mark.parametrize("late", [False, True])
def test_the_first_who_answers_has_it_and_the_others_are_told(at: Installation, late: bool) -> None:
    """Also where the date of the offer has passed, as long as nobody has the seat."""
    watch(at, WANDA, GRETA)
    wait(at, WILL)
    quits(at)
    if late:
        passes(at)
        assert "[pbem] nobody takes A in g" in subjects(at)
    said = takes(at, WILL)
    assert holder(at).address == WILL and "The seat A in game g, Coalition, is yours now" in said
    assert briefed(at, WILL) and not briefed(at, WANDA) and not briefed(at, GRETA)
    assert "You no longer play in game g as A" in told(at, "A")
    if not late:
        assert "Another player has it now." in told(at, WANDA) and "You stand" not in told(
            at, WANDA
        )
    assert "has a player. Thank you for your answer" in takes(at, WANDA)
    assert "yours already" in takes(at, WILL, at.codes(WILL)[0], Message_ID="<again@else.example>")
    assert holder(at).address == WILL
    with desk(at) as work:
        assert open_tables.waiting_list(work.conn, "g") == []
        assert claimants.free_seats(work.conn, "g") == []
    at.to_deadline()
    bulletin = next(m for m in reversed(at.mails("B")) if "Bulletin 1" in str(m["Subject"]))
    assert "A has a new player: Will (house rule 6" in " ".join(text_of(bulletin).split())


def test_whoever_watches_and_plays_then_gets_each_bulletin_once(at: Installation) -> None:
    watch(at, WANDA)
    quits(at)
    takes(at, WANDA)
    with desk(at) as work:
        assert claimants.observers(work.conn, "g") == []
    at.to_deadline()
    assert sum("Bulletin 1" in one for one in subjects(at, WANDA)) == 1


def test_a_late_code_waits_while_another_is_asked_alone(at: Installation) -> None:
    stand_by(at, PAUL, GRETA)
    quits(at)
    passes(at)
    assert "offered to another player alone until" in takes(at, PAUL)
    assert holder(at).address == address("A")
    passes(at)
    takes(at, PAUL, at.codes(PAUL)[0], Message_ID="<later@else.example>")
    assert holder(at).address == PAUL, "as the mails had said"


def test_whoever_does_not_want_it_has_the_next_asked_at_once(at: Installation) -> None:
    stand_by(at, PAUL, GRETA)
    quits(at)
    at.send(PAUL, "QUIT", To=str(at.mails(PAUL)[-1]["Reply-To"]))
    assert at.codes(GRETA)
    stand_by(at, PAUL)
    assert len(at.codes(PAUL)) == 1, "he was asked"


@pytest.mark.parametrize("who", [PAUL, WANDA])
def test_whoever_answers_without_his_code_is_told_how(at: Installation, who: str) -> None:
    (stand_by if who == PAUL else watch)(at, who)
    quits(at)
    at.send(who, "Yes, I would like that!", To=str(at.mails(who)[-1]["Reply-To"] or REFEREE))
    assert "answer that mail with the line in it" in told(at, who)
    assert holder(at).address == address("A")


def test_nobody_left_is_told_once_and_whoever_comes_is_asked(at: Installation) -> None:
    quits(at)
    assert "Nobody stands by: `pbem standby g ADDRESS" in told(at, GAMESMASTER)
    at.later(days=2)
    assert "[pbem] nobody takes A in g" not in subjects(at), "he knows"
    watch(at, WANDA)
    at.once()
    assert at.codes(WANDA)
    stand_by(at, PAUL)
    assert "Others are asked too" in told(at, PAUL), "Wanda was asked before"
    passes(at)
    at.later(days=2)
    assert subjects(at).count("[pbem] nobody takes A in g") == 1
    assert len(at.codes(WANDA)) == 1, "each is asked once"
    stand_by(at, GRETA)
    assert "Until that date nobody else is asked." in told(at, GRETA)


# --- what it comes to -----------------------------------------------------------------------------


def test_a_quit_that_is_taken_back_voids_the_offers(at: Installation) -> None:
    watch(at, WANDA)
    quits(at)
    at.send("A", "CANCEL QUIT")
    assert "Its player plays on after all." in told(at, WANDA)
    assert "is not free any more" in takes(at, WANDA) and holder(at).address == address("A")
    quits(at)
    assert len(at.codes(WANDA)) == 2, "asked again"
    takes(at, WANDA, at.codes(WANDA)[0], Message_ID="<old@else.example>")
    assert holder(at).address == address("A"), "an old code takes nothing"
    takes(at, WANDA)
    assert holder(at).address == WANDA


def test_another_by_hand_voids_the_offers(at: Installation) -> None:
    stand_by(at, PAUL)
    quits(at)
    at.act(seat_acts.replace, "g", "A", GRETA, "Greta", "by hand")
    at.once()
    assert "Another player has it now." in told(at, PAUL) and "You stand by as before" in told(
        at, PAUL
    )
    assert "has a player" in takes(at, PAUL) and holder(at).address == GRETA


def test_the_end_of_the_game_ends_them(at: Installation) -> None:
    watch(at, WANDA)
    quits(at)
    at.act(opening.end, "g", "enough")
    at.once()
    assert "The game is over now" in heard(at, WANDA, "A is free no more")
    assert "The game is over now" in takes(at, WANDA) and not briefed(at, WANDA)


def test_a_held_game_offers_nothing_but_what_was_offered_is_taken(at: Installation) -> None:
    stand_by(at, PAUL)
    quits(at)
    at.act(deadline_acts.hold, "g", "illness")
    watch(at, WANDA)
    passes(at)
    assert not at.mails(WANDA)
    takes(at, PAUL)
    assert holder(at).address == PAUL


@pytest.mark.game("parlement-1966", strangers=PEOPLE)
def test_a_silent_player_keeps_his_seat_while_nobody_has_taken_it(at: Installation) -> None:
    stand_by(at, PAUL)
    with desk(at) as work:
        record.ask_to_go_on(work, games.game_at(work.conn, "g"), "M", 2)
    until = holder(at, "M").asked_until
    assert until is not None
    at.clock = until
    at.once()
    assert "write any order, or the one word CONTINUE, and you keep it" in told(at, "M")
    assert at.codes(PAUL) and holder(at, "M").address == address("M")
    at.send("M", "CONTINUE")
    assert "You keep your seat: it is offered to nobody any more." in told(at, "M")
    assert "Its player plays on after all." in told(at, PAUL)
    assert "is not free any more" in takes(at, PAUL) and holder(at, "M").address == address("M")


@pytest.mark.game("parlement-1966", strangers=PEOPLE)
def test_a_seat_given_up_by_silence_goes_to_whoever_watches(at: Installation) -> None:
    watch(at, WANDA)
    with desk(at) as work:
        record.ask_to_go_on(work, games.game_at(work.conn, "g"), "M", 2)
    at.clock = holder(at, "M").asked_until or at.clock
    at.once()
    takes(at, WANDA)
    assert holder(at, "M").address == WANDA and holder(at, "M").missed == 0
    assert "house rule 7: no answer" in told(at, "M")


def test_two_free_seats_are_offered_to_two(at: Installation) -> None:
    """Nobody is asked alone for two seats at once; whoever has one is offered no other."""
    stand_by(at, PAUL, GRETA)
    watch(at, WANDA)
    quits(at)
    quits(at, "B")
    assert "the seat A" in told(at, PAUL) and "the seat B" in told(at, GRETA)
    takes(at, PAUL)
    passes(at, "B")
    assert "the seat B" in told(at, WANDA) and len(at.codes(PAUL)) == 1
    takes(at, WANDA)
    assert (holder(at).address, holder(at, "B").address) == (PAUL, WANDA)


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
        assert claimants.open_offers(work.conn, "g") == []
    assert [one for one, _ in at.outcomes()][-2:] == [LetterState.COMMAND] * 2
    assert OfferState.OPEN not in states(at)
