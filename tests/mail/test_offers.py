"""A seat that falls free is offered: to those who stand by, one after another, then to the waiting
list and to those who watch, at once; whoever answers first with his code has it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select

from pbem.errors import Doubtful
from pbem.letters.states import LetterState
from pbem.periods import asking, deadline_acts, opening, seat_acts, standins
from pbem.referee import queue, queue_text
from pbem.referee.queue_text import Face
from pbem.store import games, observers, offers, open_tables, players, privy, standbys
from pbem.store.game_rows import Holder
from pbem.store.open_tables import TableRow
from pbem.store.records import Offer
from pbem.store.states import ApplicantState, OfferState, TableState
from tests.installation import (
    GAMESMASTER,
    REFEREE,
    Installation,
    address,
    desk,
    subjects,
    text_of,
    told,
)

PAUL, GRETA = "paul@else.example", "greta@else.example"
WANDA, WILL, SECOND = "wanda@else.example", "will@else.example", "wanda@second.example"
FORGER = "forger@else.example"
PEOPLE = (PAUL, GRETA, WANDA, WILL, SECOND, FORGER)
SEATS = ("A", "B", "C", "D", "E")
BRIEFING = ("you are", "The tables of", "Bulletin", "What you can send", "is yours")
"""What whoever has a seat is mailed, and nobody else."""


@pytest.fixture
def at(tmp_path: Path) -> Iterator[Installation]:
    with Installation(tmp_path, "coalition", seats=SEATS, strangers=PEOPLE) as made:
        made.start()
        yield made


@pytest.fixture
def parlement(tmp_path: Path) -> Iterator[Installation]:
    with Installation(tmp_path, "parlement-1966", strangers=PEOPLE) as made:
        made.start()
        yield made


def stand_by(at: Installation, *who: str) -> None:
    with desk(at) as work:
        for one in who:
            standins.enlist(work, "g", one, one.partition("@")[0].capitalize())
    at.once()


def watch(at: Installation, *who: str) -> None:
    with desk(at) as work:
        for one in who:
            name = one.partition("@")[0].capitalize()
            observers.new(work.conn, "g", players.player(work.conn, one, name, at.clock), at.clock)


def wait(at: Installation, who: str) -> None:
    """He signed on to the game as it was to be joined, and got no seat."""
    with desk(at) as work:
        player_id = players.player(work.conn, who, "Will", at.clock)
        table = TableRow(
            id="g",
            ruleset="coalition",
            state=TableState.JOINING,
            places=5,
            plan={},
            seed="7",
            gamesmaster="",
            approve=False,
            experience=0,
            reliability=0,
            opened=at.clock,
            starts=None,
            closes=None,
            called=None,
            next_look=None,
        )
        open_tables.new(work.conn, table)
        open_tables.try_state(work.conn, "g", TableState.JOINING, TableState.BEGUN)
        open_tables.ask(
            work.conn,
            ApplicantState.SIGNED,
            game_id="g",
            address=who,
            name="Will",
            player_id=player_id,
            place=6,
            wishes=[],
            through="",
            came=at.clock,
            until=None,
            code_hash="",
        )


def codes(at: Installation, who: str) -> list[str]:
    """The codes that somebody was mailed, oldest first."""
    found = (re.findall(r"(?m)^ +CONFIRM (\S+)", text_of(mail)) for mail in at.mails(who))
    return [code for some in found for code in some]


def quits(at: Installation, seat: str = "A") -> None:
    at.write(seat, "QUIT")
    at.once()
    at.write(seat, f"CONFIRM {codes(at, seat)[-1]}")
    at.once()


def takes(at: Installation, who: str, code: str = "", **headers: str) -> str:
    """He answers with his code; what he is told then."""
    at.write(who, f"CONFIRM {code or codes(at, who)[-1]}", **headers)
    at.once()
    return told(at, who) if at.mails(who) else ""


def holder(at: Installation, seat: str = "A") -> Holder:
    return at.table().holders[seat]


def briefed(at: Installation, who: str) -> bool:
    return any(word in one for one in subjects(at, who) for word in BRIEFING)


def passes(at: Installation, seat: str = "A") -> None:
    """The time of all open offers of a seat passes."""
    with desk(at) as work:
        at.clock = max(one.until for one in offers.open_offers(work.conn, "g") if one.seat == seat)
    at.once()


# --- in their order -------------------------------------------------------------------------------


def test_those_who_stand_by_are_asked_one_after_another_then_all_others(at: Installation) -> None:
    stand_by(at, PAUL, GRETA)
    watch(at, WANDA)
    wait(at, WILL)
    quits(at)
    assert "[g] Will you play A?" in subjects(at, PAUL)
    assert not (at.mails(WANDA) or at.mails(WILL) or codes(at, GRETA))
    assert "Until that date nobody else is asked." in told(at, PAUL)
    passes(at)
    assert "Others are asked now, and you stand by no longer." in told(at, PAUL)
    assert codes(at, GRETA) and not at.mails(WANDA)
    passes(at)
    for who in (WANDA, WILL):
        assert "Others are asked too: whoever answers first has it." in told(at, who)
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
    assert "You no longer hold A" in told(at, "A")
    if not late:
        assert "Another player has it now." in told(at, WANDA) and "You stand" not in told(
            at, WANDA
        )
    assert "has a player. Thank you for your answer" in takes(at, WANDA)
    assert "yours already" in takes(at, WILL, codes(at, WILL)[0], Message_ID="<again@else.example>")
    assert holder(at).address == WILL
    with desk(at) as work:
        assert open_tables.waiting_list(work.conn, "g") == []
        assert offers.of_game(work.conn, "g") == []
    at.to_deadline()
    bulletin = next(m for m in reversed(at.mails("B")) if "Bulletin 1" in str(m["Subject"]))
    assert "A has a new player: Will (house rule 6" in " ".join(text_of(bulletin).split())


def test_whoever_watches_and_plays_then_gets_each_bulletin_once(at: Installation) -> None:
    watch(at, WANDA)
    quits(at)
    takes(at, WANDA)
    with desk(at) as work:
        assert observers.of_game(work.conn, "g") == []
    at.to_deadline()
    assert sum("Bulletin 1" in one for one in subjects(at, WANDA)) == 1


def test_a_late_code_waits_while_another_is_asked_alone(at: Installation) -> None:
    stand_by(at, PAUL, GRETA)
    quits(at)
    passes(at)
    assert "offered to another player alone until" in takes(at, PAUL)
    assert holder(at).address == address("A")
    passes(at)
    takes(at, PAUL, codes(at, PAUL)[0], Message_ID="<later@else.example>")
    assert holder(at).address == PAUL, "as the mails had said"


def test_whoever_does_not_want_it_has_the_next_asked_at_once(at: Installation) -> None:
    stand_by(at, PAUL, GRETA)
    quits(at)
    at.write(PAUL, "QUIT", To=str(at.mails(PAUL)[-1]["Reply-To"]))
    at.once()
    assert codes(at, GRETA)
    stand_by(at, PAUL)
    assert len(codes(at, PAUL)) == 1, "he was asked"


@pytest.mark.parametrize("who", [PAUL, WANDA])
def test_whoever_answers_without_his_code_is_told_how(at: Installation, who: str) -> None:
    (stand_by if who == PAUL else watch)(at, who)
    quits(at)
    at.write(who, "Yes, I would like that!", To=str(at.mails(who)[-1]["Reply-To"] or REFEREE))
    at.once()
    assert "answer that mail with the line in it" in told(at, who)
    assert holder(at).address == address("A")


def test_nobody_left_is_told_once_and_whoever_comes_is_asked(at: Installation) -> None:
    quits(at)
    at.once()
    assert subjects(at).count("[pbem] nobody takes A in g") == 1
    at.clock += timedelta(days=2)
    at.once()
    assert subjects(at).count("[pbem] nobody takes A in g") == 1
    watch(at, WANDA)
    at.once()
    assert codes(at, WANDA)
    stand_by(at, PAUL)
    assert "Others are asked too" in told(at, PAUL), "Wanda was asked before"
    passes(at)
    assert subjects(at).count("[pbem] nobody takes A in g") == 2
    assert len(codes(at, WANDA)) == 1, "each is asked once"
    stand_by(at, GRETA)
    assert "Until that date nobody else is asked." in told(at, GRETA)


def test_the_gamesmaster_sees_it_in_his_queue(at: Installation) -> None:
    stand_by(at, PAUL)
    quits(at)

    def said() -> str:
        with desk(at) as work:
            return " ".join(queue_text.text(queue.queue(work), Face.SHELL).split())

    assert re.search(r"A asks to be relieved since .{16}[^;]*; offered to Paul alone until", said())
    passes(at)
    assert "nobody is left to be asked" in said()
    assert "pbem replace g A ADDRESS" in said()


# --- what it comes to -----------------------------------------------------------------------------


def test_a_quit_that_is_taken_back_voids_the_offers(at: Installation) -> None:
    watch(at, WANDA)
    quits(at)
    at.write("A", "CANCEL QUIT")
    at.once()
    assert "Its player plays on after all." in told(at, WANDA)
    assert "is not free any more" in takes(at, WANDA) and holder(at).address == address("A")
    quits(at)
    assert len(codes(at, WANDA)) == 2, "asked anew"
    takes(at, WANDA, codes(at, WANDA)[0], Message_ID="<old@else.example>")
    assert holder(at).address == address("A"), "an old code takes nothing"
    takes(at, WANDA)
    assert holder(at).address == WANDA


def test_another_by_hand_voids_the_offers(at: Installation) -> None:
    stand_by(at, PAUL)
    quits(at)
    with desk(at) as work:
        seat_acts.replace(work, "g", "A", GRETA, "Greta", "by hand")
    at.once()
    assert "Another player has it now." in told(at, PAUL) and "You stand by as before" in told(
        at, PAUL
    )
    assert "has a player" in takes(at, PAUL) and holder(at).address == GRETA


def test_the_end_of_the_game_ends_them(at: Installation) -> None:
    watch(at, WANDA)
    quits(at)
    with desk(at) as work:
        opening.end(work, "g", "enough")
    at.once()
    assert "The game is over now" in told(at, WANDA)
    assert "The game is over now" in takes(at, WANDA) and not briefed(at, WANDA)


def test_a_held_game_offers_nothing_but_what_was_offered_is_taken(at: Installation) -> None:
    stand_by(at, PAUL)
    quits(at)
    with desk(at) as work:
        deadline_acts.hold(work, "g", "illness")
    watch(at, WANDA)
    passes(at)
    assert not at.mails(WANDA)
    takes(at, PAUL)
    assert holder(at).address == PAUL


def test_a_silent_player_keeps_his_seat_while_nobody_has_taken_it(parlement: Installation) -> None:
    at = parlement
    stand_by(at, PAUL)
    with desk(at) as work:
        asking.ask(work, games.table(work.conn, "g"), "M", 2)
    until = holder(at, "M").asked_until
    assert until is not None
    at.clock = until
    at.once()
    assert "write any order, or the one word CONTINUE, and you keep it" in told(at, "M")
    assert codes(at, PAUL) and holder(at, "M").address == address("M")
    at.write("M", "CONTINUE")
    at.once()
    assert "You keep your seat: it is offered to nobody any more." in told(at, "M")
    assert "Its player plays on after all." in told(at, PAUL)
    assert "is not free any more" in takes(at, PAUL) and holder(at, "M").address == address("M")


def test_a_seat_given_up_by_silence_goes_to_whoever_watches(parlement: Installation) -> None:
    at = parlement
    watch(at, WANDA)
    with desk(at) as work:
        asking.ask(work, games.table(work.conn, "g"), "M", 2)
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
    assert "the seat B" in told(at, WANDA) and len(codes(at, PAUL)) == 1
    takes(at, WANDA)
    assert (holder(at).address, holder(at, "B").address) == (PAUL, WANDA)


# --- who must not ---------------------------------------------------------------------------------


def test_a_stolen_code_takes_nothing(at: Installation) -> None:
    watch(at, WANDA)
    quits(at)
    (code,) = codes(at, WANDA)
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
    (code,) = codes(at, WANDA)
    at.write(SECOND, f"CONFIRM {code}")
    at.once()
    assert "mailed to another of your addresses" in told(at, WANDA)
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
        assert list(privy.seats_of(work.conn, "g", former)) == ["A"]
    why = "Player A has seen the private mails of A in g"
    with desk(at) as work, pytest.raises(Doubtful, match=why):
        standins.enlist(work, "g", address("A"), "")
    with desk(at) as work, pytest.raises(Doubtful, match=why):
        seat_acts.replace(work, "g", "B", address("A"), "", "he came back")
    with desk(at) as work:
        standbys.new(work.conn, "g", former)
    before = len(codes(at, "A"))
    quits(at, "B")
    assert len(codes(at, "A")) == before
    assert any(why in " ".join(text_of(mail).split()) for mail in at.mails(GAMESMASTER))
    quits_of_paul = len(codes(at, PAUL))
    at.write(PAUL, "QUIT")
    at.once()
    at.write(PAUL, f"CONFIRM {codes(at, PAUL)[quits_of_paul]}")
    at.once()
    assert "the seat A is offered to you" in told(at, "A")
    takes(at, "A")
    assert holder(at).address == address("A")


def test_who_comes_to_know_a_seat_after_he_was_asked_takes_no_other(at: Installation) -> None:
    watch(at, WANDA)
    quits(at)
    with desk(at) as work:
        privy.add(work.conn, "g", "B", players.at_address(work.conn, WANDA) or 0)
    assert "You cannot take A in game g: Wanda has seen the private mails of B" in takes(at, WANDA)
    assert holder(at).address == address("A")


def test_the_gamesmaster_is_offered_none(at: Installation) -> None:
    watch(at, GAMESMASTER)
    quits(at)
    assert not codes(at, GAMESMASTER)


def test_an_offer_is_taken_once(at: Installation) -> None:
    """By two letters of one pass."""
    watch(at, WANDA, WILL)
    quits(at)
    for who in (WILL, WANDA):
        at.write(who, f"CONFIRM {codes(at, who)[-1]}")
    at.once()
    assert holder(at).address == WILL and not briefed(at, WANDA)
    assert "has a player" in told(at, WANDA) or "Another player" in told(at, WANDA)
    with desk(at) as work:
        assert offers.open_offers(work.conn, "g") == []
    assert [one for one, _ in at.outcomes()][-2:] == [LetterState.COMMAND] * 2
    assert OfferState.OPEN not in states(at)


def states(at: Installation) -> list[OfferState]:
    with desk(at) as work:
        return list(work.conn.execute(select(Offer.state)).scalars())
