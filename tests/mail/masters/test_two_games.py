"""A gamesmaster's letter that names two games does nothing in either: a line GAME is for the whole
letter, and who writes two means each for the lines below it."""

import pytest

from pbem.orders.mailwords import peel
from tests.installation import Installation
from tests.masters import ANNA, OTHERS, command, flat, make, period

pytestmark = pytest.mark.game("coalition", strangers=OTHERS)


def test_the_second_game_does_not_take_the_acts_of_the_first(at: Installation) -> None:
    for game in ("h", "k"):
        make(at, game, gamesmaster=ANNA)
    due = {game: period(at, game).period.due for game in ("h", "k")}
    said = flat(command(at, ANNA, "EXTEND 2 strike\nGAME k\nPERIOD 1\nEXTEND 3 snow", game="h"))
    assert "names the games h and k, and nothing was done" in said
    assert {game: period(at, game).period.due for game in ("h", "k")} == due


def test_the_same_game_named_twice_is_one(at: Installation) -> None:
    make(at, "h", gamesmaster=ANNA)
    said = command(at, ANNA, "RULE all is well\n\nGAME H\nRULE and so it stays", game="h")
    assert "nothing was done" not in said
    assert "and so it stays" in said


def test_a_players_letter_is_for_the_game_that_it_names_last() -> None:
    assert peel("GAME h\nVOTE AYE\nGAME k").game == "k"
