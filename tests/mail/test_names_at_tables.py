"""A player's name is no seat, party, order or word for the referee of any game, at any table."""

from datetime import timedelta
from pathlib import Path

import pytest

from pbem.errors import Doubtful
from pbem.games import GAMES
from pbem.house import shelf
from pbem.orders.mailwords import WORDS
from pbem.orders.naming import NotAName
from pbem.periods import offers, opening, persons
from pbem.referee.acts import seat_acts
from pbem.store.engine.database import exclusive_transaction
from pbem.store.people import players
from tests.installation import desk
from tests.mail.test_open_tables import ANN, BEN, DAN, EVE, club

COALITION = ("R", "the Liberals", "END PRESS", "CONFIRM abc")
"""What a Coalition table let through."""


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("R", "R is a seat in Parlement"),
        ("l", "l is a seat in Parlement"),
        ("P10", "P10 is a seat in Legislation"),
        ("Owp", "Owp is a seat in Party In Power"),
        ("Ѕ", "Ѕ looks like S, a seat"),  # Cyrillic
        ("the Liberals", "the Liberals is a party in Parlement"),
        ("Liberal", "a party in"),
        ("S the Socialists", "looks like S, the Socialists, a party"),
        ("Communist", "a party in Parlement (1968)"),
        ("the Communist party", "a party in Parlement (1968)"),
        ("The 0pen Window", "looks like the Open Window, a party in Party In Power"),
        ("Pass", "Pass is an order in"),
        ("Bid", "Bid is an order in The Game of Politics"),
        ("РАУ", "looks like PAY, an order in Parlement"),  # Cyrillic
        ("РАУ 5 ТО І", "is an order in Parlement"),  # Cyrillic
        ("VOTE AYE", "VOTE AYE is an order in Coalition"),
        ("END PRESS", "begins as a line for the referee does"),
        ("CONFIRM abc", "begins as a line for the referee does"),
        ("Сonfirm", "is a word for the referee"),  # a Cyrillic C alone is two scripts, or
        ("Statement", "is a word for the referee"),
    ],
)
def test_what_could_be_taken_for_something_of_a_game(name: str, why: str) -> None:
    assert why in persons.taken_for(name)
    with pytest.raises(NotAName):
        persons.checked(name)


@pytest.mark.parametrize("game", GAMES)
def test_every_seat_and_order_of_every_game(game: str) -> None:
    ruleset = shelf.open_ruleset(game)
    seats = {seat for seated in ruleset.about.seats for seat in seated}
    for word in seats | ruleset.language.words:
        for written in (word, word.lower(), f" {word.capitalize()}."):
            with pytest.raises(NotAName):
                persons.checked(written)


def test_every_word_for_the_referee() -> None:
    for word in WORDS:
        for written in (word, word.capitalize(), f"{word} abc"):
            with pytest.raises(NotAName):
                persons.checked(written)


@pytest.mark.parametrize(
    "name",
    ["Anna", "Bill Smith", "Natalie", "Kitty", "Conrad", "Stopping Sue", "Z", "王小明", "Юлия"],
)
def test_other_names_are_names(name: str) -> None:
    assert persons.checked(name) == name


def test_at_a_coalition_table(tmp_path: Path) -> None:
    with club(tmp_path) as at:
        at.open(places=5)
        for name in COALITION:
            told = at.say(BEN, f"SIGNON autumn AS {name}")
            assert f"You cannot be called that: {name} " in told
            assert "as in the line SIGNON autumn AS Sophie." in told.replace("\u00a0", " ")
            at.clock += timedelta(hours=1)
        assert BEN not in at.people()
        assert "To take your seat" in at.say(BEN, "SIGNON autumn AS Bill Smith")


def test_an_old_name_is_looked_at_when_it_comes_to_another_game(tmp_path: Path) -> None:
    """He says another, which is his in all games; whose name is a good one keeps it."""
    with club(tmp_path) as at:
        with exclusive_transaction(at.daemon.engine) as conn:
            ids = [players.player(conn, who, "R", at.clock) for who in (ANN, BEN)]
            players.player(conn, DAN, "dan.of.old", at.clock)
        at.open(places=5)
        told = at.say(ANN, "SIGNON autumn")
        assert "You are called R, but you cannot bring that name to this table: R is a seat" in told
        assert "Choose another, as in the line SIGNON autumn AS Sophie." in told.replace(
            "\u00a0", " "
        )
        assert ANN not in at.people()
        assert "To take your seat" in at.say(ANN, "SIGNON autumn AS Ann Arbor")
        assert "Ann Arbor, you have a seat" in at.confirm(ANN)
        at.say(DAN, "SIGNON autumn AS Daniel")
        assert "dan.of.old, you have a seat" in at.confirm(DAN)
        assert "Ann Arbor is taken already" in at.say(BEN, "SIGNON autumn AS Ann Arbor")
        with exclusive_transaction(at.daemon.engine) as conn:
            assert [players.name(conn, one) for one in ids] == ["Ann Arbor", "R"]


def test_the_gamesmaster_is_asked_whether_he_means_it(tmp_path: Path) -> None:
    """He is told which name is wrong; a mailbox that is called like a seat gives no name."""
    with club(tmp_path) as at:
        given = [("", f"{seat.lower()}@else.example", "") for seat in "ABCD"]
        plan = opening.Plan("late", "coalition", [*given, ("", EVE, "END PRESS")], "UTC")
        with pytest.raises(Doubtful, match="no player can be called END PRESS"), desk(at) as work:
            opening.new(work, plan)
        plan = opening.Plan("late", "coalition", [*given, ("", EVE, "Eve")], "UTC")
        with desk(at) as work:
            opening.new(work, plan)
            said = sorted(players.names(work.conn))
        assert said == ["Eve", *(f"Newcomer {number}" for number in range(1, 5))]
        with pytest.raises(Doubtful, match="called Hold: Hold is a word"), desk(at) as work:
            offers.enlist(work, "late", ANN, "Hold")
        with pytest.raises(Doubtful, match="called P1: P1 is a seat in Legisl"), desk(at) as work:
            seat_acts.replace(work, "late", "A", ANN, "P1", "moved")
        with desk(at) as work:
            offers.enlist(work, "late", ANN, "Hold", anyway=True)
            seat_acts.replace(work, "late", "A", ANN, "Ann", "moved")  # names her better
            assert "Ann" in players.names(work.conn) and "Hold" not in players.names(work.conn)
